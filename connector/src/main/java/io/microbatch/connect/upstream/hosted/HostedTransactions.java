package io.microbatch.connect.upstream.hosted;

import io.microbatch.connect.ack.EventRecord;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.TransactionContext;

/**
 * Carries a hosted task's transaction boundaries ({@code transaction.boundary=connector}) across the stripe. What the
 * task requested for a record or a batch is requested again for the record that Connect gets instead, before that
 * record can be drained.
 *
 * <p>A boundary that a hosted task requests after an empty batch must follow events that may still be buffered, and
 * come before all later ones. It is passed on when the stripes are empty, in a poll of Connect, which ends the
 * transaction when that poll has returned. The hosted task is not polled before Connect polls again, as without
 * hosting. Otherwise the commit that it gets for this transaction would acknowledge what a further poll returns.
 *
 * <p>Connect may pause when it has sent a batch. A transaction that is open then stays open until the broker aborts it
 * and fences the producer, and the task fails when it is resumed. Without hosting this cannot happen to a task whose
 * polls end with its transactions. So batches are cut only where a transaction or a poll of the hosted task ends. The
 * exception is a poll that its stripe does not hold.
 *
 * <p>A task that requests both a commit and an abort of one transaction fails. Connect refuses this too, but it would
 * not name the hosted connector.
 *
 * <p>The hosted task may call from its hooks, so from any thread. The reader thread does the rest. The task thread
 * reads the pending boundary before it looks at the stripes. So it sees all events that were handed over before the
 * request. It runs the boundary if the stripes are empty.
 */
final class HostedTransactions implements TransactionContext {

    private static final String NO_RECORD = "The record that ends a transaction must not be null";

    private final TransactionContext worker;
    private final NamedRecords commitOn = new NamedRecords();
    private final NamedRecords abortOn = new NamedRecords();

    /** The last records of batches, after which the whole batch ends. */
    private final Set<SourceRecord> commitAfter = Collections.newSetFromMap(new IdentityHashMap<>());

    private final Set<SourceRecord> abortAfter = Collections.newSetFromMap(new IdentityHashMap<>());
    private boolean commitBatch;
    private boolean abortBatch;

    /** The last record of the poll whose events are handed over. */
    private SourceRecord lastPolled;

    private final AtomicReference<Runnable> pending;

    /**
     * Translates to the worker's context, which is null unless the connector defines the boundaries. The reference
     * holds the boundary that waits for the stripes to be empty, then the action that ends the wait, or null.
     */
    HostedTransactions(TransactionContext worker, AtomicReference<Runnable> pending) {
        this.worker = worker;
        this.pending = pending;
    }

    /** The transaction context that the hosted task gets. Null if the connector does not define the boundaries. */
    TransactionContext orNull() {
        return worker == null ? null : this;
    }

    @Override
    public synchronized void commitTransaction() {
        commitBatch = true;
    }

    @Override
    public synchronized void commitTransaction(SourceRecord record) {
        commitOn.add(Objects.requireNonNull(record, NO_RECORD));
    }

    @Override
    public synchronized void abortTransaction() {
        abortBatch = true;
    }

    @Override
    public synchronized void abortTransaction(SourceRecord record) {
        abortOn.add(Objects.requireNonNull(record, NO_RECORD));
    }

    /**
     * The hosted task has returned a batch that ends with this record. Null for an empty batch.
     *
     * @throws ConnectException if the task has requested both a commit and an abort for the batch
     */
    synchronized void batchPolled(SourceRecord last) {
        if (commitBatch && abortBatch) {
            throw refused("at the end of the same batch");
        }
        if (last == null) {
            if (commitBatch) {
                pending.set(boundary(TransactionContext::commitTransaction));
            } else if (abortBatch) {
                pending.set(boundary(TransactionContext::abortTransaction));
            }
        } else if (commitBatch) {
            commitAfter.add(last);
        } else if (abortBatch) {
            abortAfter.add(last);
        }
        commitBatch = false;
        abortBatch = false;
        lastPolled = last;
    }

    /**
     * Passes on the boundaries of an event. Called before the task thread can see the event.
     *
     * @throws ConnectException if the task has requested both a commit and an abort that end with the event
     */
    void handingOver(EventRecord event) {
        if (worker != null) {
            passOn(event);
        }
    }

    @SuppressWarnings("ReferenceEquality") // a poll may return records that equal the last one
    private synchronized void passOn(EventRecord event) {
        SourceRecord origin = event.origin();
        boolean commits = commitOn.takeSame(origin);
        boolean aborts = abortOn.takeSame(origin);
        if (!commits && !aborts) {
            commits = commitOn.takeEqual(origin);
            aborts = abortOn.takeEqual(origin);
        }
        // An abort with the last record leaves nothing open that a commit of the batch could end.
        commits |= commitAfter.remove(origin) && !aborts;
        aborts |= abortAfter.remove(origin);
        if (commits && aborts) {
            throw refused("that ends with the same record, for topic " + event.topic() + " and partition "
                    + event.kafkaPartition());
        }
        if (commits) {
            worker.commitTransaction(event);
        }
        if (aborts) {
            worker.abortTransaction(event);
        }
        if (!commits && !aborts && origin != lastPolled) {
            event.keepWithNext();
        }
    }

    private static ConnectException refused(String where) {
        return new ConnectException("The hosted connector has requested both a commit and an abort of the transaction "
                + where + ". Connect also refuses this from a connector that is not hosted");
    }

    /** Whether Connect has not ended the transaction of an empty batch. No event may be handed over meanwhile. */
    boolean isBoundaryPending() {
        return pending.get() != null;
    }

    /** A boundary that the task thread passes on. The next poll of the hosted task may begin in Connect's next one. */
    private Runnable boundary(Consumer<TransactionContext> call) {
        return () -> {
            call.accept(worker);
            pending.set(() -> pending.set(null));
        };
    }
}
