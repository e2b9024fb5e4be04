package io.microbatch.connect.upstream.hosted;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.ack.EventRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
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

    /** Two equal records: a boundary of one must not apply to the other. */
    private final SourceRecord first = record();

    private final SourceRecord second = record();

    private static SourceRecord record() {
        return new SourceRecord(Map.of(), Map.of("o", 1), "t", null, null);
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
        assertThat(transactions.isBoundaryPending()).isFalse();
    }

    @Test
    void abortsAfterAnEmptyBatchWhenEverythingIsDrained() {
        transactions.abortTransaction();
        transactions.batchPolled(null);
        pending.get().run();
        assertThat(pending.get()).isNull();
        assertThat(worker.asked).containsExactly("abort");
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
