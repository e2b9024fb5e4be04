package io.microbatch.connect.convert;

import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * A record in bytes, as far as its conversion went.
 *
 * @param headers what there is of the headers
 * @param key the key; null too if it was not converted
 * @param value the value; null too if it was not converted
 * @param failure why it went no further; null if all of it is converted
 */
record Converted(RecordHeaders headers, byte[] key, byte[] value, Failure failure) {}
