package io.microbatch.connect.upstream.hosted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microbatch.connect.ack.DiscardedRecords;
import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.config.HostedConfig.PollAhead;
import io.microbatch.connect.upstream.hosted.HostedSample.SampleTask;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Both ways in which a hosted task is notified of the events that Kafka has. */
class ConfirmationTest {

    private static final RecordMetadata SENT = new RecordMetadata(new TopicPartition("t", 0), 0, 0, 0, 0, 0);

    /** Close to the overflow of a monotonic clock, which may start at any value. */
    private static final long T = Long.MAX_VALUE - 50;

    private final SampleTask task = new SampleTask();
    private final Confirmation durable = new DurableOffsetConfirmation(new HostedHooks(task));
    private final AtomicLong nowNanos = new AtomicLong(T);
    private final EachRecordConfirmation each = each(true);

    private EachRecordConfirmation each(boolean acknowledgesOnCommit) {
        return new EachRecordConfirmation(
                new HostedHooks(task),
                acknowledgesOnCommit ? Set.of(TaskTrait.ACKNOWLEDGES_ON_COMMIT) : Set.of(),
                PollAhead.AUTO,
                0,
                nowNanos::get);
    }

    private static EventRecord event(int partition, String value, long settledNanos, RecordMetadata metadata) {
        SourceRecord origin = new SourceRecord(Map.of("p", partition), Map.of("o", value), "t", null, value);
        EventRecord event = new EventRecord(origin, 1, 0);
        event.settle(metadata, settledNanos);
        return event;
    }

    private static EventRecord sent(int partition, String value, long settledNanos) {
        return event(partition, value, settledNanos, SENT);
    }

    /** Calls committed twice: the first call starts the wait for the settled events. */
    private void committed(long durableBeforeNanos) {
        durable.committed(FakeProgress.durableBefore(durableBeforeNanos));
        durable.committed(FakeProgress.durableBefore(durableBeforeNanos));
    }

    @Test
    void confirmsTheLastEventOfEachSourcePartitionWhenItsOffsetIsDurable() {
        durable.settled(sent(1, "a1", T + 10));
        durable.settled(sent(2, "b1", T + 11));
        durable.settled(sent(1, "a2", T + 12));
        committed(T + 12);
        assertThat(task.confirmed).as("settled at 12, durable before 12").isEmpty();
        assertThat(task.commits).isZero();

        committed(T + 13);
        assertThat(task.confirmed).containsExactly("a2", "b1");
        assertThat(task.commits).isOne();

        committed(T + 20);
        assertThat(task.confirmed).as("nothing twice").hasSize(2);
    }

    @Test
    void waitsForTheLatestSettlementOfAllEarlierEvents() {
        // The second record came back first. Connect commits its offset only when the first is acknowledged too.
        durable.settled(sent(1, "a1", T + 100));
        durable.settled(sent(1, "a2", T + 50));
        committed(T + 60);
        assertThat(task.confirmed).isEmpty();

        committed(T + 101);
        assertThat(task.confirmed).containsExactly("a2");
    }

    @Test
    void waitsForALateSettlementOfAnEarlierGenerationToo() {
        durable.settled(sent(1, "a1", T + 100));
        committed(T + 101);
        durable.settled(event(1, "a2", T + 150, null));
        durable.settled(sent(1, "a3", T + 120));
        committed(T + 140);
        assertThat(task.confirmed).containsExactly("a1");
        committed(T + 151);
        assertThat(task.confirmed).containsExactly("a1", "a3");
    }

    @Test
    void confirmsNothingForAFilteredRecordAlone() {
        durable.settled(sent(1, "a1", T + 1));
        durable.settled(event(1, "a2", T + 2, null));
        committed(T + 40);
        assertThat(task.confirmed).containsExactly("a1");
    }

    /** Its offset is durable with the dead letter. Otherwise the database would keep its log. */
    @Test
    void confirmsARecordThatADeadLetterReplaces() {
        SourceRecord origin = new SourceRecord(Map.of("p", 1), Map.of("o", "a2"), "t", null, "a2");
        EventRecord letter = EventRecord.deadLetter(origin, origin, 1, 0);
        letter.settle(SENT, T + 2);
        durable.settled(sent(1, "a1", T + 1));
        durable.settled(letter);
        committed(T + 40);
        assertThat(task.confirmed).as("without a position").containsExactly("skipped a2");
    }

