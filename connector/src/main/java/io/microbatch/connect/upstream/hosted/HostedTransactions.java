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
 * <p>The task may call from its hooks too, so from any thread. The rest is the reader thread's, but for {@link #pendingBoundary} and what it answers, which are the task thread's.
 */
final class HostedTransactions implements TransactionContext {

    private final TransactionContext worker;
    private final Set<SourceRecord> commitOn = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<SourceRecord> abortOn = Collections.newSetFromMap(new IdentityHashMap<>());
    private boolean commitBatch;
    private boolean abortBatch;

    /** What is to be said when the stripes are empty; null for nothing. */
    private final AtomicReference<Runnable> pending = new AtomicReference<>();

    /** Over the worker's context, which is null unless the connector defines the boundaries. */
    HostedTransactions(TransactionContext worker) {
        this.worker = worker;
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

    /**
     * The boundary that waits for the stripes to be empty, to be run when they are; null for none. To be asked before
     * looking at the stripes: what was handed over before the hosted task asked for the boundary is then seen there. Task
     * thread.
     */
    Runnable pendingBoundary() {
        return pending.get();
    }
}
