/**
 * A source connector with secrets, for integration tests: it tells, outside Kafka, which secrets its task works with.
 * Uses nothing but the Connect API.
 */
package io.microbatch.connect.it.keyed;
