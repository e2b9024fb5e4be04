package io.microbatch.connect.convert;

import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * A record in bytes, up to a failure.
 *
 * @param headers the converted headers
 * @param key the key; also null if it was not converted
 * @param value the value; also null if it was not converted
 * @param failure why the conversion stopped; null if it is complete
 */
record Converted(RecordHeaders headers, byte[] key, byte[] value, Failure failure) {}
