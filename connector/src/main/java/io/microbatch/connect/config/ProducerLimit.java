package io.microbatch.connect.config;

import java.util.Comparator;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The settings of the connector's producer with which it compares the size of a record, before compression. It refuses
 * a larger record. The worker's own producer settings are not visible here. Immutable; any thread.
 */
enum ProducerLimit {
    REQUEST("max.request.size", 1_048_576),
    MEMORY("buffer.memory", 33_554_432);

    private final String key;

    /** The producer's default. */
    private final long defaultBytes;

    ProducerLimit(String name, long defaultBytes) {
        this.key = WorkerKeys.PRODUCER_PREFIX + name;
        this.defaultBytes = defaultBytes;
    }

    String key() {
        return key;
    }

    long defaultBytes() {
        return defaultBytes;
    }

    /** The limit in bytes if the connector's configuration has it. */
    OptionalLong configuredBytes(Map<String, String> properties) {
        return WorkerKeys.number(properties, key);
    }

    /** The limit in bytes. */
    long bytes(Map<String, String> properties) {
        return bytes(properties, 0);
    }

    /**
     * The limit in bytes.
     *
     * @param acceptedBytes a size that the worker's producers are said to accept, which a default does not exclude
     */
    long bytes(Map<String, String> properties, long acceptedBytes) {
        return configuredBytes(properties).orElse(Math.max(defaultBytes, acceptedBytes));
    }

    /** The limit that a growing record reaches first. */
    static ProducerLimit smallest(Map<String, String> properties, long acceptedBytes) {
        return Stream.of(values())
                .min(Comparator.comparingLong(limit -> limit.bytes(properties, acceptedBytes)))
                .orElseThrow();
    }

    /** The largest record, in bytes. */
    static long maxRecordBytes(Map<String, String> properties) {
        return smallest(properties, 0).bytes(properties);
    }
}