    @Test
    void separatesNewEventsFromWaitingOnes() {
        durable.settled(sent(1, "a1", T + 1));
        durable.committed(FakeProgress.durableBefore(T));
        durable.settled(sent(1, "a2", T + 20));
        durable.committed(FakeProgress.durableBefore(T + 10));
        assertThat(task.confirmed).containsExactly("a1");
        durable.committed(FakeProgress.durableBefore(T + 21));
        assertThat(task.confirmed).containsExactly("a1", "a2");
    }

    @Test
    void notifiesOfEachRecordInOrderWithItsMetadata() {
        each.settled(sent(1, "a1", 1));
        each.settled(event(1, "a2", 2, null));
        each.settled(sent(1, "a3", 3));
        assertThat(task.confirmed).containsExactly("a1", "skipped a2", "a3");
    }

    /** Connect does not tell the connector of a record that the producer has discarded in an abort. */
    @Test
    void notifiesOfNoRecordThatWasDiscarded() {
        SourceRecord origin = new SourceRecord(Map.of("p", 1), Map.of("o", "a1"), "t", null, "a1");
        EventRecord unsent = new EventRecord(origin, 1, 0);
        EventRecord later = sent(1, "a2", 2);
        DiscardedRecords discarded = new DiscardedRecords();
        discarded.returned(List.of(unsent, later));
        discarded.acknowledged();
        discarded.settle(3, event -> {});
        each.settled(unsent);
        each.settled(later);
        assertThat(task.confirmed).containsExactly("a2");
    }

    @Test
    void notifiesOfEveryCommitOnce() {
        each.committed(FakeProgress.commits(0));
        assertThat(task.commits).isZero();
        each.committed(FakeProgress.commits(1));
        each.committed(FakeProgress.commits(1));
        assertThat(task.commits).isOne();
        each.committed(FakeProgress.commits(2));
        assertThat(task.commits).isEqualTo(2);
    }

    @Test
    void ignoresAnExceptionOfAHookAsConnectDoes() {
        task.toThrow = new IllegalStateException("for a test");
        each.settled(sent(1, "a1", 1));
        each.committed(FakeProgress.commits(1));
        durable.settled(sent(1, "a2", T));
        committed(T + 1);
        assertThat(task.confirmed).containsExactly("a1", "a2");
        assertThat(task.commits).isEqualTo(2);
    }

    @Test
    void confirmsNothingAfterItsReaderWasAbandoned() {
        HostedHooks hooks = new HostedHooks(task);
        hooks.abandon();
        hooks.commitRecord(sent(1, "a1", T + 10));
        hooks.commit();
        assertThat(task.confirmed).isEmpty();
        assertThat(task.commits).isZero();
    }

    @Test
    void callsCommitOnlyWhenKafkaHasAllReturnedEvents() {
        each.committed(FakeProgress.commits(1).withOutstanding());
        assertThat(task.commits).isZero();
        nowNanos.addAndGet(7);
        assertThat(each.owedNanos()).isEqualTo(7);
        each.committed(FakeProgress.commits(1));
        assertThat(task.commits).isOne();
        assertThat(each.owedNanos()).isZero();
    }

    @Test
    void callsCommitDuringAPollOnlyAtLeastOnceAndOnlyLate() {
        FakeProgress atLeastOnce = FakeProgress.commits(1).duringCall().atLeastOnce();
        each.polls(nowNanos.get());
        each.committed(atLeastOnce);
        nowNanos.addAndGet(TimeUnit.SECONDS.toNanos(1) - 1);
        each.committed(atLeastOnce);
        assertThat(task.commits).as("the poll may end without it").isZero();
        nowNanos.addAndGet(1);
        each.committed(FakeProgress.commits(1).duringCall());
        assertThat(task.commits).as("never during a poll with transactions").isZero();
        each.committed(atLeastOnce.withOutstanding());
        assertThat(task.commits).as("with an outstanding event").isZero();
        each.committed(atLeastOnce);
        assertThat(task.commits).isOne();
    }

    @Test
    void passesCommitsOnIfTheyAcknowledgeNothing() {
        EachRecordConfirmation notifying = each(false);
        notifying.committed(FakeProgress.commits(1).duringCall().withOutstanding());
        assertThat(task.commits).isOne();
    }

