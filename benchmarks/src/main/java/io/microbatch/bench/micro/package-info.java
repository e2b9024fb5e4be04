/**
 * Microbenchmarks: a stripe beside other queues, one event at a time from one thread to another, the transforms beside
 * Kafka's own, and the bulk format beside a plain copy.
 */
package io.microbatch.bench.micro;
