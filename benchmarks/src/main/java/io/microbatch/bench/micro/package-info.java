/** Microbenchmarks: a stripe beside other queues, one event at a time from one thread to another. */
package io.microbatch.bench.micro;
