/**
 * Pressure is the smoothed arrival rate. A pressure level is one of its ten bands, L1 to L10, each with a latency
 * budget. Pure: no I/O, no clock, no Connect types, so that a transform on any connector can use the adaptive task's
 * arithmetic.
 */
package io.microbatch.connect.pressure;
