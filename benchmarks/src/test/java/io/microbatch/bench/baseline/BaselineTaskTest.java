package io.microbatch.bench.baseline;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.microbatch.connect.upstream.synthetic.SyntheticEvent;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTaskContext;
import org.apache.kafka.connect.storage.OffsetStorageReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class BaselineTaskTest {

    private static BaselineTask started(String rate, String pollEvents) {
        return started(rate, pollEvents, 0);
    }

    /** When the rate began is 0 for now. */
    private static BaselineTask started(String rate, String pollEvents, long beganEpochMs) {
        return started(rate, pollEvents, beganEpochMs, "100");
    }

    private static BaselineTask started(String rate, String pollEvents, long beganEpochMs, String waitMs) {
        return started(rate, pollEvents, beganEpochMs, waitMs, "100");
    }

    private static BaselineTask started(
            String rate, String pollEvents, long beganEpochMs, String waitMs, String events) {
        BaselineTask task = new BaselineTask();
        task.initialize(new NothingCommitted());
        task.start(Map.of(
                "upstream.synthetic.topic",
                "t",
                "upstream.synthetic.events.per.partition",
                events,
                "upstream.synthetic.rate",
                rate,
                "upstream.synthetic.start.epoch.ms",
                Long.toString(beganEpochMs),
                BaselineConnector.POLL_EVENTS,
                pollEvents,
                BaselineConnector.WAIT_MS,
                waitMs));
        return task;
    }

    private static List<Long> sequences(List<SourceRecord> batch) {
        SyntheticEvent codec = new SyntheticEvent();
        return batch.stream()
                .map(record -> codec.decode((byte[]) record.value()).sequence())
                .toList();
    }

    @Test
    void aPollThatWaitsForAnEventReturnsIt() {
        BaselineTask task = started("40", "1");
        for (long number = 0; number < 4; number++) {
            assertThat(sequences(task.poll())).containsExactly(number);
        }
    }

    @Test
    void aPollEndsWithoutAnEventThatIsDueMuchLater() {
        long inAnHourMs = System.currentTimeMillis() + 3_600_000;
        BaselineTask task = started("1", "1", inAnHourMs);
        assertThat(task.poll()).isNull();
    }

    /** Otherwise Connect's interval would be over long before the commit of the last events. */
    @Test
    @Timeout(30)
    void pollsReturnSoonAfterTheLastEvent() {
        BaselineTask task = started("0", "100", 0, "60000");
        assertThat(task.poll()).hasSize(100);
        for (int i = 0; i < 10; i++) {
            assertThat(task.poll()).isNull();
        }
    }

    @Test
    void withoutARateAPollIsFull() {
        BaselineTask task = started("0", "30");
        assertThat(task.poll()).hasSize(30);
        assertThat(sequences(task.poll())).startsWith(30L).hasSize(30);
    }

    /** At 10,000 events a second there is a poll for each of them, and an array for a full poll would cost CPU. */
    @Test
    void aPollAtARateTakesMemoryForWhatItReturns() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        assertThat(threads.isThreadAllocatedMemoryEnabled()).isTrue();
        // Loads the classes.
        assertThat(started("1", "50000", 0, "100", "1000000").poll()).hasSize(1);
        // Of a task that has just begun only the first event is due.
        BaselineTask task = started("1", "50000", 0, "100", "1000000");
        long thread = Thread.currentThread().getId();
        long beforeBytes = threads.getThreadAllocatedBytes(thread);
        List<SourceRecord> batch = task.poll();
        long bytes = threads.getThreadAllocatedBytes(thread) - beforeBytes;
        assertThat(batch).hasSize(1);
        assertThat(bytes).isLessThan(20_000);
    }

    /** Together they make the events of one task, with the same schedule, and each has offsets of its own. */
    @Test
    void tasksShareTheSourcePartitions() {
        BaselineConnector connector = new BaselineConnector();
        connector.start(Map.of(
                "upstream.synthetic.topic",
                "t",
                "upstream.synthetic.partitions",
                "5",
                "upstream.synthetic.events.per.partition",
                "3",
                "upstream.synthetic.rate",
                "1000",
                "upstream.synthetic.start.epoch.ms",
                "1000",
                BaselineConnector.POLL_EVENTS,
                "100"));
        assertThat(connector.taskConfigs(9)).hasSize(5);
        SyntheticEvent codec = new SyntheticEvent();
        List<String> made = new ArrayList<>();
        List<Map<String, String>> configs = connector.taskConfigs(2);
        for (Map<String, String> config : configs) {
            BaselineTask task = new BaselineTask();
            task.initialize(new NothingCommitted());
            task.start(config);
            List<SourceRecord> batch = task.poll();
            assertThat(batch)
                    .extracting(SourceRecord::sourcePartition)
                    .containsOnly(batch.get(0).sourcePartition());
            assertThat(batch.get(batch.size() - 1).sourceOffset().get("events")).isEqualTo((long) batch.size());
            batch.forEach(record -> {
                SyntheticEvent.Header event = codec.decode((byte[]) record.value());
                made.add(event.partition() + " " + event.sequence() + " " + event.intendedEpochNanos() / 1_000_000);
            });
        }
        assertThat(configs).hasSize(2);
        assertThat(made).hasSize(15).doesNotHaveDuplicates();
        for (int number = 0; number < 15; number++) {
            assertThat(made).contains(number % 5 + " " + number / 5 + " " + (1_000 + number));
        }
    }

    /** The context of a task that runs for the first time. */
    private static final class NothingCommitted implements SourceTaskContext {

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
                    return Map.of();
                }
            };
        }

        @Override
        public PluginMetrics pluginMetrics() {
            throw new UnsupportedOperationException();
        }
    }
}
