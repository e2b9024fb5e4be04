package io.microbatch.connect.metrics;

/** A metric's name, unit, tag and meaning. Constant; any thread. */
public interface MetricName {

    /** The attribute's name. A metric whose name ends in {@code -total} only increases while the task runs. */
    String label();

    /** The unit of the values. */
    String unit();

    /** The name of the tag, with one metric per value. Empty for one metric per task. */
    String tag();

    /** The meaning, in sentences. */
    String description();
}
