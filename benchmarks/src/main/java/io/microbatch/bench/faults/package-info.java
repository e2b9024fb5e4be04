/**
 * {@code bench faults}: breaks everything around the connector while it runs, and checks every event afterwards. {@link
 * io.microbatch.testbed.oracle.Oracle} knows nothing of how the events travelled; {@code Arena} holds what is broken,
 * {@code FaultKind} says how, {@code RoundRunner} breaks it in the middle of a stream of known length.
 */
package io.microbatch.bench.faults;
