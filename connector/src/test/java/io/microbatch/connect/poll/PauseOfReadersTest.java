package io.microbatch.connect.poll;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Batches that end early, or not, because all readers have announced when their next events come. T is 50 ms. */
@Timeout(60)
class PauseOfReadersTest extends ScriptedAssembly {

    private void pausesUntil(long nanos) {
        stripes.writer(0).pausesUntil(nanos);
        stripes.writer(1).pausesUntil(nanos);
    }

    @Test
    void endsABatchToWhichNoEventCanBeAddedBeforeItsLinger() throws InterruptedException {
        offer(0, 1, 10, START);
        pausesUntil(START + 90 * MS);
        Batch batch = assembler.poll(false);
        assertThat(batch.reason()).isEqualTo(FlushReason.QUIET);
        assertThat(batch.returnedNanos() - START).isLessThan(15 * MS);
    }

    @Test
    void waitsForEventsThatCanBeAdded() throws InterruptedException {
        offer(0, 1, 10, START);
        pausesUntil(START + 40 * MS);
        Batch batch = assembler.poll(false);
        assertThat(batch.reason()).isEqualTo(FlushReason.AGE);
        assertThat(batch.returnedNanos() - START).isBetween(50 * MS, 65 * MS);
    }

    @Test
    void waitsForAReaderThatAnnouncedNothing() throws InterruptedException {
        offer(0, 1, 10, START);
        stripes.writer(0).pausesUntil(START + 90 * MS);
        assertThat(assembler.poll(false).reason()).isEqualTo(FlushReason.AGE);
    }

    @Test
    void endsABatchAtAPauseThatIsAnnouncedWhileItWaits() throws InterruptedException {
        decision = decide(5, 1_000, 5_000, 0);
        offer(0, 1, 10, START);
        AtomicBoolean announced = new AtomicBoolean();
        onLook = () -> {
            if (clock.get() - START >= 40 * MS && announced.compareAndSet(false, true)) {
                offer(1, 2, 10, clock.get());
                pausesUntil(START + 5_500 * MS);
            }
        };
        Batch batch = assembler.poll(false);
        assertThat(batch.reason()).isEqualTo(FlushReason.QUIET);
        assertThat(offsets(batch)).containsExactlyInAnyOrder(1, 2);
        assertThat(batch.returnedNanos() - START).isBetween(40 * MS, 60 * MS);
    }

    /** Every poll of the upstream takes 10 ms, so that a gap of 10 ms is usual. */
    @Test
    void doesNotCountAPauseAsTheEndOfABurst() throws InterruptedException {
        quietNanos = 10 * MS;
        decision = decide(5, 1_000, 50, 0);
        offer(0, 1, 10, START);
        pausesUntil(START + 30 * MS);
        Batch batch = assembler.poll(false);
        assertThat(batch.reason()).isEqualTo(FlushReason.QUIET);
        assertThat(batch.returnedNanos() - START).as("10 ms after the pause").isBetween(40 * MS, 50 * MS);
    }

    /** Further polls of the upstream that return nothing show that the burst is over. */
    @Test
    void countsALaterPauseAsTheEndOfABurst() throws InterruptedException {
        quietNanos = 10 * MS;
        decision = decide(5, 1_000, 200, 0);
        offer(0, 1, 10, START);
        pausesUntil(START + 20 * MS);
        AtomicBoolean announced = new AtomicBoolean();
        onLook = () -> {
            if (clock.get() - START >= 22 * MS && announced.compareAndSet(false, true)) {
                pausesUntil(START + 100 * MS);
            }
        };
        assertThat(assembler.poll(false).returnedNanos() - START).isBetween(30 * MS, 45 * MS);
    }

    @Test
    void keepsThePacingAndLooksAgainOnlyWhenSomethingHappens() throws InterruptedException {
        decision = decide(5, 1_000, 50, 80);
        offer(0, 1, 10, START);
        assembler.transactionCommitted(START, 0);
        pausesUntil(START + 200 * MS);
        int before = rates.size();
        Batch batch = assembler.poll(false);
        assertThat(batch.reason()).isEqualTo(FlushReason.AGE);
        assertThat(batch.returnedNanos() - START).isBetween(80 * MS, 95 * MS);
        assertThat(rates.size() - before).as("one look before the only wait").isOne();
    }

    @Test
    void saysNothingAfterItsEnd() throws InterruptedException {
        quietNanos = 10 * MS;
        decision = decide(5, 1_000, 50, 0);
        offer(0, 1, 10, START);
        pausesUntil(START + 90 * MS);
        clock.set(START + 91 * MS);
        offer(0, 2, 10);
        assertThat(assembler.poll(false).reason()).isEqualTo(FlushReason.AGE);
        offer(0, 3, 10);
        pausesUntil(clock.get() + 2 * MS);
        clock.addAndGet(3 * MS);
        long lookedNanos = clock.get();
        Batch batch = assembler.poll(false);
        assertThat(batch.reason()).isEqualTo(FlushReason.QUIET);
        assertThat(batch.returnedNanos() - lookedNanos)
                .as("quiet counts from the look")
                .isBetween(10 * MS, 20 * MS);
    }
}
