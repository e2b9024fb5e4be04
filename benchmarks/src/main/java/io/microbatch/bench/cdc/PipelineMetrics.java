package io.microbatch.bench.cdc;

import io.microbatch.testbed.JmxReader;
import java.util.OptionalDouble;

/** Reads the connector's own metrics on the worker, and the broker's count of transactions. Used by one thread. */
final class PipelineMetrics {

    private static final String END_OF_TRANSACTION =
            "kafka.network:type=RequestMetrics,name=RequestsPerSec,request=EndTxn,*";

    private final JmxReader worker;
    private final JmxReader broker;
    private final String task;

    PipelineMetrics(JmxReader worker, JmxReader broker, String connector) {
        this.worker = worker;
        this.broker = broker;
        this.task = "kafka.connect:type=plugins,connector=" + JmxReader.tag(connector) + ",task=0,*";
    }

    MetricsSample sample() {
        return new MetricsSample(
                ofTask("pressure-level"),
                ofTask("batch-target-events"),
                ofTask("linger-ms"),
                ofTask("batch-total"),
                ofTask("event-total"),
                transactions());
    }

    private OptionalDouble ofTask(String attribute) {
        OptionalDouble value = worker.number(task, attribute);
        return value.isPresent() && Double.isFinite(value.getAsDouble()) ? value : OptionalDouble.empty();
    }

    // One MBean per version of the request; which of them counts depends on the worker's client.
    private OptionalDouble transactions() {
        var counts = broker.attributes(END_OF_TRANSACTION, "Count").values();
        return OptionalDouble.of(counts.stream()
                .mapToDouble(count -> ((Number) count).doubleValue())
                .sum());
    }
}
