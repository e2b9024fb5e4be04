package io.microbatch.connect.upstream.hosted;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.poll.SingleRecords;
import io.microbatch.connect.stripe.StripeSet;
import io.microbatch.connect.upstream.Intake;
import io.microbatch.connect.upstream.PlainIntake;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where batches are cut if a hosted task defines its own transactions. One thread plays both sides of the stripe. */
@Timeout(60)
class TransactionCutsTest {

    private static final int CAPACITY = 32;
    private static final long MAX_BYTES = 1 << 20;

    private final StripeSet<EventRecord> stripes = new StripeSet<>(1, CAPACITY, MAX_BYTES, () -> 0);
    private final SingleRecords source = new SingleRecords(stripes);
    private final HostedTransactions transactions = new HostedTransactions(new NoBoundaries(), new AtomicReference<>());
    private final List<Long> visibleAtHandOver = new ArrayList<>();
    private final List<Integer> drainedWhileFull = new ArrayList<>();
    private final Intake intake = PlainIntake.into(stripes, () -> 0, this::drainWhileFull);

    private int polled;

    /** The next records of the hosted task. No two of them share an offset. */
    private List<SourceRecord> records(int count) {
        polled += count;
        return IntStream.range(polled - count, polled)
                .mapToObj(offset -> new SourceRecord(Map.of("p", 0), Map.of("o", offset), "t", null, "value"))
                .toList();
    }

    private void returns(List<SourceRecord> records) throws InterruptedException {
        transactions.batchPolled(records.get(records.size() - 1));
        intake.addAll(records, false, 0, event -> {
            visibleAtHandOver.add(stripes.sizeEvents());
            transactions.handingOver(event);
        });
    }

    /** A poll that returns a whole transaction of this number of records. */
    private void returnsTransaction(int records) throws InterruptedException {
        transactions.commitTransaction();
        returns(records(records));
    }

    private int drain(int maxEvents) {
        List<EventRecord> drained = new ArrayList<>();
        source.drain((event, sizeBytes) -> drained.add(event), maxEvents, MAX_BYTES);
        return drained.size();
    }

    private void drainWhileFull() {
        int drained = drain(1);
        if (drained > 0) {
            drainedWhileFull.add(drained);
        }
    }

    @Test
    void endsABatchWhereATransactionEnds() throws InterruptedException {
        returnsTransaction(7);
        returnsTransaction(7);
        returnsTransaction(7);
        assertThat(drain(10)).as("not three records of the second transaction").isEqualTo(14);
        assertThat(drain(7)).isEqualTo(7);
    }

    @Test
    void endsABatchWhereATransactionIsAborted() throws InterruptedException {
        transactions.abortTransaction();
        returns(records(7));
        returnsTransaction(7);
        assertThat(drain(1)).isEqualTo(7);
    }

    @Test
    void endsABatchWithARecordThatEndsATransaction() throws InterruptedException {
        List<SourceRecord> records = records(9);
        transactions.commitTransaction(records.get(2));
        SourceRecord last = records.get(5);
        transactions.commitTransaction(new SourceRecord(
                last.sourcePartition(), last.sourceOffset(), last.topic(), last.valueSchema(), last.value()));
        returns(records);
        assertThat(drain(1)).isEqualTo(3);
        assertThat(drain(2)).as("a copy of the record was named").isEqualTo(3);
        assertThat(drain(1)).as("plain, the poll would end here too").isEqualTo(3);
    }

    @Test
    void endsABatchWhereAPollOfALongTransactionEnds() throws InterruptedException {
        for (int poll = 0; poll < 3; poll++) {
            returns(records(5));
        }
        assertThat(drain(6)).isEqualTo(10);
        assertThat(drain(1)).isEqualTo(5);
    }

    @Test
    void exceedsTheBytesOfABatchByTheRestOfATransaction() throws InterruptedException {
        returnsTransaction(7);
        List<EventRecord> drained = new ArrayList<>();
        source.drain((event, sizeBytes) -> drained.add(event), 100, 1);
        assertThat(drained).hasSize(7);
    }

    /** Otherwise a batch that is drained meanwhile ends within the transaction. */
    @Test
    void showsATransactionAsAWhole() throws InterruptedException {
        List<SourceRecord> records = records(6);
        transactions.commitTransaction(records.get(3));
        returns(records);
        assertThat(visibleAtHandOver).containsExactly(0L, 0L, 0L, 0L, 4L, 4L);
        assertThat(stripes.sizeEvents()).isEqualTo(6);
    }

    @Test
    void passesOnInPartsWhatTheStripeDoesNotHold() throws InterruptedException {
        returnsTransaction(CAPACITY + 8);
        assertThat(drainedWhileFull).containsExactly(CAPACITY);
        assertThat(drain(1)).isEqualTo(8);
    }

    @Test
    void cutsAnywhereIfTheWorkerEndsTheTransactions() throws InterruptedException {
        HostedTransactions none = new HostedTransactions(null, new AtomicReference<>());
        List<SourceRecord> records = records(7);
        none.batchPolled(records.get(6));
        intake.addAll(records, false, 0, none::handingOver);
        assertThat(drain(3)).isEqualTo(3);
    }
}
