/**
 * Decides how large a batch shall be and how late, from the pressure and from what acknowledgements cost. Pure: signals
 * in, decision out; the clock's readings are arguments, and there is no I/O and no Connect type.
 */
package io.microbatch.connect.control;
