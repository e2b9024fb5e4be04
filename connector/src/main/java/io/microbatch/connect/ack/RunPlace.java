package io.microbatch.connect.ack;

import java.util.Map;

/**
 * Where the events of one source partition go. One object for each of them, since runs that go to the same place are
 * known by it. Immutable.
 *
 * @param sourcePartition as Connect knows it
 * @param topic where the records go
 * @param kafkaPartition where exactly; null to have the producer choose by the key
 * @param key of the records, which keeps those of a source partition together; not copied
 */
public record RunPlace(Map<String, ?> sourcePartition, String topic, Integer kafkaPartition, byte[] key) {

    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }
}
