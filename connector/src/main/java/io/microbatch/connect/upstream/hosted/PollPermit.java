package io.microbatch.connect.upstream.hosted;

import io.microbatch.connect.config.HostedConfig.PollAhead;
import io.microbatch.connect.upstream.Progress;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides whether a hosted task may be polled while its events are still on their way to Kafka. Connect itself polls
 * only when the previous batch is sent, on an exactly-once worker when it is committed. Polling ahead makes large
 * batches of small polls. But some tasks rely on Connect's order and are polled in step with Connect:
 * <ul>
 *   <li>A task that takes commit as the acknowledgement of everything that it has returned, on an exactly-once worker.
 *       Its next poll may wait for that acknowledgement. A commit during the poll could cover events that the poll has
 *       already taken from the source.
 *   <li>A task whose polls were observed to wait for the acknowledgement of every earlier event. More polls gain
 *       nothing, and the buffered events can be returned immediately.
 * </ul>
 *
 * <p>Every task waits until all events are settled if it asked for a retry, or if a commit has been owed for long.
 *
 * <p>A task that may wait in its polls for a notification is not polled any more if Connect does not take its events
 * and its polls return nothing for a second. Connect may be paused, or wait for Kafka, and makes no poll then. IBM's
 * connector for MQ fails after 50 polls that have waited in vain. One thread at a time.
 */
final class PollPermit {

    private static final Logger log = LoggerFactory.getLogger(PollPermit.class);

    private static final long MAX_OWED_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** A poll that ends within this time after the last acknowledgement has waited for it. */
    private static final long ANSWER_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /** The number of such polls in a row that proves it. One poll may end by chance when an acknowledgement comes. */
    private static final int ANSWERS_NEEDED = 5;

    /** One of this many polls is ahead, to test whether the task still waits. */
    private static final int POLLS_A_TRIAL = 64;

    /** How long polls may return nothing while Connect does not take what was polled before. */
    private static final long MAX_IN_VAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final PollAhead ahead;
    private final Set<TaskTrait> traits;
    private final boolean intervalBoundary;

    private boolean allSettled = true;
    private boolean allDispatched = true;
    private boolean atLeastOnce;
    private long owedNanos;

    private boolean mayRestart;

    /** Whether events were unsettled when the current poll began. */
    private boolean outstandingAtBegin;

    private long beganNanos;

    /** Whether the last poll returned nothing while Connect had not taken all events. */
    private boolean inVain;

    /** The begin of the first of such polls in a row. */
    private long inVainSinceNanos;

    private long inVainNanos;

    private boolean settledDuringPoll;
    private long settledNanos;
    private int answers;
    private int pollsInStep;
    private boolean waitsForAcknowledgements;

    /**
     * Creates the permit of one task.
     *
     * @param intervalBoundary whether the worker commits transactions at intervals
     */
    PollPermit(PollAhead ahead, Set<TaskTrait> traits, boolean intervalBoundary) {
        this.ahead = ahead;
        this.traits = traits;
        this.intervalBoundary = intervalBoundary;
    }

    /** Updates how far Connect is, and how long a commit has been owed to the task, in nanoseconds. */
    void committed(Progress progress, long owed, long nowNanos) {
        allSettled = progress.isAllSettled();
        allDispatched = progress.isAllDispatched();
        atLeastOnce = progress.isAtLeastOnce();
        owedNanos = owed;
        mayRestart &= !allSettled;
        inVain &= !allDispatched;
        if (progress.isDuringCall() && allSettled && !settledDuringPoll) {
            settledDuringPoll = true;
            settledNanos = nowNanos;
        }
    }

    /** Whether the task may be polled now. */
    boolean mayPoll() {
        boolean mustSettle = (mayRestart && !allSettled) || isCommitOverdue();
        return !mustSettle && (allDispatched || !isInStep() || isTrial()) && !isLongInVain();
    }

    private boolean isLongInVain() {
        return inVain && !allDispatched && inVainNanos >= MAX_IN_VAIN_NANOS;
    }

    private boolean isCommitOverdue() {
        // If transactions end at intervals, all polled events would have to wait for the next end.
        boolean mayWait = !traits.contains(TaskTrait.DEFINES_TRANSACTIONS) && (!intervalBoundary || atLeastOnce);
        return traits.contains(TaskTrait.ACKNOWLEDGES_ON_COMMIT)
                && mayWait
                && !allSettled
                && owedNanos > MAX_OWED_NANOS;
    }

    private boolean isTrial() {
        return ahead != PollAhead.NEVER && !reliesOnCommit() && pollsInStep >= POLLS_A_TRIAL;
    }

    /** Whether the task is polled in step with Connect. */
    boolean isInStep() {
        return ahead == PollAhead.NEVER || waitsForAcknowledgements || reliesOnCommit();
    }

    private boolean reliesOnCommit() {
        // A transaction of an interval contains many polls even in step.
        return traits.contains(TaskTrait.ACKNOWLEDGES_ON_COMMIT)
                && !atLeastOnce
                && (ahead == PollAhead.AUTO || intervalBoundary);
    }

    /** A poll begins. */
    void begun(long nowNanos) {
        beganNanos = nowNanos;
        pollsInStep = allDispatched ? pollsInStep + 1 : 0;
        outstandingAtBegin = !allSettled;
        settledDuringPoll = false;
    }

    /** The task has asked for a retry, and may restart at the committed offset. */
    void failed() {
        mayRestart = !traits.contains(TaskTrait.DEFINES_TRANSACTIONS);
    }

    /** The poll has ended, with or without records. */
    void ended(long nowNanos, boolean withRecords) {
        observeInVain(nowNanos, withRecords);
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
            log.info("It appears that the hosted task's polls wait for the acknowledgement of all that it returned; "
                    + "it is now polled in step with Connect");
        }
    }

    private void observeInVain(long nowNanos, boolean withRecords) {
        boolean before = inVain;
        inVain = traits.contains(TaskTrait.WAITS_FOR_NOTIFICATION)
                && ahead != PollAhead.ALWAYS
                && !withRecords
                && !allDispatched;
        if (!before) {
            inVainSinceNanos = beganNanos;
        }
        inVainNanos = nowNanos - inVainSinceNanos;
    }

    private void stillWaits(boolean withRecords) {
        if (withRecords && !settledDuringPoll) {
            waitsForAcknowledgements = false;
            answers = 0;
            log.info("A poll of the hosted task has not waited for acknowledgements; "
                    + "it is polled ahead of Connect again");
        }
    }
}
