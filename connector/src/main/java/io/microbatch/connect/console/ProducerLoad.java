package io.microbatch.connect.console;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How full a task's producer is. Immutable; any thread.
 *
 * @param memory what it does with its memory
 * @param requestsPerSec how many requests it sends a second
 * @param requestsUnderWay how many requests are under way on average; Connect allows one
 * @param requestMs the average time of a request
 * @param compressed whether the producer compresses
 * @param retryRate records a second that the producer sends again
 * @param lingerMs the producer's {@code linger.ms}
 * @param fullBatchesPerSec how many batches a second the events fill, whatever the linger
 * @param brokers how many brokers it sends requests to; not a number where that is not known
 * @param worker says which settings of the producer the connector may have
 */
record ProducerLoad(
        ProducerMemory memory,
        double requestsPerSec,
        double requestsUnderWay,
        double requestMs,
        boolean compressed,
        double retryRate,
        double lingerMs,
        double fullBatchesPerSec,
        double brokers,
        WorkerProducer worker) {

    static final String LINGER_MS = "linger.ms";
    static final String COMPRESSION = "compression.type";

    /** The connector's key of the linger. */
    static final String LINGER = ConnectorSettings.override(LINGER_MS);

    /** The beginning of what to say where a setting of the producer would help and the worker refuses it. */
    static final String REFUSED = "The worker's connector.client.config.override.policy refuses settings of a "
            + "connector's producer. In the properties of all workers it is ";

    /** The same of larger requests. */
    static final String LARGER_REFUSED = REFUSED + "producer.batch.size, and producer.compression.type.";

    /** Kafka's default from 4.0 on. */
    private static final double LINGER_DEFAULT_MS = 5;

    /**
     * Processor time of worker and broker for one produce request of one event: that of the requests that a linger
     * saved at 200 events a second in benchmarks/results/frontier-earlier.md.
     */
    private static final double REQUEST_CPU_MS = 1;

    /** What makes a key worth a change. */
    private static final double WORTH_FACTOR = 2;

    private static final double FULL = 0.5;
    private static final double BUSY = 0.8;
    private static final double UNCOMPRESSED = 0.99;

    static ProducerLoad of(TaskSnapshot task, ConnectorSettings settings) {
        ProducerMemory memory = ProducerMemory.of(task, settings);
        return new ProducerLoad(
                memory,
                task.get(Figure.PRODUCER_REQUEST_RATE),
                task.get(Figure.PRODUCER_REQUEST_RATE) * task.get(Figure.PRODUCER_REQUEST_AVG_MS) / 1_000,
                task.get(Figure.PRODUCER_REQUEST_AVG_MS),
                task.get(Figure.PRODUCER_COMPRESSION_RATIO) < UNCOMPRESSED
                        || settings.producerText(COMPRESSION).isPresent(),
                task.get(Figure.PRODUCER_RETRY_RATE),
                settings.producerNumber(LINGER_MS).orElse(LINGER_DEFAULT_MS),
                task.get(Figure.RATE, 0) * task.get(Figure.PRODUCER_RECORD_BYTES_AVG, 0) / memory.batchBytes(),
                task.get(Figure.PRODUCER_BROKERS),
                settings.workerProducer());
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

    /**
     * Whether the producer sends to several brokers, of which one may be the transaction coordinator alone. If two of
     * them lead partitions of a transaction, a linger lets both ask the coordinator at the same time, at the commit,
     * and one of them waits for its back-off. On three brokers a linger raised the p99 of an interval
     * (benchmarks/results/frontier-brokers.md).
     */
    boolean hasSeveralBrokers() {
        return brokers > 1;
    }

    /** Whether the worker accepts a linger of the connector's producer. */
    boolean mayLinger() {
        return worker.allows(LINGER_MS);
    }

    /** Whether it accepts one that a commit ends, and the brokers do not make its transactions wait for it. */
    boolean mayLingerUntilCommit() {
        return mayLinger() && !hasSeveralBrokers();
    }

    /** Whether the worker accepts a size of the batches of the connector's producer. */
    boolean mayResize() {
        return worker.allows(ProducerMemory.BATCH_SIZE);
    }

    /** Whether the one request that Connect allows is nearly always under way, or the producer's memory is full. */
    boolean isLimit() {
        return requestsUnderWay >= BUSY || memory.isWaitedFor();
    }

    /** Whether a larger {@code batch.size} makes fewer requests of the same events, and the memory has room for it. */
    boolean gainsByLargerBatches() {
        return memory.fill() >= FULL && memory.largestBatch() >= WORTH_FACTOR * memory.batchBytes();
    }

    /** A smaller {@code batch.size}, where the present one is why the task waits for memory. */
    Optional<Advice> smallerBatches(List<Evidence> evidence, Estimate now) {
        return memory.smaller(mayResize(), evidence, now);
    }

    /** The keys that make requests larger. */
    Map<String, String> larger() {
        Map<String, String> keys = new LinkedHashMap<>();
        keys.put(ConnectorSettings.override(ProducerMemory.BATCH_SIZE), Texts.setting(memory.largestBatch()));
        if (!compressed && worker.allows(COMPRESSION)) {
            keys.put(ConnectorSettings.override(COMPRESSION), "lz4");
        }
        return keys;
    }

    void addTo(Evidence.Collector evidence) {
        evidence.add("producer's requests under way, of one that Connect allows", requestsUnderWay, "")
                .add("average time of a produce request", requestMs, "ms")
                .add("average producer batch as a part of batch.size", memory.fill(), "")
                .add("batches a produce request", memory.batchesPerRequest(), "")
                .add("part of the time waiting for the producer's memory", memory.waitRatio(), "");
        if (hasSeveralBrokers()) {
            evidence.add("brokers that the producer sends to", brokers, "");
        }
        if (retryRate > 0) {
            evidence.add("records that the producer sends again", retryRate, "/s");
        }
    }
}
