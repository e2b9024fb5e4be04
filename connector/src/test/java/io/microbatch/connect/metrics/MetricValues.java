package io.microbatch.connect.metrics;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.DoubleSupplier;

/** Collects metrics for a test. */
public final class MetricValues implements MetricSink {

    private final Map<MetricName, Map<String, DoubleSupplier>> values = new HashMap<>();

    /** Creates an empty collection. */
    public MetricValues() {}

    @Override
    public void add(MetricName metric, String tagValue, DoubleSupplier value) {
        DoubleSupplier before =
                values.computeIfAbsent(metric, added -> new TreeMap<>()).put(tagValue, value);
        if (before != null) {
            throw new AssertionError(metric + " was added before for '" + tagValue + "'");
        }
    }

    /** The present value of a metric without a tag. */
    public double of(MetricName metric) {
        return of(metric, "");
    }

    /** The present value. */
    public double of(MetricName metric, String tagValue) {
        return values.get(metric).get(tagValue).getAsDouble();
    }

    /** The metrics that were added. */
    public Set<MetricName> metrics() {
        return values.keySet();
    }

    /** The values of a metric's tag. */
    public Set<String> tagValues(MetricName metric) {
        return values.get(metric).keySet();
    }

    /** Adds every metric once with this value. A metric with a tag gets the tag value "1". */
    static void addEach(MetricSink sink, double value) {
        for (Metric metric : Metric.values()) {
            sink.add(metric, metric.tag().isEmpty() ? "" : "1", () -> value);
        }
    }
}
