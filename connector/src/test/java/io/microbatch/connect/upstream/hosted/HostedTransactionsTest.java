package io.microbatch.connect.upstream.hosted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microbatch.connect.ack.EventRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.TransactionContext;
import org.junit.jupiter.api.Test;

class HostedTransactionsTest {

    /** The worker's context, which records requests. */
    private static final class Worker implements TransactionContext {
        final List<Object> asked = new ArrayList<>();

        @Override
        public void commitTransaction() {
            asked.add("commit");
        }

        @Override
        public void commitTransaction(SourceRecord record) {
            asked.add(List.of("commit", record));
        }

        @Override
        public void abortTransaction() {
            asked.add("abort");
        }

        @Override
        public void abortTransaction(SourceRecord record) {
            asked.add(List.of("abort", record));
        }
    }

    private final Worker worker = new Worker();
    private final AtomicReference<Runnable> pending = new AtomicReference<>();
    private final HostedTransactions transactions = new HostedTransactions(worker, pending);

    /** Two equal records. */
    private final SourceRecord first = record(1);

    private final SourceRecord second = record(1);

    private final SourceRecord other = record(2);

    private static SourceRecord record(int offset) {
        return new SourceRecord(Map.of(), Map.of("o", offset), "t", null, null);
    }

    private static EventRecord event(SourceRecord origin) {
        return new EventRecord(origin, 1, 0);
    }

    @Test
    void hasNoContextWhenTheWorkerHasNone() {
        HostedTransactions none = new HostedTransactions(null, pending);
        assertThat(none.orNull()).isNull();
        none.batchPolled(first);
        none.handingOver(event(first));
        none.batchPolled(null);
        assertThat(pending.get()).isNull();
        assertThat(transactions.orNull()).isSameAs(transactions);
    }

    @Test
    void passesABoundaryAtAHostedRecordToItsEvent() {
        transactions.commitTransaction(second);
        transactions.abortTransaction(first);
        transactions.batchPolled(second);
        EventRecord a = event(first);
        EventRecord b = event(second);
        transactions.handingOver(a);
        transactions.handingOver(b);
        assertThat(worker.asked).containsExactly(List.of("abort", a), List.of("commit", b));
    }

    /** Connect compares records, so that a task may name a copy. */
    @Test
    void passesABoundaryAtACopyToTheEventThatEqualsIt() {
        transactions.commitTransaction(record(2));
        transactions.abortTransaction(record(1));
        EventRecord a = event(first);
        EventRecord b = event(other);
        transactions.batchPolled(other);
        transactions.handingOver(a);
        transactions.handingOver(b);
        assertThat(worker.asked).containsExactly(List.of("abort", a), List.of("commit", b));
    }

    @Test
    void passesABoundaryAtACopyToTheFirstOfEqualEvents() {
        transactions.commitTransaction(record(1));
        EventRecord a = event(first);
        transactions.handingOver(a);
        transactions.handingOver(event(second));
        assertThat(worker.asked)
                .containsExactly(List.<Object>of(List.of("commit", a)).toArray());
    }

    @Test
    void passesTheBoundaryOfABatchAfterThatOfACopyOfItsLastRecord() {
        transactions.commitTransaction(record(1));
        transactions.commitTransaction();
        transactions.batchPolled(second);
        EventRecord a = event(first);
        EventRecord b = event(second);
        transactions.handingOver(a);
        transactions.handingOver(b);
        assertThat(worker.asked).containsExactly(List.of("commit", a), List.of("commit", b));
    }

    @Test
    void abortsAtACopyOfTheLastRecordOfABatchThatIsToBeCommitted() {
        transactions.abortTransaction(record(1));
        transactions.commitTransaction();
        transactions.batchPolled(second);
        EventRecord b = event(second);
        transactions.handingOver(b);
        assertThat(worker.asked)
                .containsExactly(List.<Object>of(List.of("abort", b)).toArray());
    }

