/**
 * Microbenchmarks: a stripe versus other queues, one event at a time from one thread to another, the transforms versus
 * Kafka's own, and the bulk format versus a plain copy.
 */
package io.microbatch.bench.micro;
