/**
 * Faults at chosen places inside a running worker. A java agent, which only a test gives to a worker, weaves a call
 * into the packaged plugin at the places that {@link io.microbatch.testbed.failpoint.Failpoint} names; the plugin
 * itself carries nothing of it.
 *
 * <p>{@link io.microbatch.testbed.failpoint.FailpointControl} is the test's side and works through a directory;
 * everything else runs in the worker.
 */
package io.microbatch.testbed.failpoint;
