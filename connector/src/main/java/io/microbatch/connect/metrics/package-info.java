/** The name, unit and description of every metric, and the two ways to publish them. */
package io.microbatch.connect.metrics;
