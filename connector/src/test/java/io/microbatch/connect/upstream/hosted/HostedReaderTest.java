package io.microbatch.connect.upstream.hosted;

import static io.microbatch.connect.upstream.hosted.debezium.ChangeEvents.change;
import static io.microbatch.connect.upstream.hosted.debezium.ChangeEvents.committed;
import static io.microbatch.connect.upstream.hosted.debezium.ChangeEvents.heartbeat;
import static io.microbatch.connect.upstream.hosted.debezium.ChangeEvents.tombstone;
import static org.assertj.core.api.Assertions.assertThat;

import io.debezium.connector.postgresql.PostgresConnectorTask;
import io.microbatch.connect.ack.DurableWatermark;
import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.config.HostedConfig;
import io.microbatch.connect.stripe.StripeSet;
import io.microbatch.connect.stripe.Wake;
import io.microbatch.connect.upstream.ReaderGroup;
import io.microbatch.connect.upstream.RecordConversion;
import io.microbatch.connect.upstream.hosted.HostedSample.SampleConnector;
import io.microbatch.testbed.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Polls that end where Debezium's polls may end, and the events that the consumer sees after each. */
@Timeout(60)
class HostedReaderTest {

    private static final long GENEROUS_MS = 30_000;
    private static final double AN_HOUR_MS = 3_600_000;

    private final AtomicLong nowNanos = new AtomicLong();
    private final StripeSet<EventRecord> stripes = new StripeSet<>(1, 8, 1 << 20, System::nanoTime);
    private final AtomicReference<Runnable> boundary = new AtomicReference<>();
    private ReaderGroup group;

    private void start(TransactionContext transactions) throws InterruptedException {
        PostgresConnectorTask.reset();
        Map<String, String> config = Map.of(
                HostedConfig.CLASS_CONFIG, SampleConnector.class.getName(),
                HostedConfig.TASK_CLASS, PostgresConnectorTask.class.getName());
        HostedReader reader = new HostedReader(config, new Context(config, transactions), boundary, nowNanos::get);
        group = new ReaderGroup(
                "orders-0",
                List.of(reader),
                () -> RecordConversion.NONE,
                stripes,
                new DurableWatermark(System.nanoTime()),
                nowNanos::get);
        group.start();
        awaitNextPoll();
    }

    @AfterEach
    void stop() {
        PostgresConnectorTask.letGo();
        group.stop(GENEROUS_MS);
    }

    /** The part of the worker's context that the reader uses. */
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

    private void awaitNextPoll() throws InterruptedException {
        assertThat(PostgresConnectorTask.ENTERED.tryAcquire(30, TimeUnit.SECONDS))
                .as(() -> "polled again; failure: " + group.failure())
                .isTrue();
    }

