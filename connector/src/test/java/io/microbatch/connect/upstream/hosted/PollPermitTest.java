package io.microbatch.connect.upstream.hosted;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.config.HostedConfig.PollAhead;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Which tasks are polled ahead of Connect, and the conditions of every poll. */
class PollPermitTest {

    private static final FakeProgress DONE = FakeProgress.commits(1);
    private static final FakeProgress BUFFERED = DONE.withBuffered();
    private static final FakeProgress SENT = DONE.withOutstanding();
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final PollPermit plain = new PollPermit(PollAhead.AUTO, Set.of(TaskTrait.WAITS_FOR_NOTIFICATION), false);

    private static boolean mayPoll(PollPermit permit, FakeProgress progress) {
        permit.committed(progress, 0, 0);
        return permit.mayPoll();
    }

    private static PollPermit acknowledgingOnCommit(PollAhead ahead) {
        return new PollPermit(ahead, Set.of(TaskTrait.ACKNOWLEDGES_ON_COMMIT, TaskTrait.WAITS_FOR_NOTIFICATION), false);
    }

    @Test
    void pollsATaskAheadThatDoesNotAcknowledgeOnCommit() {
        assertThat(plain.mayPoll()).as("at first").isTrue();
        assertThat(mayPoll(plain, BUFFERED)).isTrue();
    }

    @Test
    void pollsATaskInStepThatAcknowledgesOnCommit() {
        PollPermit permit = acknowledgingOnCommit(PollAhead.AUTO);
        assertThat(permit.mayPoll()).as("at first").isTrue();
        assertThat(mayPoll(permit, BUFFERED)).isFalse();
        assertThat(mayPoll(permit, SENT)).isTrue();
    }

    @Test
    void pollsATaskAheadThatAcknowledgesOnCommitWithoutTransactions() {
        assertThat(mayPoll(acknowledgingOnCommit(PollAhead.AUTO), BUFFERED.atLeastOnce()))
                .isTrue();
    }

    @Test
    void obeysTheSettingOfTheOperator() {
        assertThat(mayPoll(acknowledgingOnCommit(PollAhead.ALWAYS), BUFFERED)).isTrue();
        PollPermit never = new PollPermit(PollAhead.NEVER, Set.of(TaskTrait.WAITS_FOR_NOTIFICATION), false);
        assertThat(mayPoll(never, BUFFERED.atLeastOnce())).isFalse();
        assertThat(mayPoll(never, SENT)).isTrue();
    }

    /** Every polled event is then in the transaction, and commit is called when Kafka has all of them. */
    @Test
    void pollsInStepIfTransactionsEndAtIntervals() {
        PollPermit permit = new PollPermit(
                PollAhead.ALWAYS, Set.of(TaskTrait.ACKNOWLEDGES_ON_COMMIT, TaskTrait.WAITS_FOR_NOTIFICATION), true);
        assertThat(mayPoll(permit, BUFFERED)).isFalse();
        assertThat(mayPoll(permit, SENT)).isTrue();
    }

    @Test
    void waitsAfterARequestForARetryUntilAllIsSettled() {
        plain.failed();
        assertThat(mayPoll(plain, SENT)).isFalse();
        assertThat(mayPoll(plain, DONE)).isTrue();
        assertThat(mayPoll(plain, SENT)).as("once only").isTrue();
    }

    @Test
    void doesNotWaitAfterARequestForARetryWhileNothingIsOutstanding() {
        plain.failed();
        assertThat(plain.mayPoll()).isTrue();
    }

    @Test
    void doesNotWaitAfterARequestForARetryIfTheTaskDefinesTransactions() {
        PollPermit permit = new PollPermit(
                PollAhead.AUTO, Set.of(TaskTrait.WAITS_FOR_NOTIFICATION, TaskTrait.DEFINES_TRANSACTIONS), false);
        permit.failed();
        assertThat(mayPoll(permit, SENT)).isTrue();
    }

