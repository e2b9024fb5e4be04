package io.microbatch.connect.poll;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.control.BatchTarget;
import io.microbatch.connect.control.Controller;
import io.microbatch.connect.control.Decision;
import io.microbatch.connect.pressure.ArrivalGauge;
import io.microbatch.connect.pressure.PressureLevel;
import io.microbatch.connect.stripe.Offer;
import io.microbatch.connect.stripe.Offering;
import io.microbatch.connect.stripe.StripeSet;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The clock by itself, and polls of an assembler that keeps it. A reading of the clock advances it by a tenth of a
 * millisecond, and a wait for a deadline takes no time.
 */
@Timeout(60)
class CommitClockTest {

    private static final long MS = 1_000_000;
    private static final long LIMIT = 250 * MS;
    private static final long START = Long.MAX_VALUE - 50 * MS;
    private static final long STEP = MS / 10;

    private final AtomicLong now = new AtomicLong(START);
    private final LongSupplier nanoClock = () -> {
        LockSupport.unpark(Thread.currentThread());
        return now.getAndAdd(STEP);
    };

    private static CommitClock every(long intervalMs) {
        return new CommitClock(intervalMs * MS, START);
    }

    @Test
    void waitsForTheRestOfTheIntervalWhileATransactionIsOpen() {
        CommitClock commits = every(100);
        commits.polled(START + 30 * MS, true);
        assertThat(commits.maxWaitNanos(START + 40 * MS, LIMIT)).isEqualTo(60 * MS);
        commits.polled(START + 50 * MS, false);
        assertThat(commits.maxWaitNanos(START + 50 * MS, LIMIT)).isEqualTo(50 * MS);
    }

    @Test
    void startsAnIntervalWithEachEmptyCommit() {
        CommitClock commits = every(100);
        long emptyNanos = START;
        for (int i = 0; i < 10; i++) {
            emptyNanos += 250 * MS;
            commits.polled(emptyNanos, false);
        }
        commits.polled(emptyNanos + 30 * MS, true);
        assertThat(commits.maxWaitNanos(emptyNanos + 33 * MS, LIMIT)).isEqualTo(67 * MS);
    }

    @Test
    void waitsAsLongAsEverWithoutAnOpenTransaction() {
        CommitClock commits = every(100);
        assertThat(commits.maxWaitNanos(START + 40 * MS, LIMIT)).isEqualTo(LIMIT);
        commits.polled(START + 50 * MS, true);
        commits.committed();
        commits.polled(START + 60 * MS, false);
        assertThat(commits.maxWaitNanos(START + 60 * MS, LIMIT)).isEqualTo(LIMIT);
    }

    @Test
    void countsFromTheReturnOfThePollAfterWhichTheCommitBegan() {
        CommitClock commits = every(100);
        commits.polled(START + 130 * MS, true);
        commits.committed();
        commits.polled(START + 170 * MS, true);
        assertThat(commits.maxWaitNanos(START + 180 * MS, LIMIT)).isEqualTo(50 * MS);
    }

    @Test
    void isNeverLaterThanTheSendingTookAndNeverSpins() {
        CommitClock commits = every(100);
        commits.polled(START, true);
        long time = START + 100 * MS;
        int polls = 0;
        while (time < START + 100 * MS + LIMIT) {
            long waited = commits.maxWaitNanos(time, LIMIT);
            long late = time - START - 100 * MS;
            assertThat(waited).isBetween(MS, Math.max(MS, late));
            time += waited;
            polls++;
        }
        assertThat(polls).as("until it waits as long as ever").isLessThan(12);
        assertThat(commits.maxWaitNanos(time, LIMIT)).isEqualTo(LIMIT);
    }

    @Test
    void neverWaitsLongerThanTheLimit() {
        CommitClock commits = every(60_000);
        commits.polled(START, true);
        assertThat(commits.maxWaitNanos(START, LIMIT)).isEqualTo(LIMIT);
    }

    @Test
    void doesNotLimitPollsWithoutAnInterval() {
        CommitClock commits = new CommitClock(CommitClock.NO_INTERVAL, START);
        commits.polled(START, true);
        assertThat(commits.maxWaitNanos(START + 1_000_000 * MS, LIMIT)).isEqualTo(LIMIT);
    }

    /** Waits for 5 events, or for a linger of 400 ms. */
    private static final class Patient implements Controller {
        private final Decision decision = new Decision(
                BatchTarget.best(5, 400 * MS),
                PressureLevel.L5_BALANCED,
                500,
                true,
                BatchTarget.best(5, 400 * MS).setting(),
                5,
                1_000,
                Decision.NEVER_QUIET_NANOS,
                0,
                10);

        @Override
        public Decision decide(long nowNanos, double arrivalsPerSec) {
            return decision;
        }

        @Override
        public void acknowledged(
                long nowNanos, long delayNanos, long pausedNanos, long worstLatencyNanos, boolean transactional) {
            throw new AssertionError("the assembler acknowledges nothing");
        }
    }

    private final StripeSet<EventRecord> stripes = new StripeSet<>(1, 16, 10_000, nanoClock);

    private BatchAssembler assembler(CommitClock commits) {
        return new BatchAssembler(
                new SingleRecords(stripes),
                new Patient(),
                new ArrivalGauge(500, START, 0),
                commits,
                null,
                nanoClock,
                () -> 0);
    }

    private void offer(int events) {
        for (int i = 0; i < events; i++) {
            SourceRecord origin = new SourceRecord(Map.of("p", 0), Map.of("o", i), "t", null, null);
            EventRecord event = new EventRecord(origin, 10, now.get());
            assertThat(Offering.offer(stripes.writer(0), event, 10)).isEqualTo(Offer.ACCEPTED);
        }
    }

    /** Polls as Connect does, from one check of its interval to the next, and returns the time of the next commit. */
    private long nextCommitNanos(BatchAssembler assembler, long lastCommitNanos, long intervalNanos)
            throws InterruptedException {
        while (now.get() - lastCommitNanos - intervalNanos < 0) {
            Batch ignored = assembler.poll(false);
        }
        return now.get();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void anEmptyPollReturnsInTimeToCommitTheTail(int laterEvents) throws InterruptedException {
        CommitClock commits = every(100);
        BatchAssembler assembler = assembler(commits);
        offer(5);
        assertThat(assembler.poll(false).events()).isEqualTo(5);
        offer(laterEvents);
        assertThat(nextCommitNanos(assembler, START, 100 * MS) - START).isBetween(100 * MS, 103 * MS);
    }

    @Test
    void anEmptyPollWaitsAsLongAsEverAfterTheCommit() throws InterruptedException {
        CommitClock commits = every(100);
        BatchAssembler assembler = assembler(commits);
        offer(5);
        assertThat(assembler.poll(false).events()).isEqualTo(5);
        commits.committed();
        long before = now.get();
        assertThat(assembler.poll(false)).isNull();
        assertThat(now.get() - before).isBetween(250 * MS, 253 * MS);
    }

    @Test
    void countsFromAnEmptyPollThatLedToTheCommit() throws InterruptedException {
        CommitClock commits = every(100);
        BatchAssembler assembler = assembler(commits);
        offer(5);
        assertThat(assembler.poll(false).events()).isEqualTo(5);
        long committed = nextCommitNanos(assembler, START, 100 * MS);
        commits.committed();
        offer(5);
        assertThat(assembler.poll(false).events()).isEqualTo(5);
        assertThat(nextCommitNanos(assembler, committed, 100 * MS) - committed).isBetween(100 * MS, 103 * MS);
    }
}
