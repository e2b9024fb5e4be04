package io.microbatch.connect.docs;

import java.util.Map;

/**
 * Advice that a ConfigDef entry cannot hold. Each new key needs a line.
 *
 * @param unit the unit of the value
 * @param when when to change the setting, as the end of a sentence that begins with "Change it"
 */
record ConfigAdvice(String unit, String when) {

    static final Map<String, ConfigAdvice> BY_KEY = Map.ofEntries(
            line(
                    "upstream.type",
                    "a name",
                    "to `http` or `outbox` for events of clients or of an outbox table; to `synthetic` to try the "
                            + "connector, or to measure a cluster without a database."),
            line("upstream.connector.class", "a class name", "to the class that you want to host; it has no default."),
            line(
                    "upstream.poll.ahead",
                    "a name",
                    "to `always` if the hosted task's poll never waits for an acknowledgement and small "
                            + "transactions cost too much; to `never` if the task fails when it is polled more often "
                            + "than by Connect."),
            line(
                    "upstream.http.topics",
                    "topics",
                    "to the topics that your clients write; required with `upstream.type=http`."),
            line(
                    "upstream.http.host",
                    "an address",
                    "to the worker's address in the network, with TLS and authentication."),
            line(
                    "upstream.http.port",
                    "a port",
                    "if other programs of a worker listen here, or on the ports after it."),
            line(
                    "upstream.http.port.mode",
                    "a name",
                    "to `worker` if a load balancer can have one port per worker only."),
            line(
                    "upstream.http.threads",
                    "threads",
                    "up if they are busy with TLS or JSON while the task thread is not."),
            line(
                    "upstream.http.request.timeout.ms",
                    "milliseconds",
                    "to the time that your clients wait for an answer, if they cannot say so in a header."),
            line("upstream.http.stall.ms", "milliseconds", "up if a broker often takes longer for a transaction."),
            line(
                    "upstream.http.idempotency.keys",
                    "keys per task",
                    "down, or to 0, if retries come soon and the connector's offsets must stay small."),
            line("upstream.http.idempotency.required", "a boolean", "to `true` if no client may write without a key."),
            line(
                    "upstream.http.headers",
                    "header names",
                    "to keep the tenant of a request, for example, with each record."),
            line(
                    "upstream.http.client.timestamps",
                    "a boolean",
                    "to `true` if clients send events of the past and may say when each was."),
            line(
                    "upstream.http.max.request.bytes",
                    "bytes",
                    "up for clients that send large batches; down to save heap."),
            line(
                    "upstream.http.max.request.records",
                    "records",
                    "up for clients that send large batches of small records."),
            line(
                    "upstream.http.max.inflight.bytes",
                    "bytes",
                    "up, with the worker's heap, when 503 with 50301 is frequent."),
            line(
                    "upstream.http.max.inflight.requests",
                    "requests",
                    "up when 503 with 50301 is frequent and bodies are small."),
            line("upstream.http.max.connections", "connections", "up if more clients stay connected."),
            line(
                    "upstream.http.max.connections.per.address",
                    "connections",
                    "up to `upstream.http.max.connections` if all clients come through one proxy."),
            line("upstream.http.max.header.bytes", "bytes", "up if clients send long tokens or cookies."),
            line("upstream.http.header.timeout.ms", "milliseconds", "down where strangers can connect."),
            line("upstream.http.body.timeout.ms", "milliseconds", "up for large bodies over slow networks."),
            line(
                    "upstream.http.idle.timeout.ms",
                    "milliseconds",
                    "to more than the idle time after which your clients or proxy close a connection."),
            line(
                    "upstream.http.auth",
                    "a name",
                    "to anything but `none` where others than one application can connect."),
            line(
                    "upstream.http.auth.secrets",
                    "a secret",
                    "to the clients' tokens or passwords, through a config provider."),
            line("upstream.http.acl", "principals and topics", "when not every client may write every topic."),
            line(
                    "upstream.http.insecure",
                    "a boolean",
                    "to `true` only if something else, such as a sidecar, does TLS and authentication."),
            line("upstream.http.tls.keystore.path", "a path", "to a file that every worker has."),
            line(
                    "upstream.http.tls.keystore.password",
                    "a secret",
                    "to the file's password, through a config provider."),
            line("upstream.http.tls.keystore.type", "a name", "to `jks` for old files."),
            line("upstream.http.tls.truststore.path", "a path", "to a file that every worker has, for `mtls`."),
            line(
                    "upstream.http.tls.truststore.password",
                    "a secret",
                    "to the file's password, through a config provider."),
            line("upstream.http.tls.truststore.type", "a name", "to `jks` for old files."),
            line("upstream.outbox.jdbc.url", "a JDBC URL", "to your database; required with `upstream.type=outbox`."),
            line(
                    "upstream.outbox.user",
                    "a name",
                    "to a user with the rights to read the table and to delete from it; required."),
            line("upstream.outbox.password", "a secret", "to the user's password, by a config provider; required."),
            line("upstream.outbox.table", "a name", "to the name of your table."),
            line("upstream.outbox.column.id", "a column", "to the name in your table."),
            line("upstream.outbox.column.key", "a column", "to the name in your table."),
            line("upstream.outbox.column.route", "a column", "to the name in your table."),
            line("upstream.outbox.column.payload", "a column", "to the name in your table."),
            line("upstream.outbox.column.seq", "a column", "to the name in your table."),
            line("upstream.outbox.column.xid", "a column", "to the name in your table."),
            line(
                    "upstream.outbox.column.timestamp",
                    "a column",
                    "to the time of the event, so that records and `upstream-lag-ms` have it."),
            line("upstream.outbox.topic", "a pattern", "to the names of your topics, or to one topic for all rows."),
            line("upstream.outbox.topics", "a regular expression", "always, to the topics that exist."),
            line(
                    "upstream.outbox.fields.additional",
                    "columns",
                    "when consumers need the event's type or tenant without parsing the payload."),
            line(
                    "upstream.outbox.tombstone.on.empty",
                    "true or false",
                    "to `true` for compacted topics whose keys are deleted by a row without payload."),
            line(
                    "upstream.outbox.after",
                    "a name",
                    "to `keep` if the table's partitions are dropped by age ([outbox](outbox.md#deletes-and-vacuum))."),
            line(
                    "upstream.outbox.shards",
                    "shards",
                    "with `tasks.max`, when one task is busy all the time ([outbox](outbox.md#more-tasks))."),
            line("upstream.outbox.page.rows", "rows", "down if the database's memory is short."),
            line(
                    "upstream.outbox.max.payload.bytes",
                    "bytes",
                    "up with the topic's `max.message.bytes` and the producer's `max.request.size` and "
                            + "`buffer.memory`."),
            line(
                    "upstream.outbox.poll.interval.ms",
                    "milliseconds",
                    "down for a lower latency of single rows, up if an idle database is read too often."),
            line(
                    "upstream.outbox.notify.channel",
                    "a name",
                    "when single rows are urgent and the database is not busy."),
            line(
                    "upstream.outbox.wal.check",
                    "true or false",
                    "to `false` only if the server does not have the functions."),
            line(
                    "upstream.synthetic.topic",
                    "a topic",
                    "to a topic of your own; required with `upstream.type=synthetic`."),
            line("upstream.synthetic.topics", "topics", "to measure the cost of many topics."),
            line(
                    "upstream.synthetic.start.epoch.ms",
                    "milliseconds since 1970",
                    "to a time in the past for a backlog, or to a fixed time so that the rate continues "
                            + "during an outage."),
            line(
                    "upstream.synthetic.partitions",
                    "source partitions",
                    "to see how the load spreads over tasks, stripes and topic partitions."),
            line(
                    "upstream.synthetic.rate",
                    "events/s",
                    "to the load that you want; steps show how the levels follow the rate."),
            line("upstream.synthetic.events.per.partition", "events", "for a run that ends and can be counted."),
            line("upstream.synthetic.size.bytes", "bytes", "to the size of your own events."),
            line("upstream.synthetic.payload", "a name", "to `compressible` to measure compression."),
            line("upstream.synthetic.seed", "a number", "to get other bytes; keep it to compare runs."),
            line(
                    "latency.target.ms",
                    "milliseconds",
                    "first, and perhaps as the only setting: to the latency that your consumers tolerate."),
            line("batch.mode", "a name", "to `fixed` to compare, or if every batch must have the same limits."),
            line(
                    "batch.objective",
                    "a name",
                    "to `latency` when events must be as early as the worker can deliver them, at any cost "
                            + "in CPU."),
            line(
                    "batch.max.records",
                    "events",
                    "down when a transaction takes too long or a consumer cannot handle large ones, and in "
                            + "fixed mode to two thirds of what the stripes hold; raise it only rarely."),
            line(
                    "batch.max.bytes",
                    "bytes",
                    "when events are large: down to save heap, up when batches end by `bytes` and the broker "
                            + "is slow."),
            line("batch.linger.ms", "milliseconds", "in fixed mode only: every event has this latency."),
            line(
                    "batch.max.filtered.bytes",
                    "bytes",
                    "up, with the worker's heap, when a transform filters nearly all events for long."),
            line(
                    "batch.offset.delay.ms",
                    "milliseconds",
                    "to 0 to switch it off. A number above 0 needs no trials. It must be more than the producer's "
                            + "`linger.ms`, because the records leave with the offsets otherwise."),
            line(
                    "bulk.enabled",
                    "a boolean",
                    "when the cost per record dominates and the consumers of the topic can unpack: many "
                            + "events of some hundred bytes."),
            line(
                    "bulk.max.bytes",
                    "bytes",
                    "down when a consumer cannot handle large records, up with `max.request.size`, "
                            + "`buffer.memory` and the topic's `max.message.bytes`."),
            line(
                    "bulk.inner.key.converter",
                    "a class name",
                    "to keep the keys of the packed events; required with a hosted connector and with an outbox, "
                            + "unless `deadletter.topic` is set."),
            line(
                    "bulk.inner.value.converter",
                    "a class name",
                    "to the format of the packed events; required with a hosted connector and with an outbox, "
                            + "unless `deadletter.topic` is set."),
            line(
                    "pressure.smoothing.ms",
                    "milliseconds",
                    "down when bursts are shorter than half a second and must be noticed, up when the level "
                            + "changes too often."),
            line(
                    "pressure.window.ms",
                    "milliseconds",
                    "down to learn sooner in a test, up for a smaller calibration file."),
            line(
                    "pressure.margin.ratio",
                    "a part, 0 to 1",
                    "down when the p99 sometimes breaks the budget, up when it never comes near the budget."),
            line(
                    "stripe.count",
                    "threads",
                    "for the synthetic upstream only: a task of any other has one reader. To scale, add tasks and "
                            + "not stripes."),
            line(
                    "stripe.max.events",
                    "events",
                    "down to bound the heap of small events; raise it only rarely, because [larger stripes "
                            + "were slower](optimization-log.md). If `buffer-full` ends many batches in fixed mode, "
                            + "lower `batch.max.records`."),
            line(
                    "stripe.max.bytes",
                    "bytes",
                    "down on a small heap, up when single events are larger than a tenth of this value."),
            line("deadletter.topic", "a topic", "when one bad event must not stop the task."),
            line(
                    "deadletter.mode",
                    "`convert` or `try`",
                    "to `try` for a transform that reads keys or values, as Debezium's "
                            + "`ExtractNewRecordState` does ([delivery](delivery.md#two-modes))."),
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
            line("deadletter.header.converter", "a class name", "when headers must not be strings."),
            line(
                    "calibration.enabled",
                    "true or false",
                    "to `false` only if N and T must not be learned. If the disk cannot be written, no "
                            + "change is needed: leave `calibration.directory` out."),
            line(
                    "calibration.directory",
                    "a path",
                    "to a volume that outlives the worker, if its host name does too (the pods of a "
                            + "StatefulSet): calibration belongs to the host name. Never a network file "
                            + "system."));

    private static Map.Entry<String, ConfigAdvice> line(String key, String unit, String when) {
        return Map.entry(key, new ConfigAdvice(unit, when));
    }
}
