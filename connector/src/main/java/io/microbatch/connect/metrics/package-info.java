/** Every metric's name, unit and description in one place, and the two ways in which metrics are shown. */
package io.microbatch.connect.metrics;
