package io.microbatch.connect.metrics;

import java.util.function.ToDoubleFunction;

/** The metrics of a task. Names ending in {@code -total} only grow. Read from any thread. */
public enum TaskMetric {
    /** The pressure level's number. */
    PRESSURE_LEVEL(
            "pressure-level",
            "The pressure level, 1 to 10.",
            view -> view.decision().level().number()),
    /** The smoothed arrival rate. */
    ARRIVAL_RATE("arrival-rate", "Events per second entering the stripes, smoothed.", TaskView::arrivalsPerSec),
    /** N. */
    BATCH_TARGET_EVENTS(
            "batch-target-events",
            "N: the number of events that ends a batch at once.",
            view -> view.decision().batchTargetEvents()),
    /** T. */
    LINGER_MS(
            "linger-ms",
            "T: the longest deliberate delay of an event in a batch, in milliseconds.",
            view -> view.decision().lingerMs()),
    /** The budget. */
    BUDGET_MS(
            "budget-ms",
            "The latency budget in force, in milliseconds.",
            view -> view.decision().budgetMs()),
    /** Whether the budget can be kept. */
    BUDGET_ATTAINABLE(
            "budget-attainable",
            "1 if an acknowledgement fits into the latency budget, 0 if it takes longer by itself.",
            view -> view.decision().attainable() ? 1 : 0),
    /** The median latency. */
    ACK_LATENCY_P50_MS(
            "ack-latency-p50-ms",
            "Median of arrival to acknowledgement over the last second with acknowledgements, in milliseconds.",
            TaskView::ackP50Ms),
    /** The tail latency. */
    ACK_LATENCY_P99_MS(
            "ack-latency-p99-ms",
            "99th percentile of arrival to acknowledgement over the last second with acknowledgements, in milliseconds.",
            TaskView::ackP99Ms),
    /** Batches. */
    BATCH_TOTAL("batch-total", "Batches returned to Connect.", TaskView::batchTotal),
    /** Events. */
    EVENT_TOTAL("event-total", "Events returned to Connect.", TaskView::eventTotal),
    /** Skipped events. */
    SKIPPED_TOTAL(
            "skipped-total",
            "Events that Connect was done with without Kafka having them: filtered, or failed and tolerated.",
            TaskView::skippedTotal),
    /** Dead letters. */
    DEAD_LETTER_TOTAL(
            "dead-letter-total",
            "Events that went to the dead letter topic instead of their own.",
            TaskView::deadLetterTotal),
    /** Filtered events that nothing frees. */
    FILTERED_KEPT_BYTES(
            "filtered-kept-bytes",
            "Estimated bytes of filtered events that an exactly-once worker keeps until a transaction has content.",
            TaskView::filteredKeptBytes),
    /** Capacity. */
    CAPACITY(
            "capacity",
            "Events per busy second of the task thread over the last observation window.",
            TaskView::capacityPerSec),
    /** Trials. */
    EXPLORATION_TOTAL(
            "exploration-total",
            "Settings of N and T that were tried out for a window each.",
            TaskView::explorationTotal),
    /** Regressions. */
    REGRESSION_TOTAL(
            "regression-total",
            "How often a level fell more than 10 % under its expected throughput in two windows.",
            TaskView::regressionTotal),
    /** Buffered events. */
    BUFFER_EVENTS("buffer-events", "Events in the stripes.", TaskView::bufferEvents),
    /** Buffered bytes. */
    BUFFER_BYTES("buffer-bytes", "Estimated bytes in the stripes.", TaskView::bufferBytes),
    /** Outstanding events. */
    LEDGER_DEPTH("ledger-depth", "Events read that Connect is not done with.", TaskView::ledgerDepth);

    private final String metricName;
    private final String description;
    private final ToDoubleFunction<TaskView> value;

    TaskMetric(String metricName, String description, ToDoubleFunction<TaskView> value) {
        this.metricName = metricName;
        this.description = description;
        this.value = value;
    }

    /** The name, with its unit. */
    public String metricName() {
        return metricName;
    }

    /** What it says. */
    public String description() {
        return description;
    }

    double of(TaskView view) {
        return value.applyAsDouble(view);
    }
}
