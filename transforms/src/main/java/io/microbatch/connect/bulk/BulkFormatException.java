package io.microbatch.connect.bulk;

import org.apache.kafka.common.errors.SerializationException;

/**
 * The bytes are not a bulk record, or the record exceeds the reader's limits. Reading throws no other exception. A
 * retry does not help. Kafka's consumer and Connect treat it like every failed deserialization.
 */
public final class BulkFormatException extends SerializationException {

    BulkFormatException(String message) {
        super(message);
    }
}
