/**
 * Pressure is the observed arrival rate, smoothed; a pressure level is one of the ten bands L1 to L10 of it, each with
 * a latency budget. Pure: no I/O, no clock of its own, no Connect types, so that a transform on any connector can use
 * the same arithmetic as the adaptive task.
 */
package io.microbatch.connect.pressure;
