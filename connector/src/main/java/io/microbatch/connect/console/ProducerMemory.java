package io.microbatch.connect.console;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a task's producer does with its memory. A producer allocates {@code batch.size} bytes for the first record that
 * it has for a topic partition (Kafka's {@code RecordAccumulator}). Immutable; any thread.
 *
 * @param batchBytes the producer's {@code batch.size}
 * @param filledBytes how many of them the average batch has when it is sent
 * @param bufferBytes the producer's {@code buffer.memory}
 * @param batchesPerRequest how many batches, each of another topic partition, a produce request carries on average;
 *     not a number if it is not known
 * @param waitRatio the part of the time that the task waits for room
 */
record ProducerMemory(
        double batchBytes, double filledBytes, double bufferBytes, double batchesPerRequest, double waitRatio) {

    static final String BATCH_SIZE = "batch.size";
    static final String BUFFER_MEMORY = "buffer.memory";

    private static final double BATCH_SIZE_DEFAULT = 16_384;
    private static final double BUFFER_MEMORY_DEFAULT = 32 << 20;
    private static final double LARGEST_BATCH = 1_000_000;

    /** A part of the time that is no accident. */
    private static final double WAITING = 0.1;

    /** Batches of a slow broker are full when they are sent. */
    private static final double HARDLY_FILLED = 0.25;

    private static final String WASTED = "The producer's memory is full of batches that are hardly filled, because a "
            + "batch takes batch.size bytes from its first event on. ";

    static ProducerMemory of(TaskSnapshot task, ConnectorSettings settings) {
        double filledBytes = task.get(Figure.PRODUCER_BATCH_BYTES_AVG);
        // Kafka's record size is that of the largest record of each batch, so that there are rather too many batches.
        double requestBytes = task.get(Figure.PRODUCER_RECORDS_PER_REQUEST)
                * task.get(Figure.PRODUCER_RECORD_BYTES_AVG)
                * task.get(Figure.PRODUCER_COMPRESSION_RATIO, 1);
        return new ProducerMemory(
                settings.producerNumber(BATCH_SIZE).orElse(BATCH_SIZE_DEFAULT),
                filledBytes,
                settings.producerNumber(BUFFER_MEMORY).orElse(BUFFER_MEMORY_DEFAULT),
                requestBytes / filledBytes,
                task.get(Figure.PRODUCER_BUFFER_WAIT_RATIO));
    }

    /** The average batch as a part of {@code batch.size}. Not a number if it is not known. */
    double fill() {
        return filledBytes / batchBytes;
    }

    boolean isWaitedFor() {
        return waitRatio >= WAITING;
    }

    /** The largest sensible {@code batch.size}: the batches of one request take half of the memory at most. */
    double largestBatch() {
        return Double.isFinite(batchesPerRequest)
                ? Math.min(LARGEST_BATCH, powerOfTwo(bufferBytes / 2 / Math.max(1, batchesPerRequest)))
                : LARGEST_BATCH;
    }

    /** A smaller {@code batch.size}, where the present one is why the task waits for memory. */
    Optional<Advice> smaller(boolean canBeSet, List<Evidence> evidence, Estimate now) {
        double enough = Math.max(BATCH_SIZE_DEFAULT, powerOfTwo(4 * filledBytes));
        if (!isWaitedFor() || !(fill() < HARDLY_FILLED) || enough >= batchBytes) {
            return Optional.empty();
        }
        return Optional.of(
                canBeSet
                        ? new Advice(
                                Verdict.SET,
                                WASTED + "Make batches smaller.",
                                evidence,
                                now,
                                Estimate.UNKNOWN,
                                Change.setting(Map.of(ConnectorSettings.override(BATCH_SIZE), Texts.setting(enough))),
                                List.of())
                        : Advice.without(
                                Verdict.LOOK_AT_TASK,
                                WASTED + ProducerLoad.REFUSED + "producer.batch.size. Make it smaller.",
                                evidence,
                                now));
    }

    /** The largest power of two that is not larger. */
    private static double powerOfTwo(double bytes) {
        return Long.highestOneBit((long) bytes);
    }
}
