/**
 * The bulk format, which packs many events into one Kafka record, and its readers. {@code docs/bulk-format.md}
 * specifies it. {@link io.microbatch.connect.bulk.BulkWriter} and {@link io.microbatch.connect.bulk.BulkReader} use
 * nothing of Kafka except the base class of their exception.
 */
package io.microbatch.connect.bulk;
