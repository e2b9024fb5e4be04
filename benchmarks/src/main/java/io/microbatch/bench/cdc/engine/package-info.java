/** What {@code bench cdc} runs in a process of its own: Debezium's engine with a producer. */
package io.microbatch.bench.cdc.engine;
