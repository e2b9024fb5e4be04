/**
 * Decides whether an event can be delivered, before Connect gets it. The reader thread converts it with the task's own
 * converters, and so knows the exact size. Connect gets the converted bytes or, if transforms read events, the original
 * event. A dead letter with the cause replaces an event that cannot be delivered.
 *
 * <p>A dead letter has the source offset and the acknowledgement of its event. So it is in Kafka before any later
 * offset, or in one transaction with it, and no state has to be kept.
 */
package io.microbatch.connect.convert;
