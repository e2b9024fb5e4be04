package io.microbatch.connect.docs;

import java.util.Map;

/**
 * What a definition has no place for. Whoever adds a key adds a line.
 *
 * @param unit what the number counts
 * @param when when to change it, as the end of a sentence that begins with "Change it"
 */
record ConfigAdvice(String unit, String when) {

    static final Map<String, ConfigAdvice> BY_KEY = Map.ofEntries(
            line(
                    "upstream.type",
                    "a name",
                    "when the connector is to generate its events itself: for a first look, and for measuring a cluster without a database."),
            line("upstream.connector.class", "a class name", "to the class that you want to host; it has no default."),
            line(
                    "upstream.poll.ahead",
                    "a name",
                    "to `always` if the hosted task's poll never waits for an acknowledgement and small transactions cost too "
                            + "much; to `never` if the task fails when it is polled more often than Connect would."),
            line(
                    "upstream.synthetic.topic",
                    "a topic",
                    "to a topic of your own; needed with `upstream.type=synthetic`."),
            line("upstream.synthetic.topics", "topics", "to see what many topics cost."),
            line(
                    "upstream.synthetic.start.epoch.ms",
                    "milliseconds since 1970",
                    "for a backlog: a start in the past, from which events wait; streams then run on through an outage."),
            line(
                    "upstream.synthetic.partitions",
                    "source partitions",
                    "to see how the load spreads over tasks, stripes and topic partitions."),
            line(
                    "upstream.synthetic.rate",
                    "events/s",
                    "to any load you want to see; a curve shows how the levels follow."),
            line("upstream.synthetic.events.per.partition", "events", "for a run that ends and can be counted."),
            line("upstream.synthetic.size.bytes", "bytes", "to the size of your own events."),
            line("upstream.synthetic.payload", "a name", "when compression is to have something to do."),
            line("upstream.synthetic.seed", "a number", "for other bytes; leave it to compare runs."),
            line(
                    "latency.target.ms",
                    "milliseconds",
                    "first, and perhaps as the only one: to what your readers can wait for."),
            line("batch.mode", "a name", "to `fixed` to compare, or where every batch is to be alike."),
            line(
                    "batch.objective",
                    "a name",
                    "to `latency` when events are to be as early as the worker can, whatever it costs in CPU."),
            line(
                    "batch.max.records",
                    "events",
                    "down when a transaction takes too long or a consumer chokes on large ones, and in fixed mode to two thirds of what the stripes hold; up hardly ever."),
            line(
                    "batch.max.bytes",
                    "bytes",
                    "when events are large: down to spare heap, up when batches end by `bytes` and the broker is slow."),
            line("batch.linger.ms", "milliseconds", "in fixed mode only: it is the latency that every event pays."),
            line(
                    "batch.max.filtered.bytes",
                    "bytes",
                    "up, with the worker's heap, when a transform filters nearly everything for long."),
            line(
                    "bulk.enabled",
                    "a boolean",
                    "when the record is what costs and the readers of the topic can unpack: many events of some hundred bytes."),
            line(
                    "bulk.max.bytes",
                    "bytes",
                    "down when a consumer chokes on large records, up with `max.request.size` and the topic's `max.message.bytes`."),
            line(
                    "bulk.inner.key.converter",
                    "a class name",
                    "to bring a hosted connector's keys along; needed with it."),
            line(
                    "bulk.inner.value.converter",
                    "a class name",
                    "to what the events inside are to look like; needed with a hosted connector."),
            line(
                    "pressure.smoothing.ms",
                    "milliseconds",
                    "down when bursts are shorter than half a second and must be noticed, up when the level flutters."),
            line(
                    "pressure.window.ms",
                    "milliseconds",
                    "down to learn sooner in a test, up for a smaller calibration file."),
            line(
                    "pressure.margin.ratio",
                    "a part, 0 to 1",
                    "down when the p99 breaks the budget now and then, up when it never comes near."),
            line(
                    "stripe.count",
                    "threads",
                    "for the synthetic upstream; a hosted connector is one reader. More tasks scale, not more stripes."),
            line(
                    "stripe.max.events",
                    "events",
                    "down to bound the heap of small events; up hardly ever, since [larger stripes were slower](optimization-log.md). Where `buffer-full` ends many batches in fixed mode, lower `batch.max.records`."),
            line(
                    "stripe.max.bytes",
                    "bytes",
                    "down on a small heap, up when single events are larger than a tenth of it."),
            line("deadletter.topic", "a topic", "when one bad event must not stop the rest."),
            line(
                    "deadletter.mode",
                    "`convert` or `try`",
                    "to `try` for a transform that looks into keys or values, as Debezium's `ExtractNewRecordState` does ([delivery](delivery.md#two-modes))."),
            line(
                    "deadletter.max.bytes",
                    "bytes",
                    "down when the worker's producer or the topic allows less than the default."),
            line(
                    "deadletter.key.converter",
                    "a class name",
                    "with `deadletter.topic`: to what the worker's `key.converter` was."),
            line(
                    "deadletter.value.converter",
                    "a class name",
                    "with `deadletter.topic`: to what the worker's `value.converter` was."),
            line("deadletter.header.converter", "a class name", "when headers are not to be strings."),
            line(
                    "calibration.enabled",
                    "true or false",
                    "to `false` only where N and T must not be learned. A disk that cannot be written needs no change: leave `calibration.directory` out."),
            line(
                    "calibration.directory",
                    "a path",
                    "to a volume that outlives the worker, where its host name does too (the pods of a StatefulSet): what was learned belongs to host name and version. Never a network file system."));

    private static Map.Entry<String, ConfigAdvice> line(String key, String unit, String when) {
        return Map.entry(key, new ConfigAdvice(unit, when));
    }
}
