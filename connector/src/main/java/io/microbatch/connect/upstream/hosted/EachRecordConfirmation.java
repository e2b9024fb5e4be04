package io.microbatch.connect.upstream.hosted;

import io.microbatch.connect.ack.SettledEvent;
import io.microbatch.connect.config.HostedConfig.PollAhead;
import io.microbatch.connect.upstream.Progress;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Notifies the hosted task of commits, and of every record in order as soon as Kafka has it and all earlier records.
 * For tasks that acknowledge messages.
 *
 * <p>A task may take commit as the acknowledgement of everything that it has returned; Solace's does. An exactly-once
 * worker calls commit when a poll's records are in Kafka. Here more records may be buffered. So Connect's commit is
 * withheld from the task until Connect is done with everything that the task has returned.
 *
 * <p>If a task defines its own transactions, an exactly-once worker calls commit within a batch, and the rest of the
 * batch is in the next transaction. If transactions end within polls, one is open nearly always. So a task that is
 * polled in step gets such a commit as soon as Connect has sent everything that the task has returned. Otherwise a
 * source that limits unacknowledged messages would stand still. A task that is polled ahead gets it only when Kafka has
 * everything, because it has returned more than it would have without hosting.
 *
 * <p>Some polls end only after their commit. An at-least-once worker calls commit during such a poll, and so does this
 * class when the poll and the commit have waited for a second. An exactly-once worker never calls commit during a poll,
 * and neither does this class for a task that may take commit as an acknowledgement.
 */
final class EachRecordConfirmation implements Confirmation {

    /** The wait before a commit during a poll. A poll that ends in time gets its commit afterwards. */
    private static final long DURING_POLL_AFTER_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final HostedHooks hooks;
    private final Set<TaskTrait> traits;
    private final PollAhead ahead;
    private final long spacingNanos;
    private final LongSupplier nanoClock;
    private long notifiedCommits;
    private long notifiedAtNanos;
    private boolean owed;
    private long owedSinceNanos;
    private long pollBeganNanos;

    /**
     * Creates the confirmation of one task.
     *
     * @param ahead whether the task is polled ahead; in step, unless always, if it acknowledges on commit and defines
     *     transactions
     * @param spacingNanos the minimum time between two commits that the task gets, in nanoseconds; a later one stands
     *     for all that are due
     */
    EachRecordConfirmation(
            HostedHooks hooks, Set<TaskTrait> traits, PollAhead ahead, long spacingNanos, LongSupplier nanoClock) {
        this.hooks = hooks;
        this.traits = traits;
        this.ahead = ahead;
        this.spacingNanos = spacingNanos;
        this.nanoClock = nanoClock;
    }

    @Override
    public void settled(SettledEvent event) {
        if (!event.isDiscarded()) {
            hooks.commitRecord(event);
        }
    }

    @Override
    public void committed(Progress progress) {
        long commits = progress.commits();
        if (commits == notifiedCommits) {
            return;
        }
        if (!owed) {
            owed = true;
            owedSinceNanos = nanoClock.getAsLong();
        }
        long nowNanos = nanoClock.getAsLong();
        if (notifiedCommits > 0 && nowNanos - notifiedAtNanos < spacingNanos) {
            return;
        }
        if (!traits.contains(TaskTrait.ACKNOWLEDGES_ON_COMMIT) || (isDone(progress) && mayNotify(progress))) {
            notifiedCommits = commits;
            notifiedAtNanos = nowNanos;
            owed = false;
            hooks.commit();
        }
    }

    /** A poll of the task begins. */
    void polls(long nowNanos) {
        pollBeganNanos = nowNanos;
    }

    /**
     * Whether a commit acknowledges no more than it does without hosting. In step, that is everything up to the poll
     * in which the transaction has ended, even what is in the next transaction.
     */
    private boolean isDone(Progress progress) {
        if (!traits.contains(TaskTrait.DEFINES_TRANSACTIONS)) {
            return progress.isAllSettled();
        }
        return ahead == PollAhead.ALWAYS ? progress.isAllAcknowledged() : progress.isAllDispatched();
    }

    private boolean mayNotify(Progress progress) {
        return !progress.isDuringCall()
                || (progress.isAtLeastOnce()
                        && owedNanos() >= DURING_POLL_AFTER_NANOS
                        && nanoClock.getAsLong() - pollBeganNanos >= DURING_POLL_AFTER_NANOS);
    }

    /** The time since a commit is owed to the task, in nanoseconds. 0 if none is owed. */
    long owedNanos() {
        return owed ? nanoClock.getAsLong() - owedSinceNanos : 0;
    }
}
