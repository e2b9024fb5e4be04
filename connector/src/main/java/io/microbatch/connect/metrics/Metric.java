package io.microbatch.connect.metrics;

/**
 * Every metric: its name, unit, tag and meaning, in the order of the reference page. The stage that adds a metric to a
 * {@link MetricSink} says where its value comes from.
 */
public enum Metric {
    /** The pressure level's number. */
    PRESSURE_LEVEL("pressure-level", "level", "The pressure level in force, 1 to 10."),
    /** The smoothed arrival rate. */
    ARRIVAL_RATE("arrival-rate", "events/s", "Events entering the stripes, smoothed."),
    /** N. */
    BATCH_TARGET_EVENTS("batch-target-events", "events", "N: the number of events that ends a batch at once."),
    /** T. */
    LINGER_MS("linger-ms", "ms", "T: the longest deliberate delay of an event in a batch."),
    /** The budget. */
    BUDGET_MS("budget-ms", "ms", "The latency budget in force."),
    /** Whether the budget can be kept. */
    BUDGET_ATTAINABLE(
            "budget-attainable",
            "0 or 1",
            "1 if pressure.margin.ratio of the budget leaves room for a usual acknowledgement (the median"
                    + " under exactly-once, the p99 otherwise) and, under exactly-once, some N and T may still keep"
                    + " it by what was learned; 0 otherwise. Always 1 in fixed mode, where nobody keeps a budget."),
    /** The median latency. */
    ACK_LATENCY_P50_MS(
            "ack-latency-p50-ms",
            "ms",
            "Median of arrival to acknowledgement over the last second with acknowledgements."),
    /** The tail latency. */
    ACK_LATENCY_P99_MS(
            "ack-latency-p99-ms",
            "ms",
            "99th percentile of arrival to acknowledgement over the last second with acknowledgements."),
    /** The longest latency. */
    ACK_LATENCY_MAX_MS(
            "ack-latency-max-ms",
            "ms",
            "The longest arrival to acknowledgement of the last second with acknowledgements."),
    /** Batches. */
    BATCH_TOTAL("batch-total", "batches", "Batches returned to Connect."),
    /** Events. */
    EVENT_TOTAL("event-total", "events", "Events returned to Connect."),
    /** The size of a batch in events. */
    BATCH_EVENTS_AVG(
            "batch-events-avg", "events", "Events of a batch, on the average over the last second with batches."),
    /** The size of a batch in bytes. */
    BATCH_BYTES_AVG(
            "batch-bytes-avg",
            "bytes",
            "Estimated bytes of a batch before conversion, on the average over the last second with batches."),
    /** What the worker needs for a batch. */
    COMMIT_TIME_MS(
            "commit-time-ms",
            "ms",
            "From a batch's return to its last acknowledgement, the last one seen: converting, sending"
                    + " and, under exactly-once, committing the transaction."),
    /** How busy the task's thread is. */
    BUSY_RATIO(
            "busy-ratio",
            "0 to 1",
            "The part of the last second that the task's thread spent in Connect with a batch. Near 1 it"
                    + " is saturated."),
    /** Capacity. */
    CAPACITY(
            "capacity",
            "events/s",
            "Events per busy second of the task's thread over the last observation window: what it could carry."),
    /** Skipped events. */
    SKIPPED_TOTAL(
            "skipped-total",
            "events",
            "Events that Connect was done with without Kafka having them: filtered, or failed and tolerated."),
    /** Dead letters. */
    DEAD_LETTER_TOTAL("dead-letter-total", "events", "Events that went to the dead letter topic instead of their own."),
    /** Filtered events that nothing frees. */
    FILTERED_KEPT_BYTES(
            "filtered-kept-bytes",
            "bytes",
            "Estimated size of filtered events that an exactly-once worker keeps until a transaction has content."),
    /** Buffered events. */
    BUFFER_EVENTS("buffer-events", "events", "Events in all stripes."),
    /** Buffered bytes. */
    BUFFER_BYTES("buffer-bytes", "bytes", "Estimated size of the events in all stripes."),
    /** Outstanding events. */
    LEDGER_DEPTH("ledger-depth", "events", "Events read that Connect is not done with."),
    /** How far reading is behind. */
    UPSTREAM_LAG_MS(
            "upstream-lag-ms",
            "ms",
            "How old, at the upstream, the last event was when it was read: by the change event's"
                    + " source.ts_ms, or the record's timestamp. 0 while nothing is to be read, not a number where"
                    + " no event says its age."),
    /** How old what was learned is. */
    CALIBRATION_AGE_S(
            "calibration-age-s",
            "s",
            "Since a setting of N and T was last confirmed or replaced by an observed window, in this run"
                    + " or, out of the calibration file, in an earlier one. Not a number before the first, and in"
                    + " fixed mode."),
    /** Trials. */
    EXPLORATION_TOTAL("exploration-total", "settings", "Settings of N and T that were tried out for a window each."),
    /** Regressions. */
    REGRESSION_TOTAL(
            "regression-total",
            "times",
            "How often a level fell more than 10 % under its expected throughput in two windows."),
    /** Batches by reason. */
    FLUSH_TOTAL(
            "flush-total",
            "batches",
            "reason",
            "Batches by why they ended: events (N was there), bytes (B was there), age (T was over),"
                    + " quiet (nothing arrived any more), buffer-full (a stripe was full, or a hosted task is"
                    + " polled in step with Connect), closing (a reader has ended)."),
    /** Buffered events. */
    STRIPE_EVENTS("stripe-events", "events", "stripe", "Events in the stripe."),
    /** Buffered bytes. */
    STRIPE_BYTES("stripe-bytes", "bytes", "stripe", "Estimated size of the events in the stripe."),
    /** Room for events. */
    STRIPE_REMAINING_EVENTS(
            "stripe-remaining-events",
            "events",
            "stripe",
            "How many more events the stripe can hold. The task may let it have fewer, two batches at most."),
    /** Room for bytes. */
    STRIPE_REMAINING_BYTES(
            "stripe-remaining-bytes",
            "bytes",
            "stripe",
            "How many more bytes the stripe can hold; 0 while one event larger than the stripe is in it."),
    /** Refusals. */
    STRIPE_FULL_TOTAL("stripe-full-total", "times", "stripe", "How often the reader found the stripe full."),
    /** Time without room. */
    READER_BLOCKED_MS_TOTAL(
            "reader-blocked-ms-total",
            "ms",
            "stripe",
            "How long the stripe's reader has waited for room: what the worker is too slow for.");

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

    /** The attribute's name; one that ends in {@code -total} only counts up while the task runs. */
    public String label() {
        return label;
    }

    /** What is counted or measured. */
    public String unit() {
        return unit;
    }

    /** The tag, {@code stripe} or {@code reason}, with one metric for each of its values; empty for one per task. */
    public String tag() {
        return tag;
    }

    /** One or two sentences. */
    public String description() {
        return description;
    }
}
