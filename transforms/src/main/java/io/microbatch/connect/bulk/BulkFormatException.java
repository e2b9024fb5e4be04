package io.microbatch.connect.bulk;

import org.apache.kafka.common.errors.SerializationException;

/**
 * Bytes that are not a bulk record, or one beyond the reader's limits: the one exception that reading them throws.
 * Trying again does not help. Kafka's consumer and Connect treat it as they treat every failed deserialization.
 */
public final class BulkFormatException extends SerializationException {

    BulkFormatException(String message) {
        super(message);
    }
}
