/** The benchmarks of the control: compare, ramp, regret and step, each on a real broker and a real worker. */
package io.microbatch.bench.control;
