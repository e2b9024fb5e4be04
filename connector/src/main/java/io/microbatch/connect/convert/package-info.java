/**
 * The stage that decides, before Connect gets an event, whether the event can be delivered. It converts on the reader
 * thread with the task's own converters, and so knows the exact size. Connect gets what was converted or, where
 * transforms look into events, the event itself; a dead letter with the cause stands for an event that cannot be
 * delivered.
 *
 * <p>A dead letter has the source offset, and the acknowledgement, of its event. So it is in Kafka before, or in one
 * transaction with, any offset behind that event, and nothing has to be remembered.
 */
package io.microbatch.connect.convert;
