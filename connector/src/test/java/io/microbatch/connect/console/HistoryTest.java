package io.microbatch.connect.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HistoryTest {

    private static final TaskKey KEY = new TaskKey("shop", 0);

    private final History history = new History();
    private long nowMs = 1_000_000;

    private void sample(double records, double commitMs) {
        history.add(
                List.of(new TaskSnapshot(KEY, Map.of(Figure.RECORDS_TOTAL, records, Figure.COMMIT_AVG_MS, commitMs))),
                nowMs);
        nowMs += History.STEP_MS;
    }

    private double last(String series) {
        List<Double> values = history.of(KEY).get(series);
        return values.get(values.size() - 1);
    }

    @Test
    void derivesTheRateFromTheTotal() {
        sample(100, 4);
        assertThat(last("rate")).as("needs two samples").isNaN();
        sample(600, 5);
        assertThat(last("rate")).isEqualTo(100);
        assertThat(last("commit-avg-ms")).isEqualTo(5);
        sample(50, 5);
        assertThat(last("rate")).as("the task began anew").isNaN();
        sample(100, 5);
        assertThat(last("rate")).isEqualTo(10);
    }

    /** The last second of every five would miss four of five disturbances. */
    @Test
    void keepsThePercentileOfAMinute() {
        history.add(List.of(new TaskSnapshot(KEY, Map.of(Figure.ACK_LATENCY_MINUTE_P99_MS, 80.0))), nowMs);
        assertThat(last("ack-latency-minute-p99-ms")).isEqualTo(80);
    }

    @Test
    void keepsTenMinutes() {
        for (int i = 0; i < History.SAMPLES + 10; i++) {
            sample(i, i);
        }
        List<Double> commits = history.of(KEY).get("commit-avg-ms");
        assertThat(commits).hasSize(History.SAMPLES);
        assertThat(commits.get(0)).isEqualTo(10);
        assertThat(last("commit-avg-ms")).isEqualTo(History.SAMPLES + 9);
    }

    @Test
    void showsAGapWhileATaskIsAbsentAndForgetsItAfterTenMinutes() {
        sample(100, 4);
        for (int i = 0; i < History.SAMPLES - 1; i++) {
            history.add(List.of(), nowMs);
        }
        assertThat(last("commit-avg-ms")).isNaN();
        history.add(List.of(), nowMs);
        assertThat(history.of(KEY)).isEmpty();
    }

    /** Connectors that come and go with new names: the tasks that run are kept, and no others beyond the limit. */
    @Test
    void keepsABoundedNumberOfTasks() {
        for (String connector : List.of("old", "new")) {
            history.add(
                    IntStream.range(0, TaskReader.MAX_TASKS)
                            .mapToObj(
                                    i -> new TaskSnapshot(new TaskKey(connector, i), Map.of(Figure.COMMIT_AVG_MS, 4.0)))
                            .toList(),
                    nowMs);
        }
        assertThat(history.of(new TaskKey("new", TaskReader.MAX_TASKS - 1))).isNotEmpty();
        assertThat(history.of(new TaskKey("old", 0))).isEmpty();
    }
}
