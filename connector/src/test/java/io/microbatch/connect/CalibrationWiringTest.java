package io.microbatch.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.ack.AckSignals.Delivery;
import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.calibration.CalibrationKey;
import io.microbatch.connect.calibration.CalibrationRecorder;
import io.microbatch.connect.calibration.Meaning;
import io.microbatch.connect.common.Version;
import io.microbatch.connect.config.MicrobatchConfig;
import io.microbatch.testbed.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTaskContext;
import org.apache.kafka.connect.storage.OffsetStorageReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class CalibrationWiringTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    private TaskPipeline pipeline;

    private Map<String, String> config() {
        return new HashMap<>(Map.of(
                "name", "orders",
                "upstream.type", "synthetic",
                "upstream.synthetic.topic", "t",
                "upstream.synthetic.task.first", "0",
                "upstream.synthetic.task.step", "1",
                // Without end, because one batch may take all events that there are.
                "upstream.synthetic.events.per.partition", "0",
                "calibration.directory", directory.toString()));
    }

    private CalibrationRecorder recorder() {
        Map<String, String> config = config();
        MicrobatchConfig parsed = new MicrobatchConfig(config);
        pipeline = TaskWiring.build(parsed, config, new Context(), "orders-0");
        pipeline.start();
        return CalibrationWiring.build(parsed, TaskName.of(config), pipeline);
    }

    @AfterEach
    void stop() {
        if (pipeline != null) {
            pipeline.stop(30_000);
        }
    }

    /** Polls a batch and acknowledges it on this thread, as an exactly-once worker does. */
    private void acknowledgeABatch() {
        acknowledgeABatch(
                () -> pipeline.poll(), (record, metadata) -> pipeline.acknowledged((EventRecord) record, metadata));
    }

    private static void acknowledgeABatch(
            Callable<List<SourceRecord>> poll, BiConsumer<SourceRecord, RecordMetadata> acknowledged) {
        List<SourceRecord> batch = new ArrayList<>();
        Await.until("a batch", PATIENCE, () -> polled(poll, batch), () -> "none");
        RecordMetadata metadata = new RecordMetadata(new TopicPartition("t", 0), 0, 0, 0, 0, 0);
        batch.forEach(record -> acknowledged.accept(record, metadata));
    }

    private static boolean polled(Callable<List<SourceRecord>> poll, List<SourceRecord> batch) {
        try {
            List<SourceRecord> records = poll.call();
            return records != null && batch.addAll(records);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private List<String> files() {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".calibration"))
                    .toList();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void opensNoFileBeforeTheDeliveryModeIsKnown() {
        CalibrationRecorder recorder = recorder();
        recorder.start();
        recorder.close();
        awaitEnd();

        assertThat(pipeline.delivery()).isEqualTo(Delivery.UNKNOWN);
        assertThat(files()).isEmpty();
    }

    @Test
    void opensTheFileWhenTheDeliveryModeIsKnown() {
        CalibrationRecorder recorder = recorder();
        recorder.start();
        acknowledgeABatch();
        assertThat(pipeline.delivery())
                .as("a task that hangs in Connect must not take the file from its successor")
                .isEqualTo(Delivery.UNKNOWN);
        acknowledgeABatch();
        assertThat(pipeline.delivery()).isEqualTo(Delivery.EXACTLY_ONCE);

        Await.until("the calibration file", PATIENCE, () -> files().size() == 1, () -> files().toString());
        recorder.requestStop();
        awaitEnd();
        recorder.close();

        assertThat(files()).hasSize(1);
    }

    @Test
    void keepsWhatIsLearnedAtConnectsIntervalsApart() {
        Map<String, String> config = config();
        assertThat(deliveryMode(config)).isEqualTo("exactly-once within 30 to 75 ms");
        config.put("transaction.boundary", "interval");
        config.put("transaction.boundary.interval.ms", "20");
        assertThat(deliveryMode(config)).isEqualTo("exactly-once within 30 to 75 ms by interval of 20 ms");
    }

    /** A batch may be a part of a transaction then, so that its delay and its cost are others. */
    @Test
    void keepsWhatIsLearnedWithinTransactionsOfTheConnectorApart() {
        Map<String, String> config = config();
        config.put("transaction.boundary", "connector");
        assertThat(deliveryMode(config)).isEqualTo("exactly-once within 30 to 75 ms by connector");
        config.put("transaction.boundary", "poll");
        assertThat(deliveryMode(config)).isEqualTo("exactly-once within 30 to 75 ms");
    }

    @Test
    void keepsWhatIsLearnedWhenOnlyTheVersionOfTheConnectorChanges() {
        Map<String, String> config = config();
        CalibrationKey key = CalibrationWiring.key(
                        new MicrobatchConfig(config), TaskName.of(config), Delivery.EXACTLY_ONCE)
                .orElseThrow();
        assertThat(key.meaning()).isEqualTo(Meaning.current());
        assertThat(key.toString()).doesNotContain(Version.current());
    }

    private static String deliveryMode(Map<String, String> config) {
        return CalibrationWiring.key(new MicrobatchConfig(config), TaskName.of(config), Delivery.EXACTLY_ONCE)
                .orElseThrow()
                .deliveryMode();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void hasAThreadIfEnabledOnceTheDeliveryModeIsKnown(boolean enabled) {
        Map<String, String> config = config();
        config.put("calibration.enabled", Boolean.toString(enabled));
        MicrobatchSourceTask task = new MicrobatchSourceTask();
        task.initialize(new Context());
        task.start(config);
        assertThat(threads()).as("an idle task").doesNotContain("orders-0-calibration");
        acknowledgeABatch(task::poll, task::commitRecord);
        assertThat(threads()).as("a task whose delivery is not known").doesNotContain("orders-0-calibration");
        acknowledgeABatch(task::poll, task::commitRecord);
        List<SourceRecord> third = new ArrayList<>();
        Await.until("a third batch", PATIENCE, () -> polled(task::poll, third), () -> "none");
        assertThat(threads().contains("orders-0-calibration")).isEqualTo(enabled);
        task.stop();
        awaitEnd();
    }

    private static void awaitEnd() {
        Await.until(
                "the end of its thread",
                PATIENCE,
                () -> !threads().contains("orders-0-calibration"),
                () -> threads().toString());
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).toList();
    }

    /** The context of a task without stored offsets. */
    private static final class Context implements SourceTaskContext {
        @Override
        public Map<String, String> configs() {
            return Map.of();
        }

        @Override
        public OffsetStorageReader offsetStorageReader() {
            return new OffsetStorageReader() {
                @Override
                public <T> Map<String, Object> offset(Map<String, T> partition) {
                    return null;
                }

                @Override
                public <T> Map<Map<String, T>, Map<String, Object>> offsets(Collection<Map<String, T>> partitions) {
                    return new HashMap<>();
                }
            };
        }

        @Override
        public PluginMetrics pluginMetrics() {
            return null;
        }
    }
}
