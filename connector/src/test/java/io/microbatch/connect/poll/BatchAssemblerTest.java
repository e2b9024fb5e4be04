package io.microbatch.connect.poll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.pressure.ArrivalGauge;
import io.microbatch.connect.pressure.PressureLevel;
import io.microbatch.connect.pressure.ReturnedBatch;
import io.microbatch.connect.stripe.Offer;
import io.microbatch.connect.stripe.Offering;
import io.microbatch.connect.stripe.StripeSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BatchAssemblerTest extends ScriptedAssembly {

    @Test
    void returnsNullAfterTheLongestWaitWithoutEvents() throws InterruptedException {
        assertThat(assembler.poll(false)).isNull();
        assertThat(clock.get() - START).isBetween(250 * MS, 280 * MS);
    }

    @Test
    void endsABatchAtItsTargetOfEvents() throws InterruptedException {
        IntStream.range(0, 7).forEach(i -> offer(0, i, 10));
        Batch batch = assembler.poll(false);
        assertThat(batch.reason()).isEqualTo(FlushReason.EVENTS);
        assertThat(offsets(batch)).containsExactly(0, 1, 2, 3, 4);
        assertThat(batch.sizeBytes()).isEqualTo(50);
        assertThat(batch.decision()).isSameAs(decision);
        assertThat(stripes.sizeEvents()).isEqualTo(2);
    }

    @Test
    void tellsTheControllerTheSizeOfEachBatch() throws InterruptedException {
        assertThat(assembler.poll(false)).isNull();
        IntStream.range(0, 7).forEach(i -> offer(0, i, 10 + i));
        assertThat(assembler.poll(false)).isNotNull();
        assertThat(assembler.poll(false)).isNotNull();
        assertThat(returnedSizes).containsExactly(List.of(5L, 60L), List.of(2L, 31L));
    }

    @Test
    void endsABatchAtItsTargetOfBytes() throws InterruptedException {
        IntStream.range(0, 3).forEach(i -> offer(0, i, 400));
        Batch batch = assembler.poll(false);
        assertThat(batch.reason()).isEqualTo(FlushReason.BYTES);
        assertThat(offsets(batch)).containsExactly(0, 1);
        assertThat(batch.sizeBytes()).isEqualTo(800);
    }

    @Test
    void endsABatchWhenItsOldestEventHasWaitedForTheLinger() throws InterruptedException {
        offer(0, 1, 10, START - 20 * MS);
        offer(1, 2, 10, START);
        Batch batch = assembler.poll(false);
        assertThat(batch.reason()).isEqualTo(FlushReason.AGE);
        assertThat(offsets(batch)).containsExactlyInAnyOrder(1, 2);
        assertThat(batch.returnedNanos() - (START - 20 * MS)).isBetween(50 * MS, 60 * MS);
    }

    @Test
    void endsABatchImmediatelyWithALingerOfZero() throws InterruptedException {
        decision = decide(5, 1_000, 0, 0);
        offer(0, 1, 10);
        assertThat(assembler.poll(false).reason()).isEqualTo(FlushReason.AGE);
        assertThat(clock.get() - START).isLessThan(20 * MS);
    }

    @Test
    void endsABatchWhenAFullStripeBlocksItsReader() throws InterruptedException {
        decision = decide(1_000, 1_000_000, 5_000, 0);
        IntStream.range(0, 16).forEach(i -> offer(1, i, 10));
        EventRecord oneMore = new EventRecord(new SourceRecord(null, null, "t", null, null), 10, START);
        assertThat(stripes.writer(1).stage(oneMore, 10)).isEqualTo(Offer.FULL);
        Batch batch = assembler.poll(false);
        assertThat(batch.reason()).isEqualTo(FlushReason.BUFFER_FULL);
        assertThat(batch.records()).hasSize(16);
    }

    @Test
    void measuresTheLingerFromTheArrivalAcrossPolls() throws InterruptedException {
        decision = decide(5, 1_000, 600, 0);
        offer(0, 1, 10, START);
        assertThat(assembler.poll(false)).isNull();
        assertThat(assembler.poll(false)).isNull();
        Batch batch = assembler.poll(false);
        assertThat(batch.reason()).isEqualTo(FlushReason.AGE);
        assertThat(batch.returnedNanos() - START).isBetween(600 * MS, 620 * MS);
    }

    @Test
    void neverSplitsARunOfEqualOffsets() throws InterruptedException {
        IntStream.of(1, 2, 3, 4, 5, 5, 5, 6).forEach(offset -> offer(0, offset, 10));
        assertThat(offsets(assembler.poll(false))).containsExactly(1, 2, 3, 4, 5, 5, 5);

        decision = decide(100, 1_000, 0, 0);
        assertThat(offsets(assembler.poll(false))).containsExactly(6);
        IntStream.of(7, 8, 8).forEach(offset -> offer(0, offset, 600));
        assertThat(offsets(assembler.poll(false))).containsExactly(7);
        assertThat(offsets(assembler.poll(false))).containsExactly(8, 8);
    }

    @Test
    void keepsThePacingAfterTheLastCommit() throws InterruptedException {
        decision = decide(5, 1_000, 10, 80);
        offer(0, 1, 10, START);
        assembler.transactionCommitted(START, 0);
        Batch batch = assembler.poll(false);
        assertThat(batch.reason()).isEqualTo(FlushReason.AGE);
        assertThat(batch.returnedNanos() - START).isBetween(80 * MS, 95 * MS);
    }

    @Test
    void ignoresThePacingBeforeTheFirstCommitAndAtTheTarget() throws InterruptedException {
        decision = decide(5, 1_000, 10, 80);
        offer(0, 1, 10, START);
        assertThat(assembler.poll(false).returnedNanos() - START).isBetween(10 * MS, 30 * MS);

        long committed = clock.get();
        assembler.transactionCommitted(committed, 0);
        IntStream.range(0, 5).forEach(i -> offer(0, i, 10));
        Batch batch = assembler.poll(false);
        assertThat(batch.reason()).isEqualTo(FlushReason.EVENTS);
        assertThat(batch.returnedNanos() - committed).isLessThan(20 * MS);
    }

    @Test
    void drainsInTurnsWhileClosingAndThenReturnsNull() throws InterruptedException {
        decision = decide(5, 1_000, 5_000, 0);
        IntStream.range(0, 7).forEach(i -> offer(0, i, 10));
        Batch first = assembler.poll(true);
        Batch second = assembler.poll(true);
        assertThat(first.reason()).isEqualTo(FlushReason.CLOSING);
        assertThat(offsets(first)).containsExactly(0, 1, 2, 3, 4);
        assertThat(offsets(second)).containsExactly(5, 6);
        assertThat(assembler.poll(true)).isNull();
    }

    @Test
    void drainsTheRestWhenEveryStripeIsClosed() throws InterruptedException {
        offer(0, 1, 10);
        stripes.close();
        assertThat(assembler.poll(false).reason()).isEqualTo(FlushReason.CLOSING);
        assertThat(assembler.poll(false)).isNull();
    }

    @Test
    void returnsWithoutABatchWhenWoken() throws InterruptedException {
        decision = decide(5, 1_000, 5_000, 0);
        offer(0, 1, 10);
        stripes.wake();
        assertThat(assembler.poll(false)).isNull();
        assertThat(clock.get() - START).isLessThan(20 * MS);
        assertThat(stripes.sizeEvents()).isOne();
    }

    @Test
    void marksTheOldestAndTheLastOfABatch() throws InterruptedException {
        EventRecord late = offer(0, 1, 10, START + 2);
        EventRecord oldest = offer(1, 2, 10, START);
        EventRecord last = offer(1, 3, 10, START + 1);
        Batch batch = assembler.poll(false);

        assertThat(batch.records().get(2)).isSameAs(last);
        assertThat(last.endsBatch()).isTrue();
        assertThat(oldest.endsBatch()).isFalse();
        assertThat(oldest.isOldestOfBatch()).isTrue();
        assertThat(late.isOldestOfBatch()).isFalse();
        assertThat(last.isOldestOfBatch()).isFalse();
    }

    @Test
    void marksOneRecordOfEveryBatchAsItsOldestEvenIfAnOlderOneRemains() throws InterruptedException {
        decision = decide(1, 1_000, 0, 0);
        EventRecord younger = offer(0, 1, 10, START + 1);
        EventRecord older = offer(1, 2, 10, START);
        Batch first = assembler.poll(false);
        assertThat(first.records()).singleElement().isSameAs(younger);
        assertThat(younger.isOldestOfBatch()).isTrue();
        assertThat(older.isOldestOfBatch()).isFalse();

        assertThat(assembler.poll(false).records()).singleElement().isSameAs(older);
        assertThat(older.isOldestOfBatch()).isTrue();
    }

    @Test
    void setsTheBatchAndThePlaceOfEveryEvent() throws InterruptedException {
        IntStream.range(0, 7).forEach(i -> offer(0, i, 10, START - (10 - i) * MS));
        List<Batch> batches = List.of(assembler.poll(false), assembler.poll(true));

        for (int number = 0; number < 2; number++) {
            List<SourceRecord> records = batches.get(number).records();
            ReturnedBatch shared = ((EventRecord) records.get(0)).batch();
            assertThat(shared.sequence()).isEqualTo(number);
            assertThat(shared.level()).isEqualTo(PressureLevel.L5_BALANCED);
            assertThat(shared.lingerNanos()).isEqualTo(50 * MS);
            assertThat(shared.sizeRecords()).isEqualTo(number == 0 ? 5 : 2).isEqualTo(records.size());
            assertThat(shared.returnedNanos()).isEqualTo(batches.get(number).returnedNanos());
            assertThat(shared.epochMs(shared.returnedNanos())).isEqualTo(EPOCH_MS);
            assertThat(shared.epochMs(shared.returnedNanos() - 7 * MS)).isEqualTo(EPOCH_MS - 7);
            for (int position = 0; position < records.size(); position++) {
                EventRecord event = (EventRecord) records.get(position);
                assertThat(event.batch()).isSameAs(shared);
                assertThat(event.batchPosition()).isEqualTo(position);
            }
        }
    }

    @Test
    void passesTheArrivalRateToTheController() throws InterruptedException {
        stepNanos = 10 * MS;
        IntStream.range(0, 16).forEach(i -> offer(0, i, 10));
        assertThat(assembler.poll(false)).isNotNull();
        assertThat(rates.get(0)).isZero();
        assertThat(rates.get(1)).isGreaterThan(10);
    }

    @Test
    void throwsWhenInterrupted() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> assembler.poll(false)).isInstanceOf(InterruptedException.class);
    }

    @Test
    void takesEventsThatArriveWhileItWaits() throws InterruptedException {
        StripeSet<EventRecord> real = new StripeSet<>(1, 16, 10_000, System::nanoTime);
        decision = decide(1, 1_000, 5_000, 0);
        BatchAssembler waiting = new BatchAssembler(
                new SingleRecords(real),
                new Scripted(),
                new ArrivalGauge(500, System.nanoTime(), 0),
                commits,
                null,
                System::nanoTime,
                () -> EPOCH_MS);
        CountDownLatch offered = new CountDownLatch(1);
        Thread reader = new Thread(() -> {
            EventRecord event =
                    new EventRecord(new SourceRecord(Map.of(), Map.of("o", 1), "t", null, null), 10, System.nanoTime());
            assertThat(Offering.offer(real.writer(0), event, 10)).isEqualTo(Offer.ACCEPTED);
            real.writer(0).signal();
            offered.countDown();
        });
        reader.start();
        Batch batch = null;
        while (batch == null) {
            batch = waiting.poll(false);
        }
        reader.join();
        assertThat(offered.getCount()).isZero();
        assertThat(batch.reason()).isEqualTo(FlushReason.EVENTS);
        assertThat(batch.records()).hasSize(1);
    }

    @Test
    void endsABatchBeforeItsLingerWhenItIsQuiet() throws InterruptedException {
        quietNanos = 10 * MS;
        decision = decide(5, 1_000, 100, 0);
        long arrival = clock.get();
        offer(0, 1, 10);
        Batch batch = assembler.poll(false);
        assertThat(batch.reason()).isEqualTo(FlushReason.QUIET);
        assertThat(batch.returnedNanos() - arrival).isBetween(10 * MS, 30 * MS);
    }

    @Test
    void isNotQuietWithOccasionalArrivals() throws InterruptedException {
        quietNanos = 10 * MS;
        decision = decide(5, 1_000, 60, 0);
        offer(0, 1, 10);
        AtomicInteger looks = new AtomicInteger();
        onLook = () -> {
            if (looks.incrementAndGet() % 5 == 0 && stripes.sizeEvents() < 4) {
                offer(1, looks.get(), 10, clock.get());
            }
        };
        Batch batch = assembler.poll(false);
        assertThat(batch.records()).hasSize(4);
        assertThat(batch.reason()).isEqualTo(FlushReason.QUIET);
    }

    @Test
    void keepsThePacingWhenItIsQuiet() throws InterruptedException {
        quietNanos = 10 * MS;
        decision = decide(5, 1_000, 100, 40);
        assembler.transactionCommitted(clock.get(), 0);
        long committed = clock.get();
        offer(0, 1, 10);
        Batch batch = assembler.poll(false);
        assertThat(batch.reason()).isEqualTo(FlushReason.QUIET);
        assertThat(batch.returnedNanos() - committed).isBetween(40 * MS, 60 * MS);
    }

    @Test
    void appliesTheDecisionsLimitToTheStripes() throws InterruptedException {
        decision = decide(4, 1_000, 50, 0);
        assertThat(assembler.poll(false)).isNull();
        // The free space that the reader thread has already seen may still be used.
        IntStream.range(0, 16).forEach(i -> offer(0, i, 10));
        assertThat(refused()).isTrue();
        for (int left = 16; left > 8; left -= 4) {
            assertThat(assembler.poll(false).records()).hasSize(4);
            assertThat(refused()).as("two batches of 4 wait").isTrue();
        }
        assertThat(assembler.poll(false).records()).hasSize(4);
        assertThat(refused()).isFalse();
    }

    private boolean refused() {
        SourceRecord origin = new SourceRecord(Map.of("p", 0), Map.of("o", 99), "t", null, null);
        return Offering.offer(stripes.writer(0), new EventRecord(origin, 10, clock.get()), 10) == Offer.FULL;
    }
}
