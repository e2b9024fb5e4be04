package io.microbatch.connect.upstream.hosted;

import io.microbatch.connect.config.HostedConfig.PollAhead;
import io.microbatch.connect.upstream.Progress;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a hosted task may be polled while events that it has returned are still on their way to Kafka. Connect itself
 * polls only when the batch before is sent, on an exactly-once worker when it is committed. To poll ahead of that is
 * what makes large batches of small polls. But some tasks rely on Connect's order, so that these are polled in step
 * with Connect instead:
 *
 * <ul>
 *   <li>A task that takes commit as the acknowledgement of everything that it has returned, on an exactly-once worker.
 *       It may wait for that acknowledgement in its next poll. During the poll it cannot be given without the risk that
 *       it covers events that the poll has taken from the source already.
 *   <li>A task whose polls were seen to wait for the acknowledgement of every event before. Nothing can be gained by
 *       more polls, and what is buffered can go out at once.
 * </ul>
 *
 * <p>Every task waits until all is settled where it asked for a retry, where commit has been owed for long, and where
 * one event that is not settled keeps too much memory. One thread at a time.
 */
final class PollPermit {

    private static final Logger log = LoggerFactory.getLogger(PollPermit.class);

    private static final long MAX_OWED_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** A poll that ends so soon after the last acknowledgement has waited for it. */
    private static final long ANSWER_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /** This many polls in a row, since one may end by chance when an acknowledgement comes. */
    private static final int ANSWERS_NEEDED = 5;

    /** One poll in this many is ahead all the same, to see whether the task still waits. */
    private static final int POLLS_A_TRIAL = 64;

    private final PollAhead ahead;
    private final boolean acknowledgesOnCommit;
    private final boolean definesTransactions;
    private final boolean intervalBoundary;

    private boolean allSettled = true;
    private boolean allDispatched = true;
    private boolean atLeastOnce;
    private boolean tooMuchKept;
    private long owedNanos;

    private boolean beginsAnew;

    /** Of the poll under way: whether events were on their way when it began, and when they were settled. */
    private boolean outstandingAtBegin;

    private boolean settledDuringPoll;
    private long settledNanos;
    private int answers;
    private int pollsInStep;
    private boolean waitsForAcknowledgements;

    /**
     * For a task.
     *
     * @param acknowledgesOnCommit whether the task may take commit as an acknowledgement
     * @param definesTransactions whether the task says itself where transactions end, for which it has to be polled
     * @param intervalBoundary whether the worker commits transactions at intervals
     */
    PollPermit(PollAhead ahead, boolean acknowledgesOnCommit, boolean definesTransactions, boolean intervalBoundary) {
        this.ahead = ahead;
        this.acknowledgesOnCommit = acknowledgesOnCommit;
        this.definesTransactions = definesTransactions;
        this.intervalBoundary = intervalBoundary;
    }

    /** How far Connect is, and for how long a commit has been owed to the task, in nanoseconds. */
    void committed(Progress progress, long owed, long nowNanos) {
        allSettled = progress.isAllSettled();
        allDispatched = progress.isAllDispatched();
        atLeastOnce = progress.isAtLeastOnce();
        note(progress.isTooMuchKept());
        owedNanos = owed;
        if (progress.isDuringCall() && allSettled && !settledDuringPoll) {
            settledDuringPoll = true;
            settledNanos = nowNanos;
        }
    }

    /** Whether the task may be polled now. */
    boolean mayPoll() {
        beginsAnew &= !allSettled && !definesTransactions;
        boolean mustSettle = beginsAnew || isCommitOverdue() || tooMuchKept;
        return !mustSettle && (allDispatched || !isInStep() || isTrial());
    }

    private boolean isCommitOverdue() {
        // Where transactions end at intervals, all that is polled would have to wait for the next end.
        boolean mayWait = !definesTransactions && (!intervalBoundary || atLeastOnce);
        return acknowledgesOnCommit && mayWait && !allSettled && owedNanos > MAX_OWED_NANOS;
    }

    private boolean isTrial() {
        return ahead != PollAhead.NEVER && !reliesOnCommit() && pollsInStep >= POLLS_A_TRIAL;
    }

    private void note(boolean tooMuch) {
        if (tooMuch && !tooMuchKept) {
            log.warn("An event that Kafka has not acknowledged holds up the acknowledgement of later ones, "
                    + "which take as much memory as a stripe may (stripe.max.bytes); nothing more is read "
                    + "until it is acknowledged");
        }
        tooMuchKept = tooMuch;
    }

    /** Whether the task is polled in step with Connect. */
    boolean isInStep() {
        return ahead == PollAhead.NEVER || waitsForAcknowledgements || reliesOnCommit();
    }

    private boolean reliesOnCommit() {
        // An interval's transaction spans many polls in step too.
        return acknowledgesOnCommit && !atLeastOnce && (ahead == PollAhead.AUTO || intervalBoundary);
    }

    /** A poll begins. */
    void begun() {
        pollsInStep = allDispatched ? pollsInStep + 1 : 0;
        outstandingAtBegin = !allSettled;
        settledDuringPoll = false;
    }

    /** The task has asked for a retry, and may begin anew at the committed offset. */
    void failed() {
        beginsAnew = true;
    }

    /** The poll has ended, and whether it has brought records. */
    void ended(long nowNanos, boolean withRecords) {
        if (!outstandingAtBegin || ahead == PollAhead.ALWAYS) {
            return;
        }
        if (waitsForAcknowledgements) {
            stillWaits(withRecords);
            return;
        }
        answers = settledDuringPoll && nowNanos - settledNanos < ANSWER_NANOS ? answers + 1 : 0;
        if (answers == ANSWERS_NEEDED) {
            waitsForAcknowledgements = true;
            log.info("The hosted task's polls seem to wait for the acknowledgement of all that it returned "
                    + "before; it is polled in step with Connect from now on");
        }
    }

    private void stillWaits(boolean withRecords) {
        if (withRecords && !settledDuringPoll) {
            waitsForAcknowledgements = false;
            answers = 0;
            log.info("A poll of the hosted task has not waited for acknowledgements; it is polled ahead of Connect "
                    + "again");
        }
    }
}
