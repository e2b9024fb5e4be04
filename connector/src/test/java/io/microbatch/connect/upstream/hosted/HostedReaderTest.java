package io.microbatch.connect.upstream.hosted;

import static io.microbatch.connect.upstream.hosted.debezium.ChangeEvents.change;
import static io.microbatch.connect.upstream.hosted.debezium.ChangeEvents.tombstone;
import static org.assertj.core.api.Assertions.assertThat;

import io.debezium.connector.postgresql.PostgresConnectorTask;
import io.microbatch.connect.ack.DurableWatermark;
import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.config.HostedConfig;
import io.microbatch.connect.stripe.StripeSet;
import io.microbatch.connect.upstream.ReaderGroup;
import io.microbatch.connect.upstream.RecordConversion;
import io.microbatch.connect.upstream.hosted.HostedSample.SampleConnector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTaskContext;
import org.apache.kafka.connect.source.TransactionContext;
import org.apache.kafka.connect.storage.OffsetStorageReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Polls that end where Debezium's may, and what the consumer sees after each. */
@Timeout(60)
class HostedReaderTest {

    private static final long GENEROUS_MS = 30_000;

    private final AtomicLong nowNanos = new AtomicLong();
    private final StripeSet<EventRecord> stripes = new StripeSet<>(1, 8, 1 << 20, System::nanoTime);
    private ReaderGroup group;

    private void start(TransactionContext transactions) throws InterruptedException {
        PostgresConnectorTask.reset();
        Map<String, String> config = Map.of(
                HostedConfig.CLASS_CONFIG, SampleConnector.class.getName(),
                HostedConfig.TASK_CLASS, PostgresConnectorTask.class.getName());
        HostedReader reader =
                new HostedReader(config, new Context(config, transactions), new AtomicReference<>(), nowNanos::get);
        group = new ReaderGroup(
                "orders-0",
                List.of(reader),
                () -> RecordConversion.NONE,
                stripes,
                new DurableWatermark(System.nanoTime()),
                System::nanoTime);
        group.start();
        awaitNextPoll();
    }

    @AfterEach
    void stop() {
        PostgresConnectorTask.letGo();
        group.stop(GENEROUS_MS);
    }

    /** What the worker gives, as far as the reader asks. */
    private record Context(Map<String, String> configs, TransactionContext transactionContext)
            implements SourceTaskContext {

        @Override
        public OffsetStorageReader offsetStorageReader() {
            return null;
        }

        @Override
        public org.apache.kafka.common.metrics.PluginMetrics pluginMetrics() {
            return null;
        }
    }

    private static void awaitNextPoll() throws InterruptedException {
        assertThat(PostgresConnectorTask.ENTERED.tryAcquire(30, TimeUnit.SECONDS))
                .isTrue();
    }

    /** Lets a poll return these, and waits until they have been dealt with. */
    private void polled(SourceRecord... records) throws InterruptedException {
        PostgresConnectorTask.POLLS.add(List.of(records));
        awaitNextPoll();
    }

    private List<SourceRecord> drained() {
        List<SourceRecord> drained = new ArrayList<>();
        int ignored =
                stripes.drain((event, size) -> drained.add(event.origin()), 1_000, 1 << 20, EventRecord::sameOffset);
        return drained;
    }

    private void settle() {
        int ignored = stripes.drain((event, size) -> event.settle(null, 1), 1_000, 1 << 20, EventRecord::sameOffset);
    }

    @Test
    void showsADeleteOnlyWithItsTombstone() throws InterruptedException {
        start(null);
        SourceRecord delete = change("d", 1);
        SourceRecord tombstone = tombstone(1);
        polled(delete);
        assertThat(drained()).isEmpty();
        polled();
        assertThat(drained()).isEmpty();
        polled(tombstone);
        assertThat(drained()).containsExactly(delete, tombstone);
    }

    @Test
    void showsADeleteWhoseTombstoneDoesNotCome() throws InterruptedException {
        start(null);
        SourceRecord delete = change("d", 1);
        polled(delete);
        nowNanos.set(TimeUnit.SECONDS.toNanos(1));
        polled();
        assertThat(drained()).containsExactly(delete);
    }

