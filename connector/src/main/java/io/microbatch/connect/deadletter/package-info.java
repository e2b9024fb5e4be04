/**
 * Finds out, before Connect gets an event, whether it can be delivered, and lets a dead letter with the cause go in its
 * place if it cannot: converts on the reader thread with the task's own converters and knows the exact size. What goes on
 * is what was converted or, where transforms are to look into events, the event itself.
 *
 * <p>A dead letter has the place upstream, and the acknowledgement, of the event that it stands for. So it is in Kafka
 * before, or in one transaction with, any offset that leads past that event, and nothing has to be remembered.
 */
package io.microbatch.connect.deadletter;
