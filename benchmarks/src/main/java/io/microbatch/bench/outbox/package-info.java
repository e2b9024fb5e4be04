/** {@code bench outbox}: an outbox table carried to Kafka by this connector, by Debezium, and by polling relays. */
package io.microbatch.bench.outbox;
