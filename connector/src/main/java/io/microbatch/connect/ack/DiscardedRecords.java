package io.microbatch.connect.ack;

import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Finds the records that Kafka's producer has discarded because the connector has aborted their transaction
 * (KIP-618, {@code transaction.boundary=connector}). Connect acknowledges the records of aborted transactions that were
 * sent, together with those of the next commit. It never acknowledges those that the producer had not sent yet. All
 * later events would wait for their acknowledgement.
 *
 * <p>Connect sends records in the order in which it gets them, and waits for all of them before it commits. So every
 * record before an acknowledged one has been sent, or is discarded. Task thread.
 */
public final class DiscardedRecords {

    /** What Connect got and is not known to be done with, in order. */
    private final ArrayDeque<EventRecord> returned = new ArrayDeque<>();

    /** Whether Connect has acknowledged a record since the last search. */
    private boolean isSearchDue;

    /** Connect gets these records. */
    public void returned(List<SourceRecord> records) {
        records.forEach(record -> returned.addLast((EventRecord) record));
    }

    /** Connect has acknowledged a record. */
    public void acknowledged() {
        isSearchDue = true;
    }

    /**
     * Settles the discarded records. Called between two batches, after Connect has acknowledged what it has committed.
     *
     * @param sink gets each of them, in order
     */
    public void settle(long nowNanos, Consumer<EventRecord> sink) {
        if (!isSearchDue) {
            return;
        }
        isSearchDue = false;
        int seen = 0;
        int done = 0;
        for (EventRecord each : returned) {
            seen++;
            if (each.isSettled()) {
                done = seen;
            }
        }
        for (; done > 0; done--) {
            EventRecord first = returned.removeFirst();
            if (!first.isSettled()) {
                first.settleDiscarded(nowNanos);
                sink.accept(first);
            }
        }
    }
}
