/** One page out of the JSON results, readable without a network. */
package io.microbatch.bench.report;
