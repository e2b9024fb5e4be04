package io.microbatch.connect.upstream.hosted;

import io.microbatch.connect.ack.EventRecord;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.TransactionContext;

/**
 * Carries a hosted task's own transaction boundaries ({@code transaction.boundary=connector}) across the stripe: what
 * it said of a record, or of the batch it just polled, is said again of the record that Connect gets in its place,
 * before that record can be drained.
 *
 * <p>A boundary that a hosted task asks for behind an empty batch belongs behind events that may still be buffered. It
 * is passed on when the stripes are empty; if other events come first, the open transaction goes on to their boundary,
 * which makes it larger and keeps it whole.
 *
 * <p>The hosted task may call from its hooks too, so from any thread. The rest is the reader thread's, but for the
 * pending boundary: the task thread reads it before it looks at the stripes, so that it sees there whatever was handed
 * over before the hosted task asked for the boundary, and runs it when they are empty.
 */
final class HostedTransactions implements TransactionContext {

    private final TransactionContext worker;
    private final Set<SourceRecord> commitOn = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<SourceRecord> abortOn = Collections.newSetFromMap(new IdentityHashMap<>());
    private boolean commitBatch;
    private boolean abortBatch;

    private final AtomicReference<Runnable> pending;

    /**
     * Over the worker's context.
     *
     * @param worker null unless the connector defines the boundaries
     * @param pending gets the boundary that waits for the stripes to be empty; null for none
     */
    HostedTransactions(TransactionContext worker, AtomicReference<Runnable> pending) {
        this.worker = worker;
        this.pending = pending;
    }

    /** What the hosted task's own context answers. */
    TransactionContext orNull() {
        return worker == null ? null : this;
    }

    @Override
    public synchronized void commitTransaction() {
        commitBatch = true;
    }

    @Override
    public synchronized void commitTransaction(SourceRecord record) {
        commitOn.add(record);
    }

    @Override
    public synchronized void abortTransaction() {
        abortBatch = true;
    }

    @Override
    public synchronized void abortTransaction(SourceRecord record) {
        abortOn.add(record);
    }

    /** The hosted task has returned a batch that ends in this record; null for an empty one. */
    synchronized void batchPolled(SourceRecord last) {
        if (last == null) {
            if (commitBatch) {
                pending.set(boundary(TransactionContext::commitTransaction));
            } else if (abortBatch) {
                pending.set(boundary(TransactionContext::abortTransaction));
            }
        } else if (commitBatch) {
            commitOn.add(last);
        } else if (abortBatch) {
            abortOn.add(last);
        }
        commitBatch = false;
        abortBatch = false;
    }

    /** An event of the hosted task is handed over; to be called before the task thread can see it. */
    void handingOver(EventRecord event) {
        if (worker != null) {
            passOn(event);
        }
    }

    private synchronized void passOn(EventRecord event) {
        if (commitOn.remove(event.origin())) {
            worker.commitTransaction(event);
            pending.set(null);
        }
        if (abortOn.remove(event.origin())) {
            worker.abortTransaction(event);
            pending.set(null);
        }
    }

    /** Passed on once, and only if no other event or boundary has come since. */
    private Runnable boundary(Consumer<TransactionContext> call) {
        return new Runnable() {
            @Override
            public void run() {
                if (pending.compareAndSet(this, null)) {
                    call.accept(worker);
                }
            }
        };
    }
}