    /** Releases a poll that returns these records, and waits until the reader has added them. */
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
    void publishesADeleteOnlyWithItsTombstone() throws InterruptedException {
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
    void skipsANullInTheListOfAPoll() throws InterruptedException {
        start(null);
        SourceRecord first = change("u", 1);
        SourceRecord second = change("u", 2);
        PostgresConnectorTask.POLLS.add(Arrays.asList(first, null, second, null));
        PostgresConnectorTask.POLLS.add(Arrays.asList((SourceRecord) null));
        awaitNextPoll();
        awaitNextPoll();
        assertThat(drained()).containsExactly(first, second);
    }

    @Test
    void publishesADeleteWithoutItsTombstoneAtTheTimeLimit() throws InterruptedException {
        start(null);
        SourceRecord delete = change("d", 1);
        polled(delete);
        nowNanos.set(TimeUnit.SECONDS.toNanos(1));
        polled();
        assertThat(drained()).containsExactly(delete);
    }

    @Test
    void publishesInsertedRowsOfOnePositionTogetherWhenPollsReturnNoMore() throws InterruptedException {
        start(null);
        SourceRecord first = change("c", 1);
        SourceRecord second = change("c", 1);
        polled(first);
        polled(second);
        assertThat(drained()).isEmpty();
        polled();
        assertThat(drained()).as("Debezium may have paused").isEmpty();
        nowNanos.set(TimeUnit.MILLISECONDS.toNanos(250));
        polled();
        assertThat(drained()).containsExactly(first, second);
    }

    @Test
    void publishesARunAtTheNextOffset() throws InterruptedException {
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
    void dropsARunWhoseRestWasDiscardedByAFailure() throws InterruptedException {
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

    /** A Debezium task then restarts at the committed offset. Uncommitted events would be delivered twice. */
    @Test
    void pollsAFailedTaskOnlyWhenAllItsEventsAreSettled() throws InterruptedException {
        start(null);
        polled(change("u", 1), change("u", 2));
        PostgresConnectorTask.failNextPoll();
        PostgresConnectorTask.POLLS.add(List.of());
        assertThat(PostgresConnectorTask.ENTERED.tryAcquire(1, TimeUnit.SECONDS))
                .as("polled with two outstanding events")
                .isFalse();
        settle();
        awaitNextPoll();
    }

    /** The task may need a poll to report the end of its transaction, without which nothing is settled. */
    @Test
    void pollsAFailedTaskImmediatelyIfItDefinesTransactions() throws InterruptedException {
        start(new HostedTransactions(null, new AtomicReference<>()));
        polled(change("u", 1));
        PostgresConnectorTask.failNextPoll();
        polled();
        polled();
    }

    @Test
    void neverPublishesAnUnfinishedRunAtTheStop() throws InterruptedException {
        start(null);
        polled(change("u", 1), change("d", 2));
        stop();
        assertThat(drained()).hasSize(1);
        assertThat(stripes.sizeEvents()).isZero();
        assertThat(group.failure()).isNull();
    }

    /** The boundary is set before the task thread can see the event. Otherwise the worker would miss it. */
    @Test
    void setsATransactionBoundaryBeforeTheEventIsVisible() throws InterruptedException {
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

    /** Waits until the reader says that the task is not silent, although minutes pass: it does not ask it. */
    private void awaitNotAsked() {
        nowNanos.addAndGet(TimeUnit.MINUTES.toNanos(5));
        Await.until(
                "heard, because it is not asked",
                Duration.ofSeconds(30),
                () -> group.silentMs() == 0,
                () -> Double.toString(group.silentMs()));
    }

    /** A later event would join the transaction that the boundary ends, or be dropped by an abort of it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void pollsOnlyWhenTheBoundaryOfAPollWithoutRecordsIsPassedOn(boolean fails) throws InterruptedException {
        List<String> asked = new CopyOnWriteArrayList<>();
        start(new TransactionContext() {
            @Override
            public void commitTransaction() {
                asked.add("commit");
            }

            @Override
            public void commitTransaction(SourceRecord record) {
                asked.add("commit a record");
            }

            @Override
            public void abortTransaction() {
                asked.add("abort");
            }

            @Override
            public void abortTransaction(SourceRecord record) {
                asked.add("abort a record");
            }
        });
        polled(change("u", 1));
        PostgresConnectorTask.transactions().abortTransaction();
        if (fails) {
            PostgresConnectorTask.failNextPoll();
        }
        PostgresConnectorTask.POLLS.add(List.of());
        awaitNotAsked();
        assertThat(PostgresConnectorTask.ENTERED.availablePermits()).isZero();
        assertThat(stripes.await(2, Long.MAX_VALUE, System.nanoTime() + TimeUnit.MINUTES.toNanos(1), Long.MAX_VALUE))
                .as("the task thread, which waits for events, is woken")
                .isIn(Wake.WOKEN, Wake.FULL);
        assertThat(drained()).hasSize(1);
        boundary.get().run();
        boundary.get().run();
        awaitNextPoll();
        assertThat(asked).containsExactly("abort");
    }

    /** An empty poll of a Debezium that hangs looks like that of one whose database is idle. */
    @Test
    void anEmptyPollIsNoProofThatNothingWaitsToBeRead() throws InterruptedException {
        start(null);
        polled(committed(System.currentTimeMillis() - (long) AN_HOUR_MS));
        assertThat(group.lagMs()).isGreaterThanOrEqualTo(AN_HOUR_MS);
        polled();
        assertThat(group.lagMs()).as("after an empty poll").isGreaterThanOrEqualTo(AN_HOUR_MS);
        nowNanos.addAndGet(TimeUnit.SECONDS.toNanos(61));
        polled();
        assertThat(group.lagMs()).as("after a minute without any record").isNaN();
        assertThat(group.silentMs()).isEqualTo(61_000);
        polled(committed(System.currentTimeMillis()));
        assertThat(group.silentMs()).isZero();
        assertThat(group.lagMs()).isLessThan(AN_HOUR_MS);
    }

    /** Debezium sends a heartbeat at the end of each snapshot. */
    @Test
    void aHeartbeatDoesNotHideTheLagOfTheChangesBeforeIt() throws InterruptedException {
        start(null);
        polled(committed(System.currentTimeMillis() - (long) AN_HOUR_MS), heartbeat());
        assertThat(group.lagMs()).isGreaterThanOrEqualTo(AN_HOUR_MS);
        polled(committed(System.currentTimeMillis()), heartbeat(), heartbeat());
        assertThat(group.lagMs()).isLessThan(AN_HOUR_MS);
        polled(heartbeat());
        assertThat(group.lagMs()).as("a heartbeat says nothing of the lag").isLessThan(AN_HOUR_MS);
    }

    @Test
    void isDisconnectedWhileItsPollsAskForRetries() throws InterruptedException {
        start(null);
        assertThat(group.connected()).as("without MBeans").isNaN();
        PostgresConnectorTask.failNextPoll();
        polled();
        assertThat(group.connected()).isZero();
        polled();
        assertThat(group.connected()).as("it waits before it starts again").isZero();
        polled(change("u", 1));
        assertThat(group.connected()).isNaN();
    }

    /** A task that waits for its events to be settled is not polled, and its silence says nothing. */
    @Test
    void isNotSilentWhileItIsNotPolled() throws InterruptedException {
        start(null);
        polled(change("u", 1));
        PostgresConnectorTask.failNextPoll();
        PostgresConnectorTask.POLLS.add(List.of());
        awaitNotAsked();
        settle();
        awaitNextPoll();
    }

    /** Debezium's own poll interval is 500 ms. */
    @Test
    void announcesWhenTheNextPollReturns() throws InterruptedException {
        long intervalNanos = TimeUnit.MILLISECONDS.toNanos(500);
        start(null);
        nowNanos.set(intervalNanos);
        polled(change("u", 1));
        assertThat(stripes.pausedUntilNanos(intervalNanos)).isEqualTo(2 * intervalNanos);
        nowNanos.set(2 * intervalNanos);
        polled();
        assertThat(stripes.pausedUntilNanos(2 * intervalNanos))
                .as("after an empty poll")
                .isEqualTo(3 * intervalNanos);
        nowNanos.set(3 * intervalNanos);
        polled(change("c", 2));
        assertThat(stripes.sizeEvents()).as("the insert is held").isOne();
        assertThat(stripes.pausedUntilNanos(3 * intervalNanos))
                .as("a held event does not come before the next poll")
                .isEqualTo(4 * intervalNanos);
        polled(change("u", 3));
        assertThat(stripes.pausedUntilNanos(3 * intervalNanos))
                .as("after a poll that its events ended")
                .isEqualTo(3 * intervalNanos);
    }

    @Test
    void holdsNoRunIfTheTaskDefinesTransactions() throws InterruptedException {
        start(new HostedTransactions(null, new AtomicReference<>()));
        SourceRecord delete = change("d", 1);
        polled(delete);
        assertThat(drained()).containsExactly(delete);
    }
}
