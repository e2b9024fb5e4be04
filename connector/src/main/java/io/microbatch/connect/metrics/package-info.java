/**
 * Every metric's name, unit and description in one place, and the view that they are read from.
 */
package io.microbatch.connect.metrics;
