/**
 * Faults at chosen places inside a running worker. A Java agent, which only tests pass to a worker, weaves calls into
 * the packaged plugin at the places of {@link io.microbatch.testbed.failpoint.Failpoint}. The plugin itself contains no
 * hooks.
 *
 * <p>{@link io.microbatch.testbed.failpoint.FailpointControl} is the test's side and uses a directory. Everything else
 * runs in the worker.
 */
package io.microbatch.testbed.failpoint;
