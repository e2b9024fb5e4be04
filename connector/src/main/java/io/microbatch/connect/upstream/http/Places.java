package io.microbatch.connect.upstream.http;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.RecordMetadata;

/**
 * Where Kafka has the records of a request. Each record is settled once, by any thread. After the last one the places
 * are final, and every thread that has seen {@link #areFinal} sees them.
 */
final class Places {

    /** The place of a record that Kafka did not get. */
    private static final int NOWHERE = -1;

    private final AtomicInteger open;
    private final int[] partitions;
    private final long[] offsets;

    Places(int records) {
        this.open = new AtomicInteger(records);
        this.partitions = new int[records];
        this.offsets = new long[records];
    }

    /** Connect is done with a record. Null metadata means that Kafka does not have it. Whether it was the last one. */
    boolean settled(int record, RecordMetadata metadata) {
        partitions[record] = metadata == null ? NOWHERE : metadata.partition();
        offsets[record] = metadata == null || !metadata.hasOffset() ? NOWHERE : metadata.offset();
        return open.decrementAndGet() == 0;
    }

    boolean areFinal() {
        return open.get() == 0;
    }

    int records() {
        return partitions.length;
    }

    /** The partition of a record. Negative if Kafka does not have the record. */
    int partition(int record) {
        return partitions[record];
    }

    /** The offset of a record. Negative if it is not known. */
    long offset(int record) {
        return offsets[record];
    }

    /** Whether Kafka has none of the records. */
    boolean areNowhere() {
        for (int partition : partitions) {
            if (partition != NOWHERE) {
                return false;
            }
        }
        return true;
    }
}
