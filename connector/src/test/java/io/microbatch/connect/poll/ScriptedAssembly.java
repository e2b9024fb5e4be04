package io.microbatch.connect.poll;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.control.BatchTarget;
import io.microbatch.connect.control.Controller;
import io.microbatch.connect.control.Decision;
import io.microbatch.connect.control.OffsetDelay;
import io.microbatch.connect.pressure.ArrivalGauge;
import io.microbatch.connect.pressure.PressureLevel;
import io.microbatch.connect.stripe.Offer;
import io.microbatch.connect.stripe.Offering;
import io.microbatch.connect.stripe.StripeSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * An assembler with a scripted decision, real stripes and a clock that advances at each reading. A reading also gives
 * the thread its permit, so that it never parks and a wait for a deadline takes no time.
 */
abstract class ScriptedAssembly {

    static final long MS = 1_000_000;
    static final long EPOCH_MS = 1_700_000_000_000L;
    static final long START = Long.MAX_VALUE - 100 * MS;

    final AtomicLong clock = new AtomicLong(START);

    /** The time by which each reading of the clock advances it. */
    long stepNanos = MS;

    Runnable onLook = () -> {};

    final LongSupplier nanoClock = () -> {
        onLook.run();
        LockSupport.unpark(Thread.currentThread());
        return clock.getAndAdd(stepNanos);
    };
    final StripeSet<EventRecord> stripes = new StripeSet<>(2, 16, 10_000, nanoClock);
    long quietNanos = Decision.NEVER_QUIET_NANOS;
    Decision decision = decide(5, 1_000, 50, 0);
    final List<Double> rates = new ArrayList<>();

    /** The events and the bytes of each batch, as the controller was told. */
    final List<List<Long>> returnedSizes = new ArrayList<>();

    final CommitClock commits = new CommitClock(CommitClock.NO_INTERVAL, START);
    final BatchAssembler assembler = assembler(null);

    final BatchAssembler assembler(OffsetDelay offsetDelay) {
        return new BatchAssembler(
                new SingleRecords(stripes), new Scripted(), gauge(), commits, offsetDelay, nanoClock, () -> EPOCH_MS);
    }

    static ArrivalGauge gauge() {
        return new ArrivalGauge(500, START, 0);
    }

    /** Returns the decision of the test. */
    final class Scripted implements Controller {
        @Override
        public Decision decide(long nowNanos, double arrivalsPerSec) {
            rates.add(arrivalsPerSec);
            return decision;
        }

        @Override
        public void returned(int events, long sizeBytes) {
            returnedSizes.add(List.of((long) events, sizeBytes));
        }

        @Override
        public void acknowledged(
                long nowNanos, long delayNanos, long pausedNanos, long worstLatencyNanos, boolean transactional) {
            throw new AssertionError("the assembler acknowledges nothing");
        }
    }

    Decision decide(int events, long bytes, long lingerMs, long pacingMs) {
        BatchTarget target = BatchTarget.best(events, lingerMs * MS);
        return new Decision(
                target,
                PressureLevel.L5_BALANCED,
                100,
                true,
                target.setting(),
                events,
                bytes,
                quietNanos,
                pacingMs * MS,
                2 * events);
    }

    EventRecord offer(int stripe, int offset, int sizeBytes) {
        return offer(stripe, offset, sizeBytes, clock.get());
    }

    EventRecord offer(int stripe, int offset, int sizeBytes, long arrivalNanos) {
        SourceRecord origin = new SourceRecord(Map.of("p", stripe), Map.of("o", offset), "t", null, null);
        EventRecord event = new EventRecord(origin, sizeBytes, arrivalNanos);
        assertThat(Offering.offer(stripes.writer(stripe), event, sizeBytes)).isEqualTo(Offer.ACCEPTED);
        return event;
    }

    static List<Integer> offsets(Batch batch) {
        return batch.records().stream()
                .map(record -> (Integer) record.sourceOffset().get("o"))
                .toList();
    }
}
