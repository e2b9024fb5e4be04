package io.microbatch.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.debezium.connector.postgresql.PostgresConnectorTask;
import io.microbatch.connect.ScriptedTask.AcknowledgingOnCommit;
import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.config.HostedConfig;
import io.microbatch.connect.config.MicrobatchConfig;
import io.microbatch.connect.upstream.hosted.NoBoundaries;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTask;
import org.apache.kafka.connect.source.SourceTaskContext;
import org.apache.kafka.connect.source.TransactionContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The notifications of a hosted task and their order. The worker's calls come in the order in which Connect makes them.
 */
@Timeout(45)
class HostedAcknowledgementTest {

    private static final RecordMetadata SENT = new RecordMetadata(new TopicPartition("t", 0), 0, 0, 0, 0, 0);
    private static final long PATIENCE_MS = 20_000;

    private TaskPipeline pipeline;

    @BeforeEach
    void reset() {
        ScriptedTask.reset();
        PostgresConnectorTask.reset();
    }

    @AfterEach
    void stop() {
        ScriptedTask.letGo();
        PostgresConnectorTask.letGo();
        pipeline.stop(30_000);
    }

    /** Starts a task with one event per batch and no linger. */
    private void start(Class<? extends SourceTask> taskClass, String... settings) {
        start(null, taskClass, settings);
    }

    private void start(TransactionContext transactions, Class<? extends SourceTask> taskClass, String... settings) {
        Map<String, String> config = new HashMap<>(Map.of(
                HostedConfig.CLASS_CONFIG,
                "io.microbatch.connect.upstream.hosted.HostedSample$SampleConnector",
                HostedConfig.TASK_CLASS,
                taskClass.getName(),
                "batch.mode",
                "fixed",
                "batch.max.records",
                "1",
                "batch.linger.ms",
                "0"));
        for (int i = 0; i < settings.length; i += 2) {
            config.put(settings[i], settings[i + 1]);
        }
        pipeline = TaskWiring.build(new MicrobatchConfig(config), config, new Context(config, transactions), "t-0");
        pipeline.start();
    }

    /** The part of the worker's context that a reader uses. */
    private record Context(Map<String, String> configs, TransactionContext transactionContext)
            implements SourceTaskContext {
        @Override
        public org.apache.kafka.connect.storage.OffsetStorageReader offsetStorageReader() {
            return null;
        }

        @Override
        public org.apache.kafka.common.metrics.PluginMetrics pluginMetrics() {
            return null;
        }
    }

    private static void await(Semaphore permits) throws InterruptedException {
        assertThat(permits.tryAcquire(PATIENCE_MS, TimeUnit.MILLISECONDS)).isTrue();
    }

    private List<SourceRecord> nextBatch() throws InterruptedException {
        List<SourceRecord> batch = null;
        while (batch == null) {
            batch = pipeline.poll();
            if (batch == null) {
                pipeline.committed();
            }
        }
        return batch;
    }