    @Test
    void waitsForACommitThatIsLongDue() {
        PollPermit permit = acknowledgingOnCommit(PollAhead.ALWAYS);
        long limitNanos = TimeUnit.SECONDS.toNanos(5);
        permit.committed(SENT, limitNanos, 0);
        assertThat(permit.mayPoll()).isTrue();
        permit.committed(SENT, limitNanos + 1, 0);
        assertThat(permit.mayPoll()).isFalse();
        permit.committed(DONE, limitNanos + 1, 0);
        assertThat(permit.mayPoll()).as("no event is outstanding any more").isTrue();
        plain.committed(SENT, limitNanos + 1, 0);
        assertThat(plain.mayPoll()).as("its commit acknowledges nothing").isTrue();
    }

    @Test
    void neverWaitsForACommitIfTheTaskDefinesTransactions() {
        PollPermit permit = new PollPermit(
                PollAhead.ALWAYS,
                Set.of(
                        TaskTrait.ACKNOWLEDGES_ON_COMMIT,
                        TaskTrait.WAITS_FOR_NOTIFICATION,
                        TaskTrait.DEFINES_TRANSACTIONS),
                false);
        permit.committed(SENT, TimeUnit.MINUTES.toNanos(1), 0);
        assertThat(permit.mayPoll()).isTrue();
    }

    /** Otherwise the wait would last until the end of the next interval, again and again. */
    @Test
    void neverWaitsForACommitIfTransactionsEndAtIntervals() {
        PollPermit permit = new PollPermit(
                PollAhead.AUTO, Set.of(TaskTrait.ACKNOWLEDGES_ON_COMMIT, TaskTrait.WAITS_FOR_NOTIFICATION), true);
        permit.committed(SENT, TimeUnit.MINUTES.toNanos(1), 0);
        assertThat(permit.mayPoll()).isTrue();
        permit.committed(SENT.atLeastOnce(), TimeUnit.MINUTES.toNanos(1), 0);
        assertThat(permit.mayPoll()).as("no transactions, no intervals").isFalse();
    }

    /** A poll that begins with an outstanding event and ends this time after its settlement. */
    private static void poll(PollPermit permit, long answerNanos) {
        permit.committed(BUFFERED, 0, 0);
        permit.begun(0);
        permit.committed(DONE.duringCall(), 0, 100);
        permit.committed(DONE.duringCall(), 0, 101);
        permit.ended(100 + answerNanos, true);
    }

    private static void waitInPolls(PollPermit permit, int polls) {
        for (int i = 0; i < polls; i++) {
            poll(permit, 5 * MS - 1);
        }
    }

    @Test
    void detectsThatPollsWaitForAcknowledgements() {
        waitInPolls(plain, 4);
        assertThat(plain.isInStep()).isFalse();
        waitInPolls(plain, 1);
        assertThat(plain.isInStep()).isTrue();
    }

    @Test
    void treatsAPollThatEndsLaterAsNotWaiting() {
        waitInPolls(plain, 4);
        poll(plain, 5 * MS);
        waitInPolls(plain, 4);
        assertThat(plain.isInStep()).isFalse();
    }

    /** A steady stream may look like a waiting task for a while. */
    @Test
    void checksFromTimeToTimeWhetherATaskStillWaits() {
        waitInPolls(plain, 5);
        for (int i = 0; i < 64; i++) {
            assertThat(mayPoll(plain, BUFFERED)).as("poll %d", i).isFalse();
            assertThat(mayPoll(plain, DONE)).isTrue();
            plain.begun(0);
            plain.ended(1, true);
        }
        assertThat(mayPoll(plain, BUFFERED)).as("the trial").isTrue();
        plain.begun(0);
        plain.ended(2, false);
        assertThat(plain.isInStep()).as("the poll returned nothing").isTrue();
        assertThat(mayPoll(plain, BUFFERED)).as("once").isFalse();
        plain.committed(BUFFERED, 0, 0);
        plain.begun(0);
        plain.ended(3, true);
        assertThat(plain.isInStep())
                .as("it has returned events before the acknowledgement")
                .isFalse();
    }

