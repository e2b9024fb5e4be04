package io.microbatch.bench.baseline;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.upstream.synthetic.SyntheticEvent;
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
        BaselineTask task = new BaselineTask();
        task.initialize(new NothingCommitted());
        task.start(Map.of(
                "upstream.synthetic.topic",
                "t",
                "upstream.synthetic.events.per.partition",
                "100",
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
