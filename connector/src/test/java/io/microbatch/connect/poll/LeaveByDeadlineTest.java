package io.microbatch.connect.poll;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Batches that an upstream's leave-by time ends. */
@Timeout(60)
class LeaveByDeadlineTest extends ScriptedAssembly {

    @Test
    void endsABatchBeforeItsLinger() throws InterruptedException {
        offer(0, 1, 10, START);
        offer(1, 2, 10, START);
        stripes.writer(1).leaveBy(START + 20 * MS);
        Batch batch = assembler.poll(false);
        assertThat(batch.reason()).isEqualTo(FlushReason.DEADLINE);
        assertThat(offsets(batch)).as("of all stripes").containsExactlyInAnyOrder(1, 2);
        assertThat(batch.returnedNanos() - START).isBetween(20 * MS, 35 * MS);
    }

    @Test
    void endsABatchImmediatelyAtATimeThatHasPassed() throws InterruptedException {
        offer(0, 1, 10, START);
        stripes.writer(0).leaveBy(START - 1_000 * MS);
        assertThat(assembler.poll(false).reason()).isEqualTo(FlushReason.DEADLINE);
        assertThat(clock.get() - START).isLessThan(15 * MS);
    }

    @Test
    void neverMakesALingerLonger() throws InterruptedException {
        offer(0, 1, 10, START);
        stripes.writer(0).leaveBy(START + 200 * MS);
        Batch batch = assembler.poll(false);
        assertThat(batch.reason()).isEqualTo(FlushReason.AGE);
        assertThat(batch.returnedNanos() - START).isBetween(50 * MS, 65 * MS);
    }

    @Test
    void endsABatchToWhichEventsAreStillAdded() throws InterruptedException {
        quietNanos = 10 * MS;
        decision = decide(100, 10_000, 100, 0);
        offer(0, 0, 10, START);
        stripes.writer(0).leaveBy(START + 20 * MS);
        onLook = () -> {
            if (stripes.sizeEvents() < 14) {
                offer(0, (int) stripes.sizeEvents(), 10, clock.get());
            }
        };
        Batch batch = assembler.poll(false);
        assertThat(batch.reason()).isEqualTo(FlushReason.DEADLINE);
        assertThat(batch.returnedNanos() - START).isBetween(20 * MS, 35 * MS);
    }

    @Test
    void endsABatchAtATimeThatIsSetWhileItWaits() throws InterruptedException {
        decision = decide(5, 1_000, 5_000, 0);
        offer(0, 1, 10, START);
        stripes.writer(0).leaveBy(START + 200 * MS);
        AtomicBoolean set = new AtomicBoolean();
        onLook = () -> {
            if (clock.get() - START >= 40 * MS && set.compareAndSet(false, true)) {
                stripes.writer(0).leaveBy(START + 60 * MS);
            }
        };
        Batch batch = assembler.poll(false);
        assertThat(batch.reason()).isEqualTo(FlushReason.DEADLINE);
        assertThat(batch.returnedNanos() - START).isBetween(60 * MS, 75 * MS);
    }

    @Test
    void waitsForItAcrossPolls() throws InterruptedException {
        decision = decide(5, 1_000, 5_000, 0);
        offer(0, 1, 10, START);
        stripes.writer(0).leaveBy(START + 400 * MS);
        assertThat(assembler.poll(false)).isNull();
        Batch batch = assembler.poll(false);
        assertThat(batch.reason()).isEqualTo(FlushReason.DEADLINE);
        assertThat(batch.returnedNanos() - START).isBetween(400 * MS, 415 * MS);
    }

    @Test
    void keepsThePacingAndLooksAgainOnlyWhenSomethingHappens() throws InterruptedException {
        decision = decide(5, 1_000, 200, 80);
        offer(0, 1, 10, START);
        stripes.writer(0).leaveBy(START + 20 * MS);
        assembler.transactionCommitted(START, 0);
        int before = rates.size();
        Batch batch = assembler.poll(false);
        assertThat(batch.reason()).isEqualTo(FlushReason.DEADLINE);
        assertThat(batch.returnedNanos() - START).isBetween(80 * MS, 95 * MS);
        assertThat(rates.size() - before).as("one look before the only wait").isOne();
    }

    @Test
    void endsTheNextBatchTooWhileAMarkedEventRemains() throws InterruptedException {
        IntStream.range(0, 7).forEach(i -> offer(0, i, 10, START));
        stripes.writer(0).leaveBy(START);
        assertThat(assembler.poll(false).reason()).isEqualTo(FlushReason.EVENTS);
        Batch rest = assembler.poll(false);
        assertThat(rest.reason()).isEqualTo(FlushReason.DEADLINE);
        assertThat(offsets(rest)).containsExactly(5, 6);
        offer(0, 8, 10);
        assertThat(assembler.poll(false).reason())
                .as("the mark holds no longer")
                .isEqualTo(FlushReason.AGE);
    }
}
