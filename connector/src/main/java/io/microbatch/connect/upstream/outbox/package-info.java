/**
 * Carries the rows of an outbox table in PostgreSQL to Kafka. A row becomes visible at the commit of its transaction,
 * and its number was taken before that, so that numbers say nothing about what is still to come. The reader therefore
 * reads what is visible in one snapshot and was not visible in the snapshot before it.
 */
package io.microbatch.connect.upstream.outbox;
