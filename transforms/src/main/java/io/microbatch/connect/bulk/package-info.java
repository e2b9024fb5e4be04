/**
 * The bulk format, many events in one Kafka record, and what reads it: {@code docs/bulk-format.md}. The format itself
 * ({@link io.microbatch.connect.bulk.BulkWriter}, {@link io.microbatch.connect.bulk.BulkReader}) knows nothing of Kafka
 * but the exception that its deserializers throw.
 */
package io.microbatch.connect.bulk;