    /** Each of them costs the worker and the broker as much as a small transaction. */
    @Test
    void passesOneOfManyCommitsOnIfTheTaskReadsTheStoredOffset() {
        EachRecordConfirmation spaced =
                new EachRecordConfirmation(new HostedHooks(task), Set.of(), PollAhead.AUTO, 1_000, nowNanos::get);
        spaced.committed(FakeProgress.commits(1));
        assertThat(task.commits).as("the first at once").isOne();
        spaced.committed(FakeProgress.commits(2));
        nowNanos.addAndGet(999);
        spaced.committed(FakeProgress.commits(3));
        assertThat(task.commits).isOne();
        nowNanos.addAndGet(1);
        spaced.committed(FakeProgress.commits(3));
        assertThat(task.commits).as("the last is only delayed").isEqualTo(2);
        nowNanos.addAndGet(5_000);
        spaced.committed(FakeProgress.commits(3));
        assertThat(task.commits).as("none without one of Connect").isEqualTo(2);
        spaced.committed(FakeProgress.commits(4));
        assertThat(task.commits).isEqualTo(3);
    }

    @Test
    void ignoresErrorsAndInterruptionsOfAHookAsConnectDoes() {
        for (Throwable thrown : List.of(new AssertionError("for a test"), new InterruptedException("for a test"))) {
            SampleTask failing = new SampleTask() {
                @Override
                public void commit() {
                    commits++;
                    sneak(thrown);
                }
            };
            new HostedHooks(failing).commit();
            assertThat(failing.commits).isOne();
        }
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    /** An error of the virtual machine affects the reader too. */
    @Test
    void rethrowsAnErrorOfTheVirtualMachine() {
        OutOfMemoryError error = new OutOfMemoryError("planted");
        HostedHooks hooks = new HostedHooks(new SampleTask() {
            @Override
            public void commit() {
                throw error;
            }
        });
        assertThatThrownBy(hooks::commit).isSameAs(error);
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable thrown) throws T {
        throw (T) thrown;
    }

    /** A commit that has been due for long does not mean that the present poll waits for it. */
    @Test
    void callsNoCommitDuringAPollThatHasJustBegun() {
        FakeProgress atLeastOnce = FakeProgress.commits(1).atLeastOnce();
        each.committed(atLeastOnce.withOutstanding());
        nowNanos.addAndGet(TimeUnit.SECONDS.toNanos(3));
        each.polls(nowNanos.get());
        each.committed(atLeastOnce.duringCall());
        assertThat(task.commits).isZero();
        nowNanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
        each.committed(atLeastOnce.duringCall());
        assertThat(task.commits).isOne();
    }

    private EachRecordConfirmation defining(PollAhead ahead) {
        return new EachRecordConfirmation(
                new HostedHooks(task),
                Set.of(TaskTrait.ACKNOWLEDGES_ON_COMMIT, TaskTrait.DEFINES_TRANSACTIONS),
                ahead,
                0,
                nowNanos::get);
    }

    /** A part of what the task has returned may be in an open transaction whenever the task can be called. */
    @ParameterizedTest
    @EnumSource(names = {"AUTO", "NEVER"})
    void waitsForNoOpenTransactionOfATaskThatDefinesTransactionsAndIsPolledInStep(PollAhead ahead) {
        Confirmation defining = defining(ahead);
        defining.committed(FakeProgress.commits(1).withBuffered());
        assertThat(task.commits).as("Connect has not sent everything").isZero();
        defining.committed(FakeProgress.commits(1).withOutstanding().duringCall());
        assertThat(task.commits).as("a poll may take what is not returned yet").isZero();
        defining.committed(FakeProgress.commits(1).withOutstanding());
        assertThat(task.commits).isOne();
        defining.committed(FakeProgress.commits(1));
        assertThat(task.commits).as("no further transaction").isOne();
    }

    /** Events that it returned after the transaction would be acknowledged, too. Without hosting they are not. */
    @Test
    void waitsForEveryAcknowledgementIfATaskThatDefinesTransactionsIsPolledAhead() {
        Confirmation defining = defining(PollAhead.ALWAYS);
        defining.committed(FakeProgress.commits(1).withoutAcknowledgements());
        assertThat(task.commits).isZero();
        each.committed(FakeProgress.commits(1).withoutAcknowledgements());
        assertThat(task.commits).as("otherwise the event counts as filtered").isOne();
        defining.committed(FakeProgress.commits(1));
        assertThat(task.commits).isEqualTo(2);
    }
}
