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
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares the assembler with the rule at random arrivals, decisions, leave-by times and announced pauses: a batch
 * leaves when the rule allows it, or when a leave-by time is over or no event comes before its linger ends, and the
 * pacing allows it. The assembler notices arrivals only when it wakes. So it may see the begin of quiet later, by up to
 * one quiet time, but never after the linger.
 */
@Timeout(60)
class ReadyRuleTest {

    private static final long MS = 1_000_000;
    private static final long STEP = MS / 10;
    private static final int ARRIVALS = 25;
    /** The assembler reads the clock several times between two waits. */
    private static final long LOOKS = 6 * STEP;

    private final StripeSet<EventRecord> stripes = new StripeSet<>(1, 64, 1 << 20, this::look);
    private final long[] dueNanos = new long[ARRIVALS];
    private final long[] leaveWithinNanos = new long[ARRIVALS];
    private final boolean[] pauses = new boolean[ARRIVALS];
    private long pausedUntilNanos;
    private long quietFromNanos;
    private boolean gatheredNoMore;
    private int marked;
    private long markNanos;
    private long nowNanos = Long.MAX_VALUE - 40 * MS;
    private int arrived;
    private Decision decision;
    private long committedNanos;
    private boolean waiting;
    private long readyNanos;
    private boolean ready;

    /** Reads the clock, which advances by a step. Events that are due in this step arrive. */
    private long look() {
        nowNanos += STEP;
        while (arrived < ARRIVALS && nowNanos - dueNanos[arrived] >= 0) {
            SourceRecord origin = new SourceRecord(Map.of("p", 0), Map.of("o", arrived), "t", null, null);
            arrived++;
            pausedUntilNanos = nowNanos;
            quietFromNanos = nowNanos;
            assertThat(Offering.offer(stripes.writer(0), new EventRecord(origin, 1, nowNanos), 1))
                    .isEqualTo(Offer.ACCEPTED);
            if (leaveWithinNanos[arrived - 1] > 0) {
                leaveBy(nowNanos + leaveWithinNanos[arrived - 1]);
            }
            if (arrived < ARRIVALS && pauses[arrived - 1] && dueNanos[arrived] - nowNanos > 0) {
                pausedUntilNanos = dueNanos[arrived];
                quietFromNanos = pausedUntilNanos;
                stripes.writer(0).pausesUntil(pausedUntilNanos);
            }
        }
        long events = stripes.sizeEvents();
        if (waiting && !ready && events > 0) {
            boolean mayBegin = nowNanos - committedNanos >= decision.pacingNanos();
            ready = ReadyRule.isReady(decision, events, oldestNanos(), quietFromNanos, committedNanos, nowNanos)
                    || (mayBegin && isMarked() && nowNanos - markNanos >= 0)
                    || (mayBegin && gathersNoMore());
            gatheredNoMore = gathersNoMore();
            readyNanos = nowNanos;
        }
        LockSupport.unpark(Thread.currentThread());
        return nowNanos;
    }

    private boolean gathersNoMore() {
        long lingerEndNanos = oldestNanos() + decision.setting().lingerNanos();
        return pausedUntilNanos - nowNanos > 0 && pausedUntilNanos - lingerEndNanos > 0;
    }

    /** Marks all events so far, and keeps the earlier time while a marked event is left. */
    private void leaveBy(long nanos) {
        markNanos = isMarked() && markNanos - nanos < 0 ? markNanos : nanos;
        marked = arrived;
        stripes.writer(0).leaveBy(nanos);
    }

    private boolean isMarked() {
        return arrived - stripes.sizeEvents() < marked;
    }

    private long oldestNanos() {
        return stripes.oldest(EventRecord::arrivalNanos).arrivalNanos();
    }

    private final class Scripted implements Controller {
        @Override
        public Decision decide(long atNanos, double arrivalsPerSec) {
            return decision;
        }

        @Override
        public void acknowledged(
                long atNanos, long delayNanos, long pausedNanos, long worstLatencyNanos, boolean transactional) {
            throw new AssertionError("the assembler acknowledges nothing");
        }
    }

    private static Decision any(SplittableRandom random) {
        int events = random.nextInt(2, 12);
        long lingerNanos = random.nextLong(60) * MS;
        long quietNanos = random.nextBoolean() ? Decision.NEVER_QUIET_NANOS : random.nextLong(1, 30) * MS;
        long pacingNanos = random.nextBoolean() ? 0 : random.nextLong(50) * MS;
        BatchTarget target = BatchTarget.best(events, lingerNanos);
        return new Decision(
                target,
                PressureLevel.L5_BALANCED,
                100,
                true,
                target.setting(),
                events,
                1 << 20,
                quietNanos,
                pacingNanos,
                Decision.WHOLE_STRIPE);
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 5_000, 60_000})
    void returnsABatchWhenTheRuleAllowsIt(int spacingMicros) throws InterruptedException {
        for (int seed = 0; seed < 300; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            ReadyRuleTest run = new ReadyRuleTest();
            run.replay(random, spacingMicros * 1_000L, "seed " + seed);
        }
    }

    private void replay(SplittableRandom random, long spacingNanos, String name) throws InterruptedException {
        decision = any(random);
        BatchAssembler assembler = new BatchAssembler(
                new SingleRecords(stripes),
                new Scripted(),
                new ArrivalGauge(500, nowNanos, 0),
                new CommitClock(CommitClock.NO_INTERVAL, nowNanos),
                null,
                this::look,
                () -> 0);
        long due = nowNanos;
        for (int i = 0; i < ARRIVALS; i++) {
            due += random.nextLong(2 * spacingNanos);
            dueNanos[i] = due;
            leaveWithinNanos[i] = random.nextInt(4) == 0 ? random.nextLong(1, 40) * MS : 0;
            pauses[i] = random.nextInt(3) == 0;
        }
        committedNanos = nowNanos;
        assembler.transactionCommitted(committedNanos, 0);
        for (int taken = 0; taken < ARRIVALS; ) {
            waiting = true;
            Batch batch = assembler.poll(false);
            if (batch == null) {
                continue;
            }
            String story = name + ", " + batch.reason() + ", " + decision;
            assertThat(ready).as("not before the rule: %s", story).isTrue();
            long lateNanos = batch.returnedNanos() - readyNanos;
            boolean wakesForIt = decision.quietNanos() == Decision.NEVER_QUIET_NANOS || gatheredNoMore;
            long allowedNanos = wakesForIt ? 0 : decision.quietNanos();
            assertThat(lateNanos).as("late: %s", story).isLessThanOrEqualTo(allowedNanos + LOOKS);
            taken += batch.events();
            ready = false;
            waiting = false;
            decision = any(random);
        }
    }
}
