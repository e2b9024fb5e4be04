package io.microbatch.connect.metrics;

import java.util.Map;
import java.util.function.DoubleSupplier;

/** Where metrics are shown. Task thread. */
interface MetricSink extends AutoCloseable {

    /**
     * Shows one metric from now on.
     *
     * @param tags the value of its tag, if it has one
     * @param value asked from any thread
     */
    void add(MetricDefinition definition, Map<String, String> tags, DoubleSupplier value);

    /** Shows none of them any more. */
    @Override
    void close();
}
