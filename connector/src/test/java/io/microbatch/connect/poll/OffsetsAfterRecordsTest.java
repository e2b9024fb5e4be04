package io.microbatch.connect.poll;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.control.OffsetDelay;
import io.microbatch.connect.stripe.Offer;
import io.microbatch.connect.stripe.StripeSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which batches have offsets that come later. */
@Timeout(60)
class OffsetsAfterRecordsTest extends ScriptedAssembly {

    private final BatchAssembler delaying = assembler(OffsetDelay.fixed(9 * MS));

    private static boolean isDelayed(Batch batch) {
        return batch.records() instanceof DelayedEnd;
    }

    @Test
    void thoseOfABatchThatIsNotFull() throws InterruptedException {
        delaying.transactionCommitted(START, MS);
        SourceRecord only = offer(0, 1, 10);
        Batch batch = delaying.poll(false);
        assertThat(batch.reason()).isEqualTo(FlushReason.AGE);
        assertThat(isDelayed(batch)).isTrue();
        assertThat(List.copyOf(batch.records().subList(0, 1))).containsExactly(only);
    }

    /** It has other events behind it, which would wait. */
    @Test
    void notThoseOfAFullBatch() throws InterruptedException {
        delaying.transactionCommitted(START, MS);
        IntStream.range(0, 7).forEach(i -> offer(0, i, 10));
        Batch batch = delaying.poll(false);
        assertThat(batch.reason()).isEqualTo(FlushReason.EVENTS);
        assertThat(isDelayed(batch)).isFalse();
    }

    /** Its commit takes 20 ms without a wait for a back-off, and a trial would delay events for nothing. */
    @ParameterizedTest
    @CsvSource({"1000, true", "1001, false"})
    void thoseOfALargeBatchOnlyIfTheOperatorHasSetADelay(int events, boolean mayLearn) throws InterruptedException {
        assertThat(isDelayed(aged(events, OffsetDelay.learned()))).isEqualTo(mayLearn);
        assertThat(isDelayed(aged(events, OffsetDelay.fixed(9 * MS)))).isTrue();
    }

    /** A batch of so many events that ends by its age. */
    private Batch aged(int events, OffsetDelay offsetDelay) throws InterruptedException {
        StripeSet<EventRecord> large = new StripeSet<>(1, 2_048, 1 << 20, nanoClock);
        BatchAssembler assembling = new BatchAssembler(
                new SingleRecords(large), new Scripted(), gauge(), commits, offsetDelay, nanoClock, () -> EPOCH_MS);
        decision = decide(5_000, 1 << 20, 50, 0);
        assembling.transactionCommitted(START, MS);
        for (int i = 0; i < events; i++) {
            SourceRecord record = new SourceRecord(Map.of(), Map.of("o", i), "t", null, null);
            assertThat(large.writer(0).stage(new EventRecord(record, record, 10, clock.get()), 10))
                    .isEqualTo(Offer.ACCEPTED);
        }
        large.writer(0).publish();
        Batch batch = assembling.poll(false);
        assertThat(batch.reason()).isEqualTo(FlushReason.AGE);
        return batch;
    }

    /** The mode of the worker is known with the first commit. */
    @Test
    void notThoseBeforeTheFirstTransaction() throws InterruptedException {
        offer(0, 1, 10);
        Batch batch = delaying.poll(false);
        assertThat(batch.reason()).isEqualTo(FlushReason.AGE);
        assertThat(isDelayed(batch)).isFalse();
    }

