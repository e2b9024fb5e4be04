package io.microbatch.connect.poll;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.control.OffsetDelay;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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
        }
        assertThat(learned.nanos()).isZero();
        for (int batch = 0; batch < 70; batch++) {
            commit(learning, false);
        }
        assertThat(learned.nanos()).as("the first delay is tried").isEqualTo(7 * MS);
        for (int batch = 0; batch < 40; batch++) {
            commit(learning, false);
        }
        assertThat(learned.nanos()).as("still").isEqualTo(7 * MS);
        for (int batch = 0; batch < 20; batch++) {
            commit(learning, true);
        }
        assertThat(learned.nanos()).as("the trial is over").isZero();
    }

    private void commit(BatchAssembler learning, boolean whole) throws InterruptedException {
        offer(0, 1, 10);
        Batch batch = learning.poll(false);
        assertThat(batch.reason()).isEqualTo(FlushReason.AGE);
        if (whole) {
            batch.records().forEach(record -> assertThat(record).isNotNull());
            assertThat(learning.pausedNanos()).isPositive();
        }
        learning.transactionCommitted(clock.get(), 40 * MS);
    }
}