    @Test
    void refusesNull() {
        assertThatThrownBy(() -> transactions.commitTransaction(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> transactions.abortTransaction(null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void passesABoundaryOnce() {
        transactions.commitTransaction(first);
        transactions.handingOver(event(first));
        transactions.handingOver(event(first));
        assertThat(worker.asked).hasSize(1);
    }

    @Test
    void setsTheBoundaryOfABatchAfterItsLastRecord() {
        transactions.commitTransaction();
        transactions.batchPolled(second);
        EventRecord b = event(second);
        transactions.handingOver(event(first));
        transactions.handingOver(b);
        transactions.batchPolled(first);
        transactions.handingOver(event(first));
        assertThat(worker.asked)
                .containsExactly(List.<Object>of(List.of("commit", b)).toArray());
    }

    @Test
    void abortsABatchAfterItsLastRecord() {
        transactions.abortTransaction();
        transactions.batchPolled(second);
        EventRecord b = event(second);
        transactions.handingOver(b);
        assertThat(worker.asked)
                .containsExactly(List.<Object>of(List.of("abort", b)).toArray());
    }

    @Test
    void commitsAfterAnEmptyBatchWhenEverythingIsDrained() {
        transactions.commitTransaction();
        transactions.batchPolled(null);
        assertThat(worker.asked).isEmpty();
        assertThat(transactions.isBoundaryPending()).isTrue();
        pending.get().run();
        assertThat(worker.asked).containsExactly("commit");
        assertThat(transactions.isBoundaryPending())
                .as("until Connect polls again, because it commits when this poll has returned")
                .isTrue();
        pending.get().run();
        assertThat(worker.asked).containsExactly("commit");
        assertThat(transactions.isBoundaryPending()).isFalse();
    }

    @Test
    void abortsAfterAnEmptyBatchWhenEverythingIsDrained() {
        transactions.abortTransaction();
        transactions.batchPolled(null);
        pending.get().run();
        pending.get().run();
        assertThat(pending.get()).isNull();
        assertThat(worker.asked).containsExactly("abort");
    }

    @Test
    void refusesACommitAndAnAbortOfTheSameBatch() {
        transactions.commitTransaction();
        transactions.abortTransaction();
        assertThatThrownBy(() -> transactions.batchPolled(second))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("hosted connector has requested both a commit and an abort")
                .hasMessageContaining("same batch");
        assertThat(worker.asked).isEmpty();
    }

    @Test
    void refusesACommitAndAnAbortOfTheSameEmptyBatch() {
        transactions.abortTransaction();
        transactions.commitTransaction();
        assertThatThrownBy(() -> transactions.batchPolled(null))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("same batch");
        assertThat(transactions.isBoundaryPending()).isFalse();
    }

    @Test
    void refusesACommitAndAnAbortWithTheSameRecord() {
        transactions.commitTransaction(second);
        transactions.abortTransaction(second);
        transactions.batchPolled(second);
        transactions.handingOver(event(other));
        EventRecord b = event(second);
        assertThatThrownBy(() -> transactions.handingOver(b))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("hosted connector has requested both a commit and an abort")
                .hasMessageContaining("same record, for topic t and partition null");
        assertThat(worker.asked).isEmpty();
    }

    /** An abort of the batch has nothing to abort, which Connect's producer refuses. */
    @Test
    void refusesAnAbortOfABatchAfterACommitWithItsLastRecord() {
        transactions.commitTransaction(second);
        transactions.abortTransaction();
        transactions.batchPolled(second);
        EventRecord b = event(second);
        assertThatThrownBy(() -> transactions.handingOver(b))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("same record");
        assertThat(worker.asked).isEmpty();
    }

    /** Connect ignores the commit, because nothing is open after the abort. */
    @Test
    void abortsWithTheLastRecordOfABatchThatIsToBeCommitted() {
        transactions.abortTransaction(second);
        transactions.commitTransaction();
        transactions.batchPolled(second);
        EventRecord b = event(second);
        transactions.handingOver(b);
        assertThat(worker.asked)
                .containsExactly(List.<Object>of(List.of("abort", b)).toArray());
    }

    @Test
    void requestsNothingByItself() {
        transactions.batchPolled(null);
        assertThat(pending.get()).isNull();
        transactions.batchPolled(first);
        transactions.handingOver(event(first));
        assertThat(pending.get()).isNull();
        assertThat(worker.asked).isEmpty();
    }
}