    @Test
    void neverPollsATaskAheadOnTrialThatReliesOnCommit() {
        PollPermit permit = acknowledgingOnCommit(PollAhead.AUTO);
        for (int i = 0; i < 100; i++) {
            assertThat(mayPoll(permit, BUFFERED)).isFalse();
            assertThat(mayPoll(permit, DONE)).isTrue();
            permit.begun(0);
            permit.ended(1, true);
        }
    }

    @Test
    void learnsNothingFromPollsWithoutOutstandingEvents() {
        for (int i = 0; i < 6; i++) {
            plain.committed(DONE, 0, 0);
            plain.begun(0);
            plain.committed(DONE.duringCall(), 0, 100);
            plain.ended(101, true);
        }
        assertThat(plain.isInStep()).isFalse();
    }

    @Test
    void learnsNothingIfTheOperatorDecides() {
        PollPermit always = new PollPermit(PollAhead.ALWAYS, Set.of(TaskTrait.WAITS_FOR_NOTIFICATION), false);
        waitInPolls(always, 6);
        assertThat(always.isInStep()).isFalse();
    }

    private static void poll(
            PollPermit permit, FakeProgress progress, long beganNanos, long endedNanos, boolean withRecords) {
        permit.committed(progress, 0, beganNanos);
        permit.begun(beganNanos);
        permit.ended(endedNanos, withRecords);
    }

    /** IBM's connector for MQ fails after 50 such polls. Connect makes none while it is paused or waits for Kafka. */
    @Test
    void waitsForConnectAfterASecondOfPollsWithoutRecords() {
        poll(plain, BUFFERED, 0, SECOND, false);
        assertThat(mayPoll(plain, BUFFERED)).isFalse();
        assertThat(mayPoll(plain, BUFFERED.atLeastOnce())).isFalse();
        assertThat(mayPoll(plain, SENT)).as("Connect has polled again").isTrue();
        assertThat(mayPoll(plain, BUFFERED)).as("the next events").isTrue();
    }

    @Test
    void addsTheTimeOfPollsWithoutRecords() {
        poll(plain, BUFFERED, 0, SECOND / 2, false);
        assertThat(mayPoll(plain, BUFFERED)).isTrue();
        poll(plain, BUFFERED, SECOND / 2, SECOND - 1, false);
        assertThat(mayPoll(plain, BUFFERED)).isTrue();
        poll(plain, BUFFERED, SECOND - 1, SECOND, false);
        assertThat(mayPoll(plain, BUFFERED)).isFalse();
    }

    @Test
    void beginsAnewAfterRecordsAndAfterAPollOfConnect() {
        poll(plain, BUFFERED, 0, SECOND / 2, false);
        poll(plain, BUFFERED, SECOND / 2, SECOND / 2, true);
        poll(plain, BUFFERED, SECOND / 2, SECOND, false);
        assertThat(mayPoll(plain, BUFFERED)).as("records came").isTrue();
        poll(plain, SENT, SECOND, 9 * SECOND, false);
        poll(plain, BUFFERED, 9 * SECOND, 9 * SECOND + 1, false);
        assertThat(mayPoll(plain, BUFFERED)).as("Connect had everything").isTrue();
    }

    @Test
    void pollsOnIfThePollsWaitForNothing() {
        PollPermit withoutHooks = new PollPermit(PollAhead.AUTO, Set.of(), false);
        poll(withoutHooks, BUFFERED, 0, 9 * SECOND, false);
        assertThat(mayPoll(withoutHooks, BUFFERED)).isTrue();
        PollPermit always = new PollPermit(PollAhead.ALWAYS, Set.of(TaskTrait.WAITS_FOR_NOTIFICATION), false);
        poll(always, BUFFERED, 0, 9 * SECOND, false);
        assertThat(mayPoll(always, BUFFERED)).as("the operator says so").isTrue();
    }
}
