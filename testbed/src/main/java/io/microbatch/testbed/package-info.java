/**
 * A real broker, a real Connect worker and a real PostgreSQL for integration tests and benchmarks, each in a process or
 * a container of its own.
 *
 * <p>Every server listens on 127.0.0.1 only, logs into its work directory, and is stopped by its {@code close()}.
 * {@link io.microbatch.testbed.ShutdownGuard} stops servers that still run when the JVM ends. Every wait has a
 * condition and a deadline.
 */
package io.microbatch.testbed;
