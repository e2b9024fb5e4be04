/** Rows that are written to a database on schedule, and consumed while they arrive in Kafka. */
package io.microbatch.bench.rows;
