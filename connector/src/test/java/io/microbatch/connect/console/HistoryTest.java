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

    private List<Double> lastSix(String series) {
        List<Double> values = history.of(KEY).get(series);
        return values.subList(values.size() - 6, values.size());
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
            nowMs += History.STEP_MS;
        }
        assertThat(last("commit-avg-ms")).isNaN();
        history.add(List.of(), nowMs);
        assertThat(history.of(KEY)).isEmpty();
        assertThat(history.rates(KEY)).isEmpty();
    }

    /** After a slow sample the sampler leaves some out. The samples before and after them are no neighbours. */
    @Test
    void showsAGapWhereSamplesWereLeftOut() {
        sample(100, 4);
        sample(200, 5);
        nowMs += 2 * History.STEP_MS;
        sample(700, 6);
        history.advance(nowMs);
        assertThat(lastSix("commit-avg-ms")).containsExactly(4.0, 5.0, Double.NaN, Double.NaN, 6.0, Double.NaN);
        assertThat(lastSix("rate"))
                .as("the rate since the last sample")
                .containsExactly(Double.NaN, 20.0, Double.NaN, Double.NaN, 33.3, Double.NaN);
        assertThat(history.rates(KEY)).isEqualTo(history.of(KEY).get("rate"));

        nowMs += 2L * History.SAMPLES * History.STEP_MS;
        sample(800, 7);
        assertThat(history.of(KEY).get("commit-avg-ms").stream().filter(Double::isFinite))
                .containsExactly(7.0);
    }

    @Test
    void showsAGapWhereAFigureIsNotKnown() {
        sample(100, 4);
        sample(200, Double.NaN);
        sample(300, 5);
        assertThat(lastSix("commit-avg-ms").subList(3, 6)).containsExactly(4.0, Double.NaN, 5.0);
    }

    /** A timer is early or late. That makes no gap, and no sample is twice there. */
    @Test
    void takesASampleForItsNearestStep() {
        for (int lateMs : new int[] {0, 1_200, -1_200, 2_400, 0, 300}) {
            nowMs += lateMs;
            sample(100, lateMs);
            nowMs -= lateMs;
        }
        assertThat(lastSix("commit-avg-ms")).containsExactly(0.0, 1_200.0, -1_200.0, 2_400.0, 0.0, 300.0);
    }

    /** All digits would make the answer about many tasks larger than another worker takes. */
    @Test
    void roundsSamplesToThreeDigits() {
        sample(0, 5.4321);
        assertThat(last("commit-avg-ms")).isEqualTo(5.43);
        sample(61_728, 0.0012345);
        assertThat(last("commit-avg-ms")).isEqualTo(0.00123);
        assertThat(last("rate")).isEqualTo(12_300);
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
            nowMs += History.STEP_MS;
        }
        assertThat(history.of(new TaskKey("new", TaskReader.MAX_TASKS - 1))).isNotEmpty();
        assertThat(history.of(new TaskKey("old", 0))).isEmpty();
    }
}
