package io.microbatch.connect.transforms;

import java.util.function.ToDoubleFunction;

/**
 * The metrics of {@link ObservePressure}. Names ending in {@code -total} only grow; not a number means nothing seen.
 */
enum WatchMetric {
    RECORD_TOTAL("record-total", "Records that have passed.", PressureWatch::recordTotal),
    RECORD_RATE("record-rate", "Records per second, smoothed.", PressureWatch::recordsPerSec),
    RECORD_SIZE_AVG_BYTES(
            "record-size-avg-bytes",
            "Average estimated size on the heap of the records of the last minute, in bytes, as batch.max.bytes "
                    + "counts.",
            PressureWatch::sizeAverageBytes),
    RECORD_SIZE_MAX_BYTES(
            "record-size-max-bytes",
            "The largest of the records that were looked at in the last minute, in estimated bytes.",
            PressureWatch::sizeMaxBytes),
    EVENT_LAG_AVG_MS(
            "event-lag-avg-ms",
            "Average age of the events of the last minute when they passed, in milliseconds.",
            PressureWatch::lagAverageMs),
    EVENT_LAG_MAX_MS(
            "event-lag-max-ms",
            "The greatest age of the events that were looked at in the last minute, in milliseconds.",
            PressureWatch::lagMaxMs),
    PRESSURE_LEVEL("pressure-level", "The pressure level of the rate, 1 to 10.", PressureWatch::levelNumber),
    BUDGET_MS("budget-ms", "The latency budget of that level, in milliseconds.", PressureWatch::budgetMs),
    BATCH_TARGET_EVENTS(
            "batch-target-events",
            "N that the adaptive connector would begin with: the number of events that ends a batch at once.",
            PressureWatch::batchTargetEvents),
    LINGER_MS(
            "linger-ms",
            "T that the adaptive connector would begin with: the longest deliberate delay of an event, in "
                    + "milliseconds.",
            PressureWatch::lingerMs);

    private final String metricName;
    private final String description;
    private final ToDoubleFunction<PressureWatch> value;

    WatchMetric(String metricName, String description, ToDoubleFunction<PressureWatch> value) {
        this.metricName = metricName;
        this.description = description;
        this.value = value;
    }

    String metricName() {
        return metricName;
    }

    String description() {
        return description;
    }

    double of(PressureWatch watch) {
        return value.applyAsDouble(watch);
    }
}