    /** As an at-least-once worker, whose commits come from a thread of their own. */
    private List<SourceRecord> nextBatchAtLeastOnce() throws InterruptedException {
        long begunNanos = System.nanoTime();
        List<SourceRecord> batch = pipeline.poll();
        while (batch == null && System.nanoTime() - begunNanos < TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS)) {
            onAnotherThread(pipeline::committed);
            batch = pipeline.poll();
        }
        assertThat(batch).as("a batch").isNotNull();
        return batch;
    }

    private void acknowledge(List<SourceRecord> batch, RecordMetadata metadata) {
        batch.forEach(record -> pipeline.acknowledged((EventRecord) record, metadata));
    }

    /** As an exactly-once worker: commits the transaction, then acknowledges, then calls commit. */
    private List<Object> deliverExactlyOnce() throws InterruptedException {
        List<SourceRecord> batch = nextBatch();
        acknowledge(batch, SENT);
        pipeline.committed();
        return batch.stream().map(SourceRecord::value).toList();
    }

    /** As an exactly-once worker when transforms have filtered a whole batch: acknowledges none of its events. */
    private void filterExactlyOnce() throws InterruptedException {
        List<SourceRecord> batch = nextBatch();
        assertThat(batch).isNotEmpty();
        pipeline.committed();
    }

    /** As an at-least-once worker: the producer's thread acknowledges. */
    private void deliverAtLeastOnce() throws InterruptedException {
        List<SourceRecord> batch = nextBatch();
        onAnotherThread(() -> acknowledge(batch, SENT));
    }

    private static void onAnotherThread(Runnable work) throws InterruptedException {
        Thread thread = new Thread(work, "producer");
        thread.start();
        thread.join();
    }

    /** Polls as an idle worker does until a permit is available. */
    private void idleUntil(Semaphore permits) throws InterruptedException {
        long begunNanos = System.nanoTime();
        boolean there = permits.tryAcquire();
        while (!there && System.nanoTime() - begunNanos < TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS)) {
            assertThat(pipeline.poll()).isNull();
            pipeline.committed();
            there = permits.tryAcquire();
        }
        assertThat(there).isTrue();
    }

    @Test
    void callsCommitOnlyAfterKafkaHasAllReturnedEvents() throws InterruptedException {
        start(AcknowledgingOnCommit.class);
        ScriptedTask.returns(1, 2);
        assertThat(deliverExactlyOnce()).containsExactly("e1");
        await(ScriptedTask.CONFIRMED);
        // Gives an early call the time to happen.
        boolean early = ScriptedTask.COMMITTED.tryAcquire(300, TimeUnit.MILLISECONDS);
        assertThat(early).as("commit with e2 still buffered").isFalse();
        assertThat(deliverExactlyOnce()).containsExactly("e2");
        idleUntil(ScriptedTask.COMMITTED);
        assertThat(ScriptedTask.TOLD).startsWith("e1", "e2", "commit");
    }

    @Test
    void callsCommitWhenTransformsFilterEverything() throws InterruptedException {
        start(AcknowledgingOnCommit.class);
        ScriptedTask.returns(1);
        filterExactlyOnce();
        idleUntil(ScriptedTask.COMMITTED);
        assertThat(ScriptedTask.TOLD).startsWith("commit");
    }

    @Test
    void pollsAgainAfterARetriableErrorWhenTransformsFilterEverything() throws InterruptedException {
        start(ScriptedTask.class);
        ScriptedTask.STEPS.add(() -> List.of(ScriptedTask.event(1)));
        ScriptedTask.STEPS.add(() -> {
            throw new RetriableException("the database restarts");
        });
        ScriptedTask.returns(2);
        filterExactlyOnce();
        assertThat(deliverExactlyOnce()).containsExactly("e2");
    }

    @Test
    void acknowledgesDuringAPollThatWaitsForItExactlyOnce() throws InterruptedException {
        start(ScriptedTask.class);
        ScriptedTask.returns(1);
        ScriptedTask.waitsForConfirmationsAndReturns(1, 2);
        List<Object> delivered = new ArrayList<>(deliverExactlyOnce());
        delivered.addAll(deliverExactlyOnce());
        assertThat(delivered).containsExactly("e1", "e2");
    }

    @Test
    void acknowledgesDuringAPollThatWaitsForItAtLeastOnce() throws InterruptedException {
        start(ScriptedTask.class);
        ScriptedTask.returns(1);
        ScriptedTask.waitsForConfirmationsAndReturns(1, 2);
        deliverAtLeastOnce();
        deliverAtLeastOnce();
        await(ScriptedTask.CONFIRMED);
        assertThat(ScriptedTask.TOLD).startsWith("e1", "e2");
    }

    /** Connect commits from another thread, though it has delivered nothing. */
    @Test
    void callsCommitDuringAPollThatWaitsForItWhenTransformsFilterEverythingAtLeastOnce() throws InterruptedException {
        start(AcknowledgingOnCommit.class);
        ScriptedTask.returns(1);
        ScriptedTask.waitsForCommitAndReturns(2);
        acknowledge(nextBatchAtLeastOnce(), null);
        assertThat(nextBatchAtLeastOnce()).extracting(SourceRecord::value).containsExactly("e2");
    }

    /** A task that counts records is notified of each, also of one that transforms have dropped. */
    @Test
    void notifiesATaskOfDebeziumThatLooksAtEachRecordOfEach() throws InterruptedException {
        start(ScriptedTask.DebeziumThatCounts.class);
        ScriptedTask.returns(1);
        acknowledge(nextBatch(), null);
        pipeline.committed();
        idleUntil(ScriptedTask.CONFIRMED);
        assertThat(ScriptedTask.TOLD).containsExactly("skipped e1");
    }

    /** Otherwise such a task gets no commit for as long as its transactions end within its polls. */
    @Test
    void callsCommitAlthoughATransactionOfTheTaskIsOpen() throws InterruptedException {
        start(new NoBoundaries(), AcknowledgingOnCommit.class);
        ScriptedTask.returns(1, 2);
        List<SourceRecord> batch = nextBatch();
        assertThat(batch).as("the records of one poll").hasSize(2);
        // The transaction that ends with the first record commits while Connect sends the batch.
        acknowledge(batch.subList(0, 1), SENT);
        pipeline.committed();
        await(ScriptedTask.CONFIRMED);
        // Gives an early call the time to happen.
        boolean early = ScriptedTask.COMMITTED.tryAcquire(300, TimeUnit.MILLISECONDS);
        assertThat(early).as("commit while the batch is sent").isFalse();
        pollUntil(() -> ScriptedTask.COMMITTED.availablePermits() > 0);
        assertThat(ScriptedTask.TOLD).startsWith("e1", "commit").doesNotContain("e2");
    }

    /** Connect acknowledges, commits, then polls. A task whose poll waits for commit must not be polled in between. */
    @Test
    void pollsATaskInStepOnlyAfterTheCommitOfItsEvents() throws InterruptedException {
        start(AcknowledgingOnCommit.class);
        ScriptedTask.returns(1);
        List<SourceRecord> batch = nextBatch();
        int ignored = ScriptedTask.ENTERED.drainPermits();
        acknowledge(batch, SENT);
        await(ScriptedTask.CONFIRMED);
        // Gives an early poll the time to happen.
        boolean early = ScriptedTask.ENTERED.tryAcquire(300, TimeUnit.MILLISECONDS);
        assertThat(early).as("a poll between acknowledgement and commit").isFalse();
        pipeline.committed();
        idleUntil(ScriptedTask.ENTERED);
        assertThat(ScriptedTask.TOLD).startsWith("e1", "commit");
    }

    /** Solace's task keeps what it has taken when the next message of the same poll is damaged. */
    @Test
    void callsNoCommitAfterAPollThatHasFailedAndMayHaveTakenEvents() throws InterruptedException {
        start(AcknowledgingOnCommit.class);
        ScriptedTask.returns(1);
        assertThat(deliverExactlyOnce()).containsExactly("e1");
        idleUntil(ScriptedTask.COMMITTED);
        Semaphore fails = new Semaphore(0);
        ScriptedTask.STEPS.add(() -> {
            ScriptedTask.TOLD.add("takes e2");
            await(fails);
            throw new ConnectException("e3 is damaged");
        });
        pollUntil(() -> ScriptedTask.TOLD.contains("takes e2"));
        // A commit is owed from now on.
        assertThat(pipeline.poll()).isNull();
        pipeline.committed();
        fails.release();
        assertThatThrownBy(() -> pollUntil(() -> false)).hasMessageContaining("e3 is damaged");
        pipeline.stop(30_000);
        assertThat(ScriptedTask.TOLD).endsWith("takes e2", "stop");
    }

    /** A poll that the stop interrupts may have taken events, too. */
    @Test
    void callsNoCommitAfterAPollThatTheStopHasInterrupted() throws InterruptedException {
        start(AcknowledgingOnCommit.class);
        Semaphore never = new Semaphore(0);
        ScriptedTask.STEPS.add(() -> {
            ScriptedTask.TOLD.add("takes e1");
            never.acquire();
            return List.of(ScriptedTask.event(1));
        });
        pollUntil(() -> ScriptedTask.TOLD.contains("takes e1"));
        pipeline.committed();
        pipeline.stop(400);
        assertThat(ScriptedTask.TOLD).endsWith("takes e1", "stop");
    }

    /** Otherwise its source sends again what Kafka has. */
    @Test
    void notifiesAFailedTaskOfTheEventsThatAreDeliveredAfterItsFailure() throws InterruptedException {
        start(ScriptedTask.class);
        ScriptedTask.returns(1, 2);
        Semaphore failed = new Semaphore(0);
        ScriptedTask.STEPS.add(() -> {
            failed.release();
            throw new ConnectException("the session is closed");
        });
        await(failed);
        assertThat(deliverExactlyOnce()).containsExactly("e1");
        assertThat(deliverExactlyOnce()).containsExactly("e2");
        assertThatThrownBy(() -> pollUntil(() -> false)).hasMessageContaining("the session is closed");
        pipeline.stop(30_000);
        assertThat(ScriptedTask.TOLD).containsExactly("e1", "e2", "stop");
    }

    /** Polls as an idle exactly-once worker does. */
    private void pollUntil(BooleanSupplier reached) throws InterruptedException {
        long begunNanos = System.nanoTime();
        while (!reached.getAsBoolean() && System.nanoTime() - begunNanos < TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS)) {
            assertThat(pipeline.poll()).isNull();
            pipeline.committed();
        }
        assertThat(reached.getAsBoolean()).isTrue();
    }

    /** The last event is held until the next poll shows whether more events of the same position follow. */
    @Test
    void pollsADebeziumTaskInStepWhileAnEventIsHeld() throws InterruptedException {
        start(PostgresConnectorTask.class, HostedConfig.POLL_AHEAD_CONFIG, "never");
        await(PostgresConnectorTask.ENTERED);
        PostgresConnectorTask.POLLS.add(List.of(ScriptedTask.event(1)));
        await(PostgresConnectorTask.ENTERED);
        PostgresConnectorTask.POLLS.add(List.of());
        assertThat(deliverExactlyOnce()).containsExactly("e1");
    }
}
