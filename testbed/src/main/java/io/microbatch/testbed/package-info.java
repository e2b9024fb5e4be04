/**
 * A real broker, a real Connect worker and a real PostgreSQL, each a process of its own or in a container, for
 * integration tests and benchmarks.
 *
 * <p>Everything listens on 127.0.0.1 only, logs into the work directory it was given, and is stopped by its
 * {@code close()}; what is still alive when the JVM ends is stopped by {@link io.microbatch.testbed.ShutdownGuard}.
 * Waiting is always for a condition and always has a deadline.
 */
package io.microbatch.testbed;
