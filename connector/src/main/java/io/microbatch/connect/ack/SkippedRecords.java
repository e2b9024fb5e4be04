package io.microbatch.connect.ack;

import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Settles the records that Connect has skipped: those of the task thread at once, and those of the producer's thread at
 * the next poll.
 *
 * <p>With {@code errors.tolerance=all} the producer's callbacks skip what an at-least-once worker cannot send. They
 * also do so when Connect cancels a task that does not end in time, and closes its producer. No poll follows then. So
 * the records that waited for Kafka stay unsettled, and a source that deletes what is settled keeps them.
 */
public final class SkippedRecords {

    private final ConcurrentLinkedQueue<EventRecord> ofProducer = new ConcurrentLinkedQueue<>();

    /** Creates an empty queue. */
    public SkippedRecords() {}

    /** Connect has skipped this record. Any thread. */
    public void skipped(EventRecord event, boolean onTaskThread, long nowNanos) {
        if (onTaskThread) {
            event.settle(null, nowNanos);
            event.dropped();
        } else {
            ofProducer.add(event);
        }
    }

    /** Connect polls. Task thread. */
    public void polled(long nowNanos) {
        for (EventRecord each = ofProducer.poll(); each != null; each = ofProducer.poll()) {
            // An application that embeds an engine may have marked it late.
            if (!each.isSettled()) {
                each.settle(null, nowNanos);
            }
        }
    }
}
