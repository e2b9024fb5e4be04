package io.microbatch.connect.upstream.hosted;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.config.HostedConfig.PollAhead;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Which tasks are polled ahead of Connect, and what every task waits for. */
class PollPermitTest {

    private static final FakeProgress DONE = FakeProgress.commits(1);
    private static final FakeProgress BUFFERED = DONE.withBuffered();
    private static final FakeProgress SENT = DONE.withOutstanding();
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

    private final PollPermit plain = new PollPermit(PollAhead.AUTO, false, false, false);

    private static boolean mayPoll(PollPermit permit, FakeProgress progress) {
        permit.committed(progress, 0, 0);
        return permit.mayPoll();
    }

    private static PollPermit acknowledgingOnCommit(PollAhead ahead) {
        return new PollPermit(ahead, true, false, false);
    }

    @Test
    void pollsAheadWhatDoesNotAcknowledgeOnCommit() {
        assertThat(plain.mayPoll()).as("at first").isTrue();
        assertThat(mayPoll(plain, BUFFERED)).isTrue();
    }

    @Test
    void pollsWhatAcknowledgesOnCommitInStep() {
        PollPermit permit = acknowledgingOnCommit(PollAhead.AUTO);
        assertThat(permit.mayPoll()).as("at first").isTrue();
        assertThat(mayPoll(permit, BUFFERED)).isFalse();
        assertThat(mayPoll(permit, SENT)).isTrue();
    }

    @Test
    void pollsWhatAcknowledgesOnCommitAheadWhereThereAreNoTransactions() {
        assertThat(mayPoll(acknowledgingOnCommit(PollAhead.AUTO), BUFFERED.atLeastOnce()))
                .isTrue();
    }

    @Test
    void doesWhatTheOperatorSays() {
        assertThat(mayPoll(acknowledgingOnCommit(PollAhead.ALWAYS), BUFFERED)).isTrue();
        PollPermit never = new PollPermit(PollAhead.NEVER, false, false, false);
        assertThat(mayPoll(never, BUFFERED.atLeastOnce())).isFalse();
        assertThat(mayPoll(never, SENT)).isTrue();
    }

    /** All that was polled is in the transaction then, and commit comes when all of it is in Kafka. */
    @Test
    void pollsInStepWhereTransactionsEndAtIntervals() {
        PollPermit permit = new PollPermit(PollAhead.ALWAYS, true, false, true);
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
    void doesNotWaitAfterARequestForARetryWhereTheTaskSaysWhereTransactionsEnd() {
        PollPermit permit = new PollPermit(PollAhead.AUTO, false, true, false);
        permit.failed();
        assertThat(mayPoll(permit, SENT)).isTrue();
    }

    @Test
    void waitsForACommitThatIsOwedForLong() {
        PollPermit permit = acknowledgingOnCommit(PollAhead.ALWAYS);
        long limitNanos = TimeUnit.SECONDS.toNanos(5);
        permit.committed(SENT, limitNanos, 0);
        assertThat(permit.mayPoll()).isTrue();
        permit.committed(SENT, limitNanos + 1, 0);
        assertThat(permit.mayPoll()).isFalse();
        permit.committed(DONE, limitNanos + 1, 0);
        assertThat(permit.mayPoll()).as("nothing is on its way any more").isTrue();
        plain.committed(SENT, limitNanos + 1, 0);
        assertThat(plain.mayPoll()).as("nobody waits for its commit").isTrue();
    }

    @Test
    void neverWaitsForACommitWhereTheTaskSaysWhereTransactionsEnd() {
        PollPermit permit = new PollPermit(PollAhead.ALWAYS, true, true, false);
        permit.committed(SENT, TimeUnit.MINUTES.toNanos(1), 0);
        assertThat(permit.mayPoll()).isTrue();
    }

    /** It would wait for the end of the next interval, and for the one behind that, and so on. */
    @Test
    void neverWaitsForACommitWhereTransactionsEndAtIntervals() {
        PollPermit permit = new PollPermit(PollAhead.AUTO, true, false, true);
        permit.committed(SENT, TimeUnit.MINUTES.toNanos(1), 0);
        assertThat(permit.mayPoll()).isTrue();
        permit.committed(SENT.atLeastOnce(), TimeUnit.MINUTES.toNanos(1), 0);
        assertThat(permit.mayPoll()).as("no transactions, no intervals").isFalse();
    }

    @Test
    void readsNothingWhileTooMuchIsKept() {
        assertThat(mayPoll(plain, SENT.withTooMuchKept())).isFalse();
        assertThat(mayPoll(plain, SENT)).isTrue();
    }

    /** Begins with an event on its way, and ends so long after that was settled. */
    private static void poll(PollPermit permit, long answerNanos) {
        permit.committed(BUFFERED, 0, 0);
        permit.begun();
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
    void seesThatPollsWaitForAcknowledgements() {
        waitInPolls(plain, 4);
        assertThat(plain.isInStep()).isFalse();
        waitInPolls(plain, 1);
        assertThat(plain.isInStep()).isTrue();
    }

    @Test
    void takesAPollThatEndsLaterForOneThatDoesNotWait() {
        waitInPolls(plain, 4);
        poll(plain, 5 * MS);
        waitInPolls(plain, 4);
        assertThat(plain.isInStep()).isFalse();
    }

    /** A steady stream may look for a while like a task that waits. */
    @Test
    void triesNowAndThenWhetherATaskStillWaits() {
        waitInPolls(plain, 5);
        for (int i = 0; i < 64; i++) {
            assertThat(mayPoll(plain, BUFFERED)).as("poll %d", i).isFalse();
            assertThat(mayPoll(plain, DONE)).isTrue();
            plain.begun();
            plain.ended(1, true);
        }
        assertThat(mayPoll(plain, BUFFERED)).as("the trial").isTrue();
        plain.begun();
        plain.ended(2, false);
        assertThat(plain.isInStep()).as("nothing came").isTrue();
        assertThat(mayPoll(plain, BUFFERED)).as("once").isFalse();
        plain.committed(BUFFERED, 0, 0);
        plain.begun();
        plain.ended(3, true);
        assertThat(plain.isInStep())
                .as("it has brought events before the acknowledgement")
                .isFalse();
    }

    @Test
    void triesNothingWhereATaskReliesOnCommit() {
        PollPermit permit = acknowledgingOnCommit(PollAhead.AUTO);
        for (int i = 0; i < 100; i++) {
            assertThat(mayPoll(permit, BUFFERED)).isFalse();
            assertThat(mayPoll(permit, DONE)).isTrue();
            permit.begun();
            permit.ended(1, true);
        }
    }

    @Test
    void learnsNothingFromPollsWithNothingOnItsWay() {
        for (int i = 0; i < 6; i++) {
            plain.committed(DONE, 0, 0);
            plain.begun();
            plain.committed(DONE.duringCall(), 0, 100);
            plain.ended(101, true);
        }
        assertThat(plain.isInStep()).isFalse();
    }

    @Test
    void learnsNothingWhereTheOperatorSays() {
        PollPermit always = new PollPermit(PollAhead.ALWAYS, false, false, false);
        waitInPolls(always, 6);
        assertThat(always.isInStep()).isFalse();
    }
}
