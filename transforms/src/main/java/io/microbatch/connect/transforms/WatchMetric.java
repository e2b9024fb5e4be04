package io.microbatch.connect.transforms;

import java.util.function.ToDoubleFunction;

/** The metrics of {@link ObservePressure}. Totals only increase. NaN means that there was no value. */
enum WatchMetric {
    RECORD_TOTAL("record-total", "Records that have passed.", PressureWatch::recordTotal),
    RECORD_RATE("record-rate", "Records per second, smoothed.", PressureWatch::recordsPerSec),
    RECORD_SIZE_AVG_BYTES(
            "record-size-avg-bytes",
            "Average estimated size of the records of the last minute, in bytes on the heap, as for "
                    + "batch.max.bytes.",
            PressureWatch::sizeAverageBytes),
    RECORD_SIZE_MAX_BYTES(
            "record-size-max-bytes",
            "Maximum estimated size of the records that were inspected in the last minute, in bytes.",
            PressureWatch::sizeMaxBytes),
    EVENT_LAG_AVG_MS(
            "event-lag-avg-ms",
            "Average age of the events when they passed, over the last minute, in milliseconds.",
            PressureWatch::lagAverageMs),
    EVENT_LAG_MAX_MS(
            "event-lag-max-ms",
            "Maximum age of the events that were inspected in the last minute, in milliseconds.",
            PressureWatch::lagMaxMs),
    PRESSURE_LEVEL("pressure-level", "The pressure level of the rate, 1 to 10.", PressureWatch::levelNumber),
    BUDGET_MS("budget-ms", "The latency budget of that level, in milliseconds.", PressureWatch::budgetMs),
    BATCH_TARGET_EVENTS(
            "batch-target-events",
            "Maximum records (N) with which the adaptive connector would start: the number of events at which a batch "
                    + "is returned immediately.",
            PressureWatch::batchTargetEvents),
    LINGER_MS(
            "linger-ms",
            "Linger (T) with which the adaptive connector would start: the longest deliberate delay of an event, in "
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