    /** A full batch says nothing of a delay that it did not have. Nor does one whose iteration has not ended. */
    @Test
    void learnsFromBatchesThatAreNotFullAndWereSentWhole() throws InterruptedException {
        OffsetDelay learned = OffsetDelay.learned();
        BatchAssembler learning = assembler(learned);
        learning.transactionCommitted(START, MS);
        for (int batch = 0; batch < 200; batch++) {
            IntStream.range(0, 5).forEach(i -> offer(0, i, 10));
            assertThat(learning.poll(false).reason()).isEqualTo(FlushReason.EVENTS);
            learning.transactionCommitted(clock.get(), 40 * MS);
            commit(learning, false);
        }
        assertThat(learned.isTrying()).isFalse();
        for (int batch = 0; batch < 34; batch++) {
            commit(learning, true);
        }
        assertThat(learned.isTrying()).isTrue();
        assertThat(learning.pausedNanos()).isZero();
        commit(learning, true);
        assertThat(learning.pausedNanos()).isGreaterThanOrEqualTo(7 * MS);
        assertThat(poll(learning).triesOffsetDelay()).isTrue();
        assertThat(learning.pausedNanos()).as("of a batch that is not sent yet").isZero();
    }

    /** A client waits for it. */
    @Test
    void aBatchThatEndsByADeadlineTakesNoPartInTrials() throws InterruptedException {
        BatchAssembler learning = inTrial();
        offer(0, 1, 10);
        stripes.writer(0).leaveBy(clock.get() + 10 * MS);
        Batch batch = learning.poll(false);
        assertThat(batch.reason()).isEqualTo(FlushReason.DEADLINE);
        assertThat(batch.triesOffsetDelay()).isFalse();
        send(batch);
        assertThat(learning.pausedNanos()).isZero();
    }

    /** The learner needs windows during a trial too, where most batches are full. */
    @Test
    void aFullBatchTriesNoDelay() throws InterruptedException {
        BatchAssembler learning = inTrial();
        IntStream.range(0, 7).forEach(i -> offer(0, i, 10));
        Batch full = learning.poll(false);
        assertThat(full.reason()).isEqualTo(FlushReason.EVENTS);
        assertThat(full.triesOffsetDelay()).isFalse();
    }

    /** The learner compares nothing before. */
    @Test
    void atTheBeginningEachBatchTriesADelay() throws InterruptedException {
        BatchAssembler learning = assembler(OffsetDelay.learned());
        assertThat(poll(learning).triesOffsetDelay())
                .as("the mode is not known")
                .isFalse();
        learning.transactionCommitted(START, MS);
        for (int i = 0; i < 34; i++) {
            Batch batch = poll(learning);
            assertThat(batch.triesOffsetDelay()).isTrue();
            send(batch);
            learning.transactionCommitted(clock.get(), 5 * MS);
            IntStream.range(0, 5).forEach(event -> offer(0, event, 10));
            Batch full = learning.poll(false);
            assertThat(full.reason()).isEqualTo(FlushReason.EVENTS);
            assertThat(full.triesOffsetDelay()).as("of a full batch").isFalse();
            learning.transactionCommitted(clock.get(), 5 * MS);
        }
        assertThat(poll(learning).triesOffsetDelay()).isFalse();
    }

    private Batch poll(BatchAssembler from) throws InterruptedException {
        offer(0, 1, 10);
        Batch batch = from.poll(false);
        assertThat(batch.reason()).isEqualTo(FlushReason.AGE);
        return batch;
    }

    private static void send(Batch batch) {
        for (SourceRecord record : batch.records()) {
            assertThat(record).isNotNull();
        }
    }

    private void commit(BatchAssembler learning, boolean whole) throws InterruptedException {
        commit(learning, whole, 40);
    }

    private void commit(BatchAssembler learning, boolean whole, long commitMs) throws InterruptedException {
        Batch batch = poll(learning);
        if (whole) {
            send(batch);
        }
        learning.transactionCommitted(clock.get(), commitMs * MS);
    }

    /** In a trial that began after it was decided that none was needed. */
    private BatchAssembler inTrial() throws InterruptedException {
        OffsetDelay learned = OffsetDelay.learned();
        BatchAssembler learning = assembler(learned);
        learning.transactionCommitted(START, MS);
        for (int batch = 0; batch < 34 + 14; batch++) {
            commit(learning, true, batch < 34 ? 5 : 40);
        }
        assertThat(learned.isTrying()).isTrue();
        return learning;
    }
}
