/**
 * Decides when a batch is ready, from the arrival rate and the acknowledgement delays. Pure: signals in, decision out.
 * Callers pass the clock's readings; there is no I/O and no Connect type.
 */
package io.microbatch.connect.control;
