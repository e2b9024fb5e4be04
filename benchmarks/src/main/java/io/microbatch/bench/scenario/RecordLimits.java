package io.microbatch.bench.scenario;

import java.util.Map;

/**
 * What has to be set for records of a size. The defaults of producer, broker and consumer are made for records of up to
 * 1 MB. Below that nothing is set. Immutable.
 *
 * @param largestBytes the largest value of a record
 */
record RecordLimits(int largestBytes) {

    /** What the bench takes. A broker refuses requests of 100 MB, and a worker of 2 GB holds some stripes of these. */
    static final int MAX_BYTES = 16_000_000;

    /** What key, headers and the frame of a batch take at most. */
    private static final int FRAME_BYTES = 4_096;

    /** The default of a producer's request, and about that of a broker's batch. */
    private static final int DEFAULT_BYTES = 1_000_000;

    private static final int DEFAULT_BUFFER_BYTES = 33_554_432;

    /** So that a record is sent while others are made. */
    private static final int BUFFERED_RECORDS = 8;

    private boolean areDefaultsEnough() {
        return largestBytes + FRAME_BYTES <= DEFAULT_BYTES;
    }

    private String withFrame() {
        return Integer.toString(largestBytes + FRAME_BYTES);
    }

    /** The producer's, as a connector's overrides. */
    Map<String, String> producer() {
        return areDefaultsEnough()
                ? Map.of()
                : Map.of(
                        "producer.override.max.request.size",
                        withFrame(),
                        "producer.override.buffer.memory",
                        Integer.toString(Math.max(DEFAULT_BUFFER_BYTES, BUFFERED_RECORDS * largestBytes)));
    }

    /** The broker's. The reader asks for 8 MB of a partition, and gets a larger batch alone. */
    Map<String, String> broker() {
        return areDefaultsEnough()
                ? Map.of()
                : Map.of("message.max.bytes", withFrame(), "replica.fetch.max.bytes", withFrame());
    }
}
