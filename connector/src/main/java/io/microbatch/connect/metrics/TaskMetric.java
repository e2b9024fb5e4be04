package io.microbatch.connect.metrics;

import java.util.function.ToDoubleFunction;

/** The metrics of which a task has one each. Read from any thread. */
public enum TaskMetric {
    /** The pressure level's number. */
    PRESSURE_LEVEL(
            "pressure-level",
            "level",
            "The pressure level in force, 1 to 10.",
            view -> view.decision().level().number()),
    /** The smoothed arrival rate. */
    ARRIVAL_RATE("arrival-rate", "events/s", "Events entering the stripes, smoothed.", TaskView::arrivalsPerSec),
    /** N. */
    BATCH_TARGET_EVENTS(
            "batch-target-events",
            "events",
            "N: the number of events that ends a batch at once.",
            view -> view.decision().setting().maxEvents()),
    /** T. */
    LINGER_MS(
            "linger-ms",
            "ms",
            "T: the longest deliberate delay of an event in a batch.",
            view -> view.decision().setting().lingerMs()),
    /** The budget. */
    BUDGET_MS(
            "budget-ms",
            "ms",
            "The latency budget in force.",
            view -> view.decision().budgetMs()),
    /** Whether the budget can be kept. */
    BUDGET_ATTAINABLE(
            "budget-attainable",
            "0 or 1",
            "1 if pressure.margin.ratio of the budget leaves room for a usual acknowledgement (the median under"
                    + " exactly-once, the p99 otherwise) and, under exactly-once, some N and T may still keep it by what"
                    + " was learned; 0 otherwise. Always 1 in fixed mode, where nobody keeps a budget.",
            view -> view.decision().attainable() ? 1 : 0),
    /** The median latency. */
    ACK_LATENCY_P50_MS(
            "ack-latency-p50-ms",
            "ms",
            "Median of arrival to acknowledgement over the last second with acknowledgements.",
            TaskView::ackP50Ms),
    /** The tail latency. */
    ACK_LATENCY_P99_MS(
            "ack-latency-p99-ms",
            "ms",
            "99th percentile of arrival to acknowledgement over the last second with acknowledgements.",
            TaskView::ackP99Ms),
    /** The longest latency. */
    ACK_LATENCY_MAX_MS(
            "ack-latency-max-ms",
            "ms",
            "The longest arrival to acknowledgement of the last second with acknowledgements.",
            TaskView::ackMaxMs),
    /** Batches. */
    BATCH_TOTAL("batch-total", "batches", "Batches returned to Connect.", TaskView::batchTotal),
    /** Events. */
    EVENT_TOTAL("event-total", "events", "Events returned to Connect.", TaskView::eventTotal),
    /** The size of a batch in events. */
    BATCH_EVENTS_AVG(
            "batch-events-avg",
            "events",
            "Events of a batch, on the average over the last second with batches.",
            TaskView::batchEventsAvg),
    /** The size of a batch in bytes. */
    BATCH_BYTES_AVG(
            "batch-bytes-avg",
            "bytes",
            "Estimated bytes of a batch before conversion, on the average over the last second with batches.",
            TaskView::batchBytesAvg),
    /** What the worker needs for a batch. */
    COMMIT_TIME_MS(
            "commit-time-ms",
            "ms",
            "From a batch's return to its last acknowledgement, the last one seen: converting, sending and, under"
                    + " exactly-once, committing the transaction.",
            TaskView::commitTimeMs),
    /** How busy the task's thread is. */
    BUSY_RATIO(
            "busy-ratio",
            "0 to 1",
            "The part of the last second that the task's thread spent in Connect with a batch. Near 1 it is saturated.",
            TaskView::busyRatio),
    /** The service rate. */
    SERVICE_RATE(
            "capacity",
            "events/s",
            "Events per busy second of the task's thread over the last observation window: what it could carry.",
            TaskView::serviceRatePerSec),
    /** Skipped events. */
    SKIPPED_TOTAL(
            "skipped-total",
            "events",
            "Events that Connect was done with without Kafka having them: filtered, or failed and tolerated.",
            TaskView::skippedTotal),
    /** Dead letters. */
    DEAD_LETTER_TOTAL(
            "dead-letter-total",
            "events",
            "Events that went to the dead letter topic instead of their own.",
            TaskView::deadLetterTotal),
    /** Filtered events that nothing frees. */
    FILTERED_KEPT_BYTES(
            "filtered-kept-bytes",
            "bytes",
            "Estimated size of filtered events that an exactly-once worker keeps until a transaction has content.",
            TaskView::filteredKeptBytes),
    /** Buffered events. */
    BUFFER_EVENTS("buffer-events", "events", "Events in all stripes.", TaskView::bufferEvents),
    /** Buffered bytes. */
    BUFFER_BYTES("buffer-bytes", "bytes", "Estimated size of the events in all stripes.", TaskView::bufferBytes),
    /** Outstanding events. */
    LEDGER_DEPTH("ledger-depth", "events", "Events read that Connect is not done with.", TaskView::ledgerDepth),
    /** How far reading is behind. */
    UPSTREAM_LAG_MS(
            "upstream-lag-ms",
            "ms",
            "How old, at the upstream, the last event was when it was read: by the change event's source.ts_ms, or the"
                    + " record's timestamp. 0 while nothing is to be read, not a number where no event says its age.",
            TaskView::upstreamLagMs),
    /** How old what was learned is. */
    CALIBRATION_AGE_S(
            "calibration-age-s",
            "s",
            "Since a setting of N and T was last confirmed or replaced by an observed window, in this run or, out of"
                    + " the calibration file, in an earlier one. Not a number before the first, and in fixed mode.",
            TaskView::calibrationAgeSec),
    /** Trials. */
    EXPLORATION_TOTAL(
            "exploration-total",
            "settings",
            "Settings of N and T that were tried out for a window each.",
            TaskView::explorationTotal),
    /** Regressions. */
    REGRESSION_TOTAL(
            "regression-total",
            "times",
            "How often a level fell more than 10 % under its expected throughput in two windows.",
            TaskView::regressionTotal);

    private final MetricDefinition definition;
    private final ToDoubleFunction<TaskView> value;

    TaskMetric(String name, String unit, String description, ToDoubleFunction<TaskView> value) {
        this.definition = MetricDefinition.ofTask(name, unit, description);
        this.value = value;
    }

    /** Name, unit and meaning. */
    public MetricDefinition definition() {
        return definition;
    }

    double of(TaskView view) {
        return value.applyAsDouble(view);
    }
}
