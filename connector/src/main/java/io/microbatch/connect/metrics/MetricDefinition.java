package io.microbatch.connect.metrics;

/**
 * What a metric is called and what it means. Immutable; any thread.
 *
 * @param name the attribute's name; one that ends in {@code -total} only counts up while the task runs
 * @param unit what is counted or measured
 * @param tag the tag of which each value has a metric of its own, {@code stripe} or {@code reason}; empty for one per task
 * @param description one or two sentences
 */
public record MetricDefinition(String name, String unit, String tag, String description) {

    static MetricDefinition ofTask(String name, String unit, String description) {
        return new MetricDefinition(name, unit, "", description);
    }
}
