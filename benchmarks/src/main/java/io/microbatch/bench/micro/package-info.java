/**
 * Microbenchmarks: a stripe beside other queues, one event at a time from one thread to another, and the transforms beside
 * Kafka's own.
 */
package io.microbatch.bench.micro;
