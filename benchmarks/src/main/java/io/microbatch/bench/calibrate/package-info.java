/** Fills a task's calibration and shows it. */
package io.microbatch.bench.calibrate;