    @Test
    void showsInsertedRowsOfOnePositionTogetherOnceAPollBringsNoMore() throws InterruptedException {
        start(null);
        SourceRecord first = change("c", 1);
        SourceRecord second = change("c", 1);
        polled(first);
        polled(second);
        assertThat(drained()).isEmpty();
        polled();
        assertThat(drained()).as("Debezium may only stand still").isEmpty();
        nowNanos.set(TimeUnit.MILLISECONDS.toNanos(250));
        polled();
        assertThat(drained()).containsExactly(first, second);
    }

    @Test
    void showsARunWhenThereIsAnotherOffset() throws InterruptedException {
        start(null);
        SourceRecord first = change("c", 1);
        SourceRecord second = change("c", 2);
        polled(first);
        polled(second);
        assertThat(drained()).containsExactly(first);
        polled(change("u", 3));
        assertThat(drained()).startsWith(second).hasSize(2);
    }

    @Test
    void dropsARunWhoseRestWasThrownAwayWithAFailure() throws InterruptedException {
        start(null);
        SourceRecord delete = change("d", 1);
        SourceRecord tombstone = tombstone(1);
        polled(change("u", 0), change("d", 1));
        settle();
        PostgresConnectorTask.failNextPoll();
        polled();
        nowNanos.set(TimeUnit.SECONDS.toNanos(1));
        polled();
        assertThat(drained()).isEmpty();
        polled(delete, tombstone);
        assertThat(drained()).containsExactly(delete, tombstone);
    }

    /** A Debezium task restarts at the committed offset then: what is not committed yet would come twice. */
    @Test
    void asksATaskThatFailedOnlyWhenAllThatItBroughtIsSettled() throws InterruptedException {
        start(null);
        polled(change("u", 1), change("u", 2));
        PostgresConnectorTask.failNextPoll();
        PostgresConnectorTask.POLLS.add(List.of());
        assertThat(PostgresConnectorTask.ENTERED.tryAcquire(1, TimeUnit.SECONDS))
                .as("polled with two events on their way")
                .isFalse();
        settle();
        awaitNextPoll();
    }

    /** It may have to be polled to say that the transaction ends, without which nothing is settled. */
    @Test
    void waitsForNothingWhereTheTaskSaysItselfWhereTransactionsEnd() throws InterruptedException {
        start(new HostedTransactions(null, new AtomicReference<>()));
        polled(change("u", 1));
        PostgresConnectorTask.failNextPoll();
        polled();
        polled();
    }

    @Test
    void neverShowsARunThatHadNotEndedWhenTheTaskStopped() throws InterruptedException {
        start(null);
        polled(change("u", 1), change("d", 2));
        stop();
        assertThat(drained()).hasSize(1);
        assertThat(stripes.sizeEvents()).isZero();
        assertThat(group.failure()).isNull();
    }

    /** Before the task thread can see the event, or the worker would not know that its transaction ends there. */
    @Test
    void passesOnWhereATransactionEndsBeforeTheEventCanBeSeen() throws InterruptedException {
        List<Object> ends = new ArrayList<>();
        List<Long> visible = new ArrayList<>();
        start(new TransactionContext() {
            @Override
            public void commitTransaction() {
                ends.add("commit");
            }

            @Override
            public void commitTransaction(SourceRecord record) {
                ends.add(((EventRecord) record).origin());
                visible.add(stripes.sizeEvents());
            }

            @Override
            public void abortTransaction() {
                ends.add("abort");
            }

            @Override
            public void abortTransaction(SourceRecord record) {
                ends.add("abort a record");
            }
        });
        SourceRecord first = change("u", 1);
        SourceRecord second = change("u", 2);
        PostgresConnectorTask.transactions().commitTransaction(second);
        polled(first, second);
        assertThat(ends).containsExactly(second);
        assertThat(visible).as("the first one at most").allMatch(events -> events <= 1);
    }

    @Test
    void holdsNothingWhereTheTaskSaysItselfWhereTransactionsEnd() throws InterruptedException {
        start(new HostedTransactions(null, new AtomicReference<>()));
        SourceRecord delete = change("d", 1);
        polled(delete);
        assertThat(drained()).containsExactly(delete);
    }
}
