/**
 * Every metric's name, unit and description in one place, the view that they are read from, and the two ways in which they
 * are shown.
 */
package io.microbatch.connect.metrics;
