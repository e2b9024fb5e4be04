package io.microbatch.bench.cdc;

import io.microbatch.testbed.JmxReader;

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

    /**
     * The metrics at one moment. What is not reported is not a number.
     *
     * @param level the pressure level, 1 to 10
     * @param batchTarget maximum records (N), the events that complete a batch
     * @param lingerMs linger (T), the longest deliberate delay of an event
     * @param batches batches handed to the worker so far
     * @param events events handed to the worker so far
     * @param transactions transactions that the broker was asked to end so far
     */
    record Snapshot(
            double level, double batchTarget, double lingerMs, double batches, double events, double transactions) {

        /** Of two samples of a phase the one with the higher level, the later when equal. */
        static Snapshot morePressed(Snapshot earlier, Snapshot later) {
            boolean silent = Double.isNaN(later.level) && earlier.level > 0;
            return silent || earlier.level > later.level ? earlier : later;
        }

        /** Events per batch since an earlier sample. Not a number when either does not know or no batch was made. */
        double batchEventsSince(Snapshot earlier) {
            return batches > earlier.batches ? (events - earlier.events) / (batches - earlier.batches) : Double.NaN;
        }
    }

    Snapshot sample() {
        return new Snapshot(
                ofTask("pressure-level"),
                ofTask("batch-target-events"),
                ofTask("linger-ms"),
                ofTask("batch-total"),
                ofTask("event-total"),
                transactions());
    }

    private double ofTask(String attribute) {
        double value = worker.number(task, attribute).orElse(Double.NaN);
        return Double.isFinite(value) ? value : Double.NaN;
    }

    // One MBean per version of the request; which of them counts depends on the worker's client.
    private double transactions() {
        return broker.attributes(END_OF_TRANSACTION, "Count").values().stream()
                .mapToDouble(count -> ((Number) count).doubleValue())
                .sum();
    }
}
