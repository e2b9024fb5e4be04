package io.microbatch.connect.convert;

import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * A record in bytes. Failure is null if the conversion is complete. Key and value are also null if they were not
 * converted.
 */
record Converted(RecordHeaders headers, byte[] key, byte[] value, Failure failure) {}
