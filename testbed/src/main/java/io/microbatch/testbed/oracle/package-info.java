/**
 * What decides whether a stream was delivered: loss, duplicates, order and payload, for every check of the integration
 * tests and of the benchmarks.
 */
package io.microbatch.testbed.oracle;
