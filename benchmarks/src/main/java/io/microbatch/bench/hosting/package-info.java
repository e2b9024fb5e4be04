/**
 * The hosting matrix: connectors that others wrote, and connectors that behave as those do, each by itself and hosted,
 * on the same workers, which are killed while they run. What is in Kafka is compared with what the source held.
 */
package io.microbatch.bench.hosting;
