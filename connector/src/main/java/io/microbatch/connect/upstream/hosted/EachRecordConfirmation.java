package io.microbatch.connect.upstream.hosted;

import io.microbatch.connect.ack.SettledEvent;
import io.microbatch.connect.upstream.Progress;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Notifies the hosted task of every record in order as soon as Kafka has it and all before it, and of commits. Right
 * for tasks that acknowledge messages.
 *
 * <p>A task may take commit as the acknowledgement of everything that it has returned; Solace's does. Connect calls it
 * when a poll's records are in Kafka, an exactly-once worker at least. Here more records may be buffered. So a commit
 * of Connect's is owed to the task until Connect is done with everything that the task has returned.
 *
 * <p>Where a poll of the task's does not end, an at-least-once worker calls commit during the poll. So does this, when
 * the poll and the commit have waited for a second: the task may be waiting for just that. On an exactly-once worker no
 * commit comes during a poll, and none does here.
 */
final class EachRecordConfirmation implements Confirmation {

    /** A poll that ends in time gets its commit in safety, when it has ended. */
    private static final long DURING_POLL_AFTER_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final HostedHooks hooks;
    private final boolean acknowledgesOnCommit;
    private final boolean definesTransactions;
    private final LongSupplier nanoClock;
    private long commitsTold;
    private boolean owed;
    private long owedSinceNanos;
    private long pollBeganNanos;

    /**
     * For a task.
     *
     * @param acknowledgesOnCommit whether the task may take commit as an acknowledgement
     * @param definesTransactions whether the task says itself where transactions end, so that one may end within a
     *     batch
     */
    EachRecordConfirmation(
            HostedHooks hooks, boolean acknowledgesOnCommit, boolean definesTransactions, LongSupplier nanoClock) {
        this.hooks = hooks;
        this.acknowledgesOnCommit = acknowledgesOnCommit;
        this.definesTransactions = definesTransactions;
        this.nanoClock = nanoClock;
    }

    @Override
    public void settled(SettledEvent event) {
        hooks.commitRecord(event);
    }

    @Override
    public void committed(Progress progress) {
        long commits = progress.commits();
        if (commits == commitsTold) {
            return;
        }
        if (!owed) {
            owed = true;
            owedSinceNanos = nanoClock.getAsLong();
        }
        boolean done = definesTransactions ? progress.isAllAcknowledged() : progress.isAllSettled();
        if (!acknowledgesOnCommit || (done && mayBeTold(progress))) {
            commitsTold = commits;
            owed = false;
            hooks.commit();
        }
    }

    /** A poll of the task's begins. */
    void polls(long nowNanos) {
        pollBeganNanos = nowNanos;
    }

    private boolean mayBeTold(Progress progress) {
        return !progress.isDuringCall()
                || (progress.isAtLeastOnce()
                        && owedNanos() >= DURING_POLL_AFTER_NANOS
                        && nanoClock.getAsLong() - pollBeganNanos >= DURING_POLL_AFTER_NANOS);
    }

    /** For how long a commit has been owed to the task, in nanoseconds; 0 if none is. */
    long owedNanos() {
        return owed ? nanoClock.getAsLong() - owedSinceNanos : 0;
    }
}
