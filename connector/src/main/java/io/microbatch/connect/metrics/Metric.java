package io.microbatch.connect.metrics;

/**
 * Every metric with its name, unit, tag and meaning, in the order of the reference page. The stage that adds a metric
 * to a {@link MetricSink} provides its value.
 */
public enum Metric implements MetricName {
    PRESSURE_LEVEL("pressure-level", "level", "The pressure level in force, 1 to 10."),
    ARRIVAL_RATE("arrival-rate", "events/s", "The smoothed rate at which events enter the stripes."),
    BATCH_TARGET_EVENTS(
            "batch-target-events",
            "events",
            "Maximum records (N): the number of events at which a batch is returned immediately."),
    LINGER_MS(
            "linger-ms",
            "ms",
            "Linger (T): how long an event waits for others at most. The distance between two transactions and the "
                    + "delay of the offsets come on top."),
    BUDGET_MS("budget-ms", "ms", "The latency budget in force."),
    BUDGET_ATTAINABLE(
            "budget-attainable",
            "0 or 1",
            "1 if the budget can be kept, otherwise 0. It is 0 if the usual acknowledgement takes the usable part of "
                    + "the budget. The usual one is the median under exactly-once and the p99 otherwise. Under "
                    + "exactly-once it is also 0 if the learner found that every N and T breaks the budget. Always 1 "
                    + "in fixed mode, which keeps no budget."),
    LATENCY_TARGET_MS("latency-target-ms", "ms", "The setting latency.target.ms. Not a number if it is not set."),
    ACK_LATENCY_P50_MS(
            "ack-latency-p50-ms",
            "ms",
            "The median time from arrival to acknowledgement over the last second with acknowledgements."),
    ACK_LATENCY_P99_MS(
            "ack-latency-p99-ms",
            "ms",
            "The 99th percentile of the time from arrival to acknowledgement over the last second with "
                    + "acknowledgements."),
    ACK_LATENCY_MAX_MS(
            "ack-latency-max-ms",
            "ms",
            "The longest time from arrival to acknowledgement over the last second with acknowledgements."),
    ACK_LATENCY_MINUTE_P50_MS(
            "ack-latency-minute-p50-ms",
            "ms",
            "The median time from arrival to acknowledgement over the last minute. Not a number without "
                    + "acknowledgements in this minute."),
    ACK_LATENCY_MINUTE_P99_MS(
            "ack-latency-minute-p99-ms",
            "ms",
            "The 99th percentile of the time from arrival to acknowledgement over the last minute. Not a number "
                    + "without acknowledgements in this minute."),
    ACK_LATENCY_MINUTE_MAX_MS(
            "ack-latency-minute-max-ms",
            "ms",
            "The longest time from arrival to acknowledgement over the last minute. Not a number without "
                    + "acknowledgements in this minute."),
    BATCH_TOTAL("batch-total", "batches", "Batches returned to Connect."),
    EVENT_TOTAL("event-total", "events", "Events returned to Connect."),
    ACKNOWLEDGED_TOTAL(
            "acknowledged-total",
            "events",
            "Events that Kafka has, as far as Connect has acknowledged them. Under exactly-once their transaction is "
                    + "committed. With transaction.boundary=connector Connect also acknowledges records of a "
                    + "transaction that the connector has aborted. Counted every second."),
    BATCH_EVENTS_AVG(
            "batch-events-avg", "events", "The average number of events of a batch over the last second with batches."),
    BATCH_BYTES_AVG(
            "batch-bytes-avg",
            "bytes",
            "The average estimated bytes of a batch before conversion over the last second with batches."),
    COMMIT_TIME_MS(
            "commit-time-ms",
            "ms",
            "For the latest batch of which Kafka got a record: the time from its return to its last acknowledgement. "
                    + "It includes converting, sending and, under exactly-once, the delay of the offsets and the "
                    + "commit. Of several batches that were acknowledged between two polls, it is the longest time."),
    COMMIT_TIME_MINUTE_P50_MS(
            "commit-time-minute-p50-ms",
            "ms",
            "The median of commit-time-ms over the batches of the last minute. Not a number without "
                    + "acknowledgements in this minute."),
    COMMIT_TIME_MINUTE_P99_MS(
            "commit-time-minute-p99-ms",
            "ms",
            "The 99th percentile of commit-time-ms over the batches of the last minute. Not a number without "
                    + "acknowledgements in this minute."),
    OFFSET_DELAY_MS(
            "offset-delay-ms",
            "ms",
            "How much later than its records the source offsets of a batch that is not full are sent, apart from "
                    + "trials of other delays. 0 in at-least-once mode."),
    BUSY_RATIO(
            "busy-ratio",
            "0 to 1",
            "The part of the last second that the task thread spent in Connect with a batch, without the delay of the "
                    + "offsets. Near 1 the task is saturated. It is also high where a commit takes longer than "
                    + "linger-ms and events arrive during each commit."),
    CAPACITY(
            "capacity",
            "events/s",
            "Service rate: events per busy second of the task thread over the last observation window."),
    SKIPPED_TOTAL(
            "skipped-total",
            "events",
            "Events that Connect finished without sending them to Kafka: filtered by a transform, failed and "
                    + "tolerated, or not yet sent when a hosted connector aborted its transaction."),
    DEAD_LETTER_TOTAL(
            "dead-letter-total",
            "events",
            "Events that were sent to the dead letter topic instead of their own topic."),
    FILTERED_KEPT_BYTES(
            "filtered-kept-bytes",
            "bytes",
            "Estimated size of the filtered events that an exactly-once worker keeps until a transaction "
                    + "has content."),
    BUFFER_EVENTS("buffer-events", "events", "Events in all stripes."),
    BUFFER_BYTES("buffer-bytes", "bytes", "Estimated size of the events in all stripes."),
    LEDGER_DEPTH("ledger-depth", "events", "Events that were read and that Connect has not finished."),
    UPSTREAM_LAG_MS(
            "upstream-lag-ms",
            "ms",
            "The age of the last event with a time when it was read from the upstream: the time since the change "
                    + "event's source.ts_ms, otherwise since the record's timestamp. 0 only where the upstream says "
                    + "that it has nothing to read, which a hosted connector cannot. Not a number if events carry no "
                    + "time, and after a minute of upstream-silent-ms."),
    UPSTREAM_SILENT_MS(
            "upstream-silent-ms",
            "ms",
            "The time since the reader has heard its upstream: an event, a heartbeat of Debezium, an answer of the "
                    + "outbox's database. It does not grow while buffers are full or a hosted task is not polled, "
                    + "because nobody listens then. Of several readers the longest time."),
    UPSTREAM_HEARTBEAT_MS(
            "upstream-heartbeat-ms",
            "ms",
            "The interval at which the upstream is heard even without events: a hosted Debezium's "
                    + "heartbeat.interval.ms; for an outbox one second, or its poll interval if that is longer and no "
                    + "notify channel is set. Not a number where the upstream may be silent for any time, during a "
                    + "snapshot, and where no changes follow it."),
    UPSTREAM_CONNECTED(
            "upstream-connected",
            "0 or 1",
            "1 while the upstream is connected to its system, otherwise 0: a hosted Debezium as its own MBeans say, "
                    + "an outbox's connection to its database. 0 until the start of a hosted task has returned, while "
                    + "the task asks for retries, and while a Debezium waits between two of them. Not a number where "
                    + "the upstream cannot tell, and when a hosted Debezium has done its snapshot and reads no "
                    + "changes (snapshot.mode=initial_only). It does not show that the other side answers: "
                    + "upstream-silent-ms does."),
    CALIBRATION_AGE_S(
            "calibration-age-s",
            "s",
            "The time since an observed window last confirmed or replaced a setting of N and T, in this "
                    + "run or in an earlier one. Not a number before that, and in fixed mode."),
    EXPLORATION_TOTAL(
            "exploration-total",
            "trials",
            "Begun trials: windows under a setting that was not the best known one. One that the task left early "
                    + "counts too."),
    REGRESSION_TOTAL(
            "regression-total",
            "times",
            "How often a level fell more than 10 % below its expected service rate in two windows in a row."),
    CONNECTOR_TASKS("connector-tasks", "tasks", "The number of tasks that the connector has asked for."),
    FLUSH_TOTAL(
            "flush-total",
            "batches",
            "reason",
            "Batches by the reason why they ended: events (N reached), bytes (B reached), age (T reached), "
                    + "quiet (no more events arrived, or none could before T), deadline (the upstream asked for it), "
                    + "buffer-full (a stripe was full, or a hosted task is polled in step with Connect), closing (a "
                    + "reader has ended)."),
    STRIPE_EVENTS("stripe-events", "events", "stripe", "Events in the stripe."),
    STRIPE_BYTES("stripe-bytes", "bytes", "stripe", "Estimated size of the events in the stripe."),
    STRIPE_REMAINING_EVENTS(
            "stripe-remaining-events",
            "events",
            "stripe",
            "How many more events the stripe can hold at present. The task may limit a stripe to two batches. A "
                    + "stripe that has not grown yet may be full earlier."),
    STRIPE_REMAINING_BYTES(
            "stripe-remaining-bytes",
            "bytes",
            "stripe",
            "How many more bytes the stripe can hold. 0 while the stripe holds one event that is larger "
                    + "than its limit."),
    STRIPE_FULL_TOTAL("stripe-full-total", "times", "stripe", "How often the reader found the stripe full."),
    READER_BLOCKED_MS_TOTAL(
            "reader-blocked-ms-total",
            "ms",
            "stripe",
            "How long the stripe's reader has waited for room because the worker was slower than the " + "upstream.");

    private final String label;
    private final String unit;
    private final String tag;
    private final String description;

    Metric(String label, String unit, String description) {
        this(label, unit, "", description);
    }

    Metric(String label, String unit, String tag, String description) {
        this.label = label;
        this.unit = unit;
        this.tag = tag;
        this.description = description;
    }

    @Override
    public String label() {
        return label;
    }

    @Override
    public String unit() {
        return unit;
    }

    /** The tag, {@code stripe} or {@code reason}, with one metric per value. Empty for one metric per task. */
    @Override
    public String tag() {
        return tag;
    }

    @Override
    public String description() {
        return description;
    }
}
