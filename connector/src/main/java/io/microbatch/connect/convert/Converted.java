package io.microbatch.connect.convert;

import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * A record in bytes. Failure is null if the conversion is complete. Key and value are also null if they were not
 * converted. {@code headersBy} is the stage whose converter changed the headers of the event, null if none did.
 */
record Converted(RecordHeaders headers, byte[] key, byte[] value, Failure failure, Stage headersBy) {}
