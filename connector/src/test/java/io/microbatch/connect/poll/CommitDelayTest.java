package io.microbatch.connect.poll;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which batches have a commit that comes later. */
@Timeout(60)
class CommitDelayTest extends ScriptedAssembly {

    private static boolean isDelayed(List<SourceRecord> records) {
        return records instanceof DelayedEnd;
    }

    @Test
    void aBatchThatIsNotFullIsCommittedLater() throws InterruptedException {
        assembler.transactionCommitted(START);
        offer(0, 1, 10);
        Batch batch = assembler.poll(false);
        assertThat(batch.reason()).isEqualTo(FlushReason.AGE);
        assertThat(isDelayed(batch.records())).isTrue();
        assertThat(new ArrayList<>(batch.records().subList(0, 1))).hasSize(1);
    }

    /** It has other events behind it, which would wait. */
    @Test
    void aFullBatchIsNot() throws InterruptedException {
        assembler.transactionCommitted(START);
        IntStream.range(0, 7).forEach(i -> offer(0, i, 10));
        Batch batch = assembler.poll(false);
        assertThat(batch.reason()).isEqualTo(FlushReason.EVENTS);
        assertThat(isDelayed(batch.records())).isFalse();
    }

    /** The mode of the worker is known with the first commit. */
    @Test
    void withoutATransactionNothingIs() throws InterruptedException {
        offer(0, 1, 10);
        Batch batch = assembler.poll(false);
        assertThat(batch.reason()).isEqualTo(FlushReason.AGE);
        assertThat(isDelayed(batch.records())).isFalse();
    }
}
