/**
 * Decides whether a stream was delivered: loss, duplicates, order and content, for all checks of the integration tests
 * and of the benchmarks.
 */
package io.microbatch.testbed.oracle;
