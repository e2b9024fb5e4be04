package io.microbatch.connect.docs;

import java.util.Map;

/**
 * Advice that a ConfigDef entry cannot hold. Each new key needs a line.
 *
 * @param unit the unit of the value
 * @param when when to change it, as the end of a sentence that begins with "Change it"
 */
record ConfigAdvice(String unit, String when) {

    static final Map<String, ConfigAdvice> BY_KEY = Map.ofEntries(
            line(
                    "upstream.type",
                    "a name",
                    "to `synthetic` if the connector generates its events itself: for a first look, or to "
                            + "measure a cluster without a database."),
            line(
                    "upstream.connector.class",
                    "a class name",
                    "to the class of the connector to host; it has no default."),
            line(
                    "upstream.poll.ahead",
                    "a name",
                    "to `always` if the hosted task's poll never waits for an acknowledgement and small "
                            + "transactions cost too much; to `never` if the task fails when it is polled more often "
                            + "than Connect would poll it."),
            line(
                    "upstream.synthetic.topic",
                    "a topic",
                    "to a topic of your own; required with `upstream.type=synthetic`."),
            line("upstream.synthetic.topics", "topics", "to measure the cost of many topics."),
            line(
                    "upstream.synthetic.start.epoch.ms",
                    "milliseconds since 1970",
                    "for a backlog: from a start in the past, events are due at once. The stream also "
                            + "continues during an outage."),
            line(
                    "upstream.synthetic.partitions",
                    "source partitions",
                    "to test how the load is distributed over tasks, stripes and topic partitions."),
            line(
                    "upstream.synthetic.rate",
                    "events/s",
                    "to the load to test; with a curve, the levels change with the rate."),
            line("upstream.synthetic.events.per.partition", "events", "for a run that ends and can be counted."),
            line("upstream.synthetic.size.bytes", "bytes", "to the size of your own events."),
            line("upstream.synthetic.payload", "a name", "if the events are to be compressible."),
            line("upstream.synthetic.seed", "a number", "for other contents; keep it to compare runs."),
            line(
                    "latency.target.ms",
                    "milliseconds",
                    "first, to the latency that the readers of your topics tolerate. Often no other setting "
                            + "is needed."),
            line("batch.mode", "a name", "to `fixed` to compare, or if N and T must not change."),
            line(
                    "batch.objective",
                    "a name",
                    "to `latency` if events must arrive as early as the worker can deliver them, at a higher "
                            + "cost in CPU."),
            line(
                    "batch.max.records",
                    "events",
                    "down if a transaction takes too long or a consumer cannot process large ones. In fixed "
                            + "mode, set it to at most two thirds of what the stripes hold. It hardly ever needs a "
                            + "higher value."),
            line(
                    "batch.max.bytes",
                    "bytes",
                    "if events are large: down to save heap, up if batches end by `bytes` and the broker is "
                            + "slow."),
            line("batch.linger.ms", "milliseconds", "in fixed mode only; every event may be delayed by this time."),
            line(
                    "batch.max.filtered.bytes",
                    "bytes",
                    "up, together with the worker's heap, if a transform filters nearly all events for a "
                            + "long time."),
            line(
                    "bulk.enabled",
                    "a boolean",
                    "if the cost per record dominates and the readers of the topic can unpack: many events "
                            + "of a few hundred bytes."),
            line(
                    "bulk.max.bytes",
                    "bytes",
                    "down if a consumer cannot process large records, up together with `max.request.size` "
                            + "and the topic's `max.message.bytes`."),
            line(
                    "bulk.inner.key.converter",
                    "a class name",
                    "to the converter of a hosted connector's keys; required with a hosted connector."),
            line(
                    "bulk.inner.value.converter",
                    "a class name",
                    "to the converter of a hosted connector's values; required with a hosted connector."),
            line(
                    "pressure.smoothing.ms",
                    "milliseconds",
                    "down if bursts shorter than half a second must change the level, up if the level "
                            + "changes too often."),
            line(
                    "pressure.window.ms",
                    "milliseconds",
                    "down to learn sooner in a test, up for a smaller calibration file."),
            line(
                    "pressure.margin.ratio",
                    "a part, 0 to 1",
                    "down if the p99 sometimes exceeds the budget, up if it never comes close to it."),
            line(
                    "stripe.count",
                    "threads",
                    "for the synthetic upstream; a hosted connector is one reader. To scale, add tasks "
                            + "instead of stripes."),
            line(
                    "stripe.max.events",
                    "events",
                    "down to limit the heap of small events. It hardly ever needs a higher value: [larger "
                            + "stripes were slower](optimization-log.md). If `buffer-full` ends many batches in fixed "
                            + "mode, lower `batch.max.records`."),
            line(
                    "stripe.max.bytes",
                    "bytes",
                    "down on a small heap, up if single events are larger than a tenth of it."),
            line("deadletter.topic", "a topic", "if one event that cannot be delivered must not stop the others."),
            line(
                    "deadletter.mode",
                    "`convert` or `try`",
                    "to `try` for a transform that reads keys or values, as Debezium's "
                            + "`ExtractNewRecordState` does ([delivery](delivery.md#two-modes))."),
            line(
                    "deadletter.max.bytes",
                    "bytes",
                    "down if the worker's producer or the topic allows less than the default."),
            line(
                    "deadletter.key.converter",
                    "a class name",
                    "with `deadletter.topic`: to the former `key.converter` of the worker."),
            line(
                    "deadletter.value.converter",
                    "a class name",
                    "with `deadletter.topic`: to the former `value.converter` of the worker."),
            line("deadletter.header.converter", "a class name", "if headers are not strings."),
            line(
                    "calibration.enabled",
                    "true or false",
                    "to `false` only if N and T must not be learned. A disk that cannot be written needs no "
                            + "change: leave `calibration.directory` out."),
            line(
                    "calibration.directory",
                    "a path",
                    "to a volume that outlives the worker, if the worker's host name also stays the same "
                            + "(the pods of a StatefulSet): the stored values belong to host name and version. Never "
                            + "use a network file system."));

    private static Map.Entry<String, ConfigAdvice> line(String key, String unit, String when) {
        return Map.entry(key, new ConfigAdvice(unit, when));
    }
}
