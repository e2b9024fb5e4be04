/** A seeded, replayable generator with exact open-loop rates for the demo, benchmarks and tests. */
package io.microbatch.connect.upstream.synthetic;
