package io.microbatch.connect.console;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How full a task's producer is. Immutable; any thread.
 *
 * @param batchFill the average batch as a part of {@code batch.size}
 * @param requestsPerSec how many requests it sends a second
 * @param requestsUnderWay how many requests are under way on average; Connect allows one
 * @param bufferWait the part of the time that the task waits for room in the producer's memory
 * @param requestMs the average time of a request
 * @param batchBytes the producer's {@code batch.size}, as far as the connector sets it
 * @param compressed whether the producer compresses
 * @param retryRate records a second that the producer sends again
 * @param lingerMs the producer's {@code linger.ms}, as far as the connector sets it
 * @param fullBatchesPerSec how many batches a second the events fill, whatever the linger
 * @param canBeSet whether the worker accepts settings of a connector's producer
 */
record ProducerLoad(
        double batchFill,
        double requestsPerSec,
        double requestsUnderWay,
        double bufferWait,
        double requestMs,
        double batchBytes,
        boolean compressed,
        double retryRate,
        double lingerMs,
        double fullBatchesPerSec,
        boolean canBeSet) {

    static final String BATCH_SIZE = "producer.override.batch.size";
    static final String LINGER = "producer.override.linger.ms";
    static final String COMPRESSION = "producer.override.compression.type";

    /** The beginning of what to say where a setting of the producer would help and the worker refuses it. */
    static final String REFUSED = "The worker's connector.client.config.override.policy refuses settings of a "
            + "connector's producer. In the properties of all workers it is ";

    /** The same of larger requests. */
    static final String LARGER_REFUSED = REFUSED + "producer.batch.size, and producer.compression.type.";

    private static final double BATCH_SIZE_DEFAULT = 16_384;
    /** Kafka's default from 4.0 on. */
    private static final double LINGER_DEFAULT_MS = 5;

    /**
     * Processor time of worker and broker for one produce request of one event: that of the requests that a linger
     * saved at 200 events a second in benchmarks/results/frontier.md.
     */
    private static final double REQUEST_CPU_MS = 1;

    private static final double LARGE_BATCH = 500_000;
    private static final String ADVISED_BATCH = "1000000";
    private static final double FULL = 0.5;
    private static final double BUSY = 0.8;
    private static final double WAITING = 0.1;
    private static final double UNCOMPRESSED = 0.99;

    static ProducerLoad of(TaskSnapshot task, ConnectorSettings settings) {
        double batchBytes = settings.number(BATCH_SIZE).orElse(BATCH_SIZE_DEFAULT);
        return new ProducerLoad(
                task.get(Figure.PRODUCER_BATCH_BYTES_AVG) / batchBytes,
                task.get(Figure.PRODUCER_REQUEST_RATE),
                task.get(Figure.PRODUCER_REQUEST_RATE) * task.get(Figure.PRODUCER_REQUEST_AVG_MS) / 1_000,
                task.get(Figure.PRODUCER_BUFFER_WAIT_RATIO),
                task.get(Figure.PRODUCER_REQUEST_AVG_MS),
                batchBytes,
                task.get(Figure.PRODUCER_COMPRESSION_RATIO) < UNCOMPRESSED
                        || settings.text(COMPRESSION).isPresent(),
                task.get(Figure.PRODUCER_RETRY_RATE),
                settings.number(LINGER).orElse(LINGER_DEFAULT_MS),
                task.get(Figure.RATE, 0) * task.get(Figure.PRODUCER_RECORD_BYTES_AVG, 0) / batchBytes,
                settings.allowsOverrides());
    }

    /**
     * Processor cores that a linger as long as Connect's interval saves. Within an interval the producer sends whatever
     * its linger has collected, although no consumer of committed events sees it before the commit.
     *
     * @param pollsPerSec polls that return events
     */
    double savedByLinger(double pollsPerSec, double intervalMs) {
        double nowPerSec = Math.min(pollsPerSec, 1_000 / Math.max(1, lingerMs));
        return coresSaved(nowPerSec, intervalMs);
    }

    /** Processor cores that this {@code linger.ms} saves where no transaction ends it. */
    double savedByLinger(double longerMs) {
        return coresSaved(requestsPerSec, longerMs);
    }

    private double coresSaved(double nowPerSec, double lingerMs) {
        double thenPerSec = 1_000 / lingerMs + fullBatchesPerSec;
        return (nowPerSec - thenPerSec) * REQUEST_CPU_MS / 1_000;
    }

    /** Whether the one request that Connect allows is nearly always under way, or the producer's memory is full. */
    boolean isLimit() {
        return requestsUnderWay >= BUSY || bufferWait >= WAITING;
    }

    /** Whether a larger {@code batch.size} makes fewer requests of the same events. */
    boolean gainsByLargerBatches() {
        return batchFill >= FULL && batchBytes < LARGE_BATCH;
    }

    /** The keys that make requests larger. */
    Map<String, String> larger() {
        Map<String, String> keys = new LinkedHashMap<>();
        keys.put(BATCH_SIZE, ADVISED_BATCH);
        if (!compressed) {
            keys.put(COMPRESSION, "lz4");
        }
        return keys;
    }

    void addTo(Evidence.Collector evidence) {
        evidence.add("producer's requests under way, of one that Connect allows", requestsUnderWay, "")
                .add("average time of a produce request", requestMs, "ms")
                .add("average producer batch as a part of batch.size", batchFill, "")
                .add("part of the time waiting for the producer's memory", bufferWait, "");
        if (retryRate > 0) {
            evidence.add("records that the producer sends again", retryRate, "/s");
        }
    }
}
