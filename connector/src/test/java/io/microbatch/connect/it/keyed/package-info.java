/**
 * A source connector with secrets, for integration tests. Its journal shows, outside of Kafka, which secrets its task
 * has. Uses nothing but the Connect API.
 */
package io.microbatch.connect.it.keyed;
