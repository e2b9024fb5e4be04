package io.microbatch.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.debezium.engine.source.EngineContext;
import io.microbatch.connect.ack.AckSignals.Delivery;
import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.config.HostedConfig;
import io.microbatch.connect.config.MicrobatchConfig;
import io.microbatch.testbed.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EmbeddedEngineTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Map<String, String> config = new HashMap<>(Map.of(
            "name", "orders",
            "upstream.type", "synthetic",
            "upstream.synthetic.topic", "t",
            "upstream.synthetic.task.first", "0",
            "upstream.synthetic.task.step", "1",
            "upstream.synthetic.events.per.partition", "0",
            "calibration.enabled", "false"));

    @Test
    void anEventIsDeliveredWhenTheApplicationHasProcessedItOrWhatATransformMadeOfIt() throws InterruptedException {
        MicrobatchSourceTask task = new MicrobatchSourceTask();
        task.initialize(new EngineContext());
        task.start(config);
        try {
            for (SourceRecord record : batch(task::poll)) {
                SourceRecord transformed = record.newRecord("other", null, null, null, null, "value", 1L);
                task.commitRecord(transformed.newRecord("another", null, null, null, null, "value", 1L), null);
                assertThat(((EventRecord) record).isDelivered()).isTrue();
                assertThat(((EventRecord) record).metadata()).isNull();
            }
            task.commit();
        } finally {
            task.stop();
        }
    }

    /** A transform has dropped it, or has made a record of its own of it. The engine tells neither. */
    @Test
    void anEventThatWasNotMarkedIsDoneWhenTheEnginePollsAgain() throws InterruptedException {
        MicrobatchSourceTask task = new MicrobatchSourceTask();
        task.initialize(new EngineContext());
        task.start(config);
        try {
            List<SourceRecord> records = batch(task::poll);
            EventRecord last = (EventRecord) records.get(records.size() - 1);
            for (SourceRecord record : records.subList(0, records.size() - 1)) {
                task.commitRecord(record, null);
            }
            task.commitRecord(
                    new SourceRecord(
                            last.sourcePartition(), last.sourceOffset(), "t", last.valueSchema(), last.value()),
                    null);
            task.commit();
            assertThat(last.isSettled())
                    .as("before the application has returned")
                    .isFalse();
            List<SourceRecord> ignored = task.poll();
            assertThat(last.isSettled()).isTrue();
            assertThat(last.isDelivered()).isFalse();
        } finally {
            task.stop();
        }
    }

    @Test
    void refusesAMarkThatComesAfterTheApplicationHasReturned() throws InterruptedException {
        MicrobatchSourceTask task = new MicrobatchSourceTask();
        task.initialize(new EngineContext());
        task.start(config);
        try {
            SourceRecord late = batch(task::poll).get(0);
            List<SourceRecord> ignored = task.poll();
            assertThatThrownBy(() -> task.commitRecord(late, null))
                    .isInstanceOf(ConnectException.class)
                    .hasMessageContaining("before handleBatch returns");
            assertThatThrownBy(task::poll)
                    .as("the engine ends")
                    .isInstanceOf(ConnectException.class)
                    .hasMessageContaining("before handleBatch returns");
        } finally {
            task.stop();
        }
    }

    /** A task that takes commit as an acknowledgement is polled no more while an event is not done. */
    @Test
    void aHostedTaskIsPolledOnAfterTheLastEventWasDropped() throws InterruptedException {
        ScriptedTask.reset();
        MicrobatchSourceTask task = new MicrobatchSourceTask();
        task.initialize(new EngineContext());
        task.start(Map.of(
                "name",
                "orders",
                "calibration.enabled",
                "false",
                HostedConfig.CLASS_CONFIG,
                "io.microbatch.connect.upstream.hosted.HostedSample$SampleConnector",
                HostedConfig.TASK_CLASS,
                ScriptedTask.AcknowledgingOnCommit.class.getName(),
                "batch.mode",
                "fixed",
                "batch.max.records",
                "1",
                "batch.linger.ms",
                "0"));
        try {
            ScriptedTask.returns(1, 2);
            task.commitRecord(batch(task::poll).get(0), null);
            task.commit();
            List<SourceRecord> dropped = batch(task::poll);
            assertThat(dropped).singleElement().extracting(SourceRecord::value).isEqualTo("e2");
            Await.until(
                    "the commit of both events",
                    PATIENCE,
                    () -> polledNothing(task) && ScriptedTask.TOLD.contains("commit"),
                    () -> ScriptedTask.TOLD.toString());
            // The engine knows no place in Kafka for any event.
            assertThat(ScriptedTask.TOLD).containsExactly("skipped e1", "skipped e2", "commit");
            ScriptedTask.returns(3);
            assertThat(batch(task::poll))
                    .singleElement()
                    .extracting(SourceRecord::value)
                    .isEqualTo("e3");
        } finally {
            ScriptedTask.letGo();
            task.stop();
        }
    }

    private static boolean polledNothing(MicrobatchSourceTask task) {
        return !addedTo(new ArrayList<>(), task::poll);
    }

    @Test
    void deliversAtLeastOnceThoughTheThreadThatPollsAcknowledges() {
        TaskPipeline pipeline = TaskWiring.build(new MicrobatchConfig(config), config, new EngineContext(), "orders-0");
        pipeline.start();
        try {
            batch(pipeline::poll).forEach(record -> pipeline.processed((EventRecord) record));
            List<SourceRecord> ignored = batch(pipeline::poll);
            assertThat(pipeline.delivery()).isEqualTo(Delivery.AT_LEAST_ONCE);
        } finally {
            pipeline.stop(30_000);
        }
    }

    @Test
    void refusesExactlyOnceWhereItIsRequired() {
        EmbeddedEngine.check(new MicrobatchConfig(config), config);
        config.put("exactly.once.support", "requested");
        EmbeddedEngine.check(new MicrobatchConfig(config), config);
        config.put("exactly.once.support", "REQUIRED");
        MicrobatchSourceTask task = new MicrobatchSourceTask();
        task.initialize(new EngineContext());
        assertThatThrownBy(() -> task.start(config))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("exactly.once.support=required")
                .hasMessageContaining("Remove the key");
        task.stop();
    }

    @Test
    void refusesToAnswerClientsForKafka() {
        Map<String, String> http = Map.of("upstream.type", "http", "upstream.http.topics", "t");
        assertThatThrownBy(() -> EmbeddedEngine.check(new MicrobatchConfig(http), http))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("upstream.type=http")
                .hasMessageContaining("worker");
    }

    @Test
    void refusesToDeleteRowsForKafka() {
        Map<String, String> outbox = Map.of(
                "upstream.type", "outbox",
                "upstream.outbox.jdbc.url", "jdbc:postgresql://db/shop",
                "upstream.outbox.table", "public.outboxevent",
                "upstream.outbox.topics", "t");
        assertThatThrownBy(() -> EmbeddedEngine.check(new MicrobatchConfig(outbox), outbox))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("upstream.type=outbox")
                .hasMessageContaining("worker");
    }

    @FunctionalInterface
    private interface Poll {
        List<SourceRecord> call() throws InterruptedException;
    }

    private static List<SourceRecord> batch(Poll poll) {
        List<SourceRecord> batch = new ArrayList<>();
        Await.until("a batch", PATIENCE, () -> addedTo(batch, poll), () -> "none");
        return batch;
    }

    private static boolean addedTo(List<SourceRecord> batch, Poll poll) {
        try {
            List<SourceRecord> records = poll.call();
            return records != null && batch.addAll(records);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
