package io.microbatch.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.ack.AckLatency;
import io.microbatch.connect.control.ControlSettings;
import io.microbatch.connect.control.Decision;
import io.microbatch.connect.control.FixedController;
import io.microbatch.connect.metrics.Metric;
import io.microbatch.connect.metrics.MetricValues;
import io.microbatch.connect.metrics.UpstreamMetric;
import io.microbatch.connect.poll.Batch;
import io.microbatch.connect.poll.FlushReason;
import io.microbatch.connect.pressure.LatencyBudgets;
import io.microbatch.connect.pressure.Margin;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TaskFiguresTest {

    private static final long SECOND_NANOS = 1_000_000_000L;
    private static final long BEGUN_NANOS = -5 * SECOND_NANOS;

    private final Decision decision = new FixedController(
                    new ControlSettings(10, 1_000, 0, new LatencyBudgets(0, 100), Margin.DEFAULT, false, false))
            .decide(BEGUN_NANOS, 0);
    private long nowNanos = BEGUN_NANOS;
    private final TaskFigures figures = new TaskFigures(decision, () -> nowNanos);
    private final MetricValues shown = new MetricValues();

    @BeforeEach
    void show() {
        figures.addMetrics(shown);
    }

    /** Two metrics of an upstream: a count with a tag, and a time. */
    enum Answers implements UpstreamMetric {
        TOTAL("status"),
        TIME("") {
            @Override
            public double joined(double one, double other) {
                return Math.max(one, other);
            }
        };

        private final String tag;

        Answers(String tag) {
            this.tag = tag;
        }

        @Override
        public String label() {
            return name();
        }

        @Override
        public String unit() {
            return "unit";
        }

        @Override
        public String tag() {
            return tag;
        }

        @Override
        public String description() {
            return "For a test.";
        }
    }

    @Test
    void joinsTheFiguresOfAllReadersOfAnUpstream() {
        AtomicInteger growing = new AtomicInteger(4);
        TaskFigures.addUpstream(
                List.of(
                        new UpstreamMetric.Figure(Answers.TOTAL, "200", growing::get),
                        new UpstreamMetric.Figure(Answers.TOTAL, "503", () -> 1),
                        new UpstreamMetric.Figure(Answers.TIME, "", () -> 9),
                        new UpstreamMetric.Figure(Answers.TOTAL, "200", () -> 10),
                        new UpstreamMetric.Figure(Answers.TIME, "", () -> 7)),
                shown);
        assertThat(shown.tagValues(Answers.TOTAL)).containsExactly("200", "503");
        assertThat(shown.of(Answers.TOTAL, "200")).isEqualTo(14);
        growing.set(5);
        assertThat(shown.of(Answers.TOTAL, "200")).isEqualTo(15);
        assertThat(shown.of(Answers.TOTAL, "503")).isEqualTo(1);
        assertThat(shown.of(Answers.TIME)).isEqualTo(9);
    }

    private Batch batch(int events, long sizeBytes, FlushReason reason) {
        SourceRecord record = new SourceRecord(Map.of(), Map.of(), "t", null, "value");
        return new Batch(
                Collections.nCopies(events, record), events, sizeBytes, sizeBytes, reason, decision, 0, 0, false);
    }

    @Test
    void averagesCoverTheLastSecondWithBatches() {
        figures.returned(batch(10, 1_000, FlushReason.EVENTS));
        figures.returned(batch(30, 2_000, FlushReason.AGE));
        figures.tick(BEGUN_NANOS + SECOND_NANOS / 2, AckLatency.total());
        assertThat(shown.of(Metric.BATCH_EVENTS_AVG))
                .as("before the first second has passed")
                .isZero();
        figures.tick(BEGUN_NANOS + SECOND_NANOS, AckLatency.total());
        assertThat(shown.of(Metric.BATCH_EVENTS_AVG)).isEqualTo(20);
        assertThat(shown.of(Metric.BATCH_BYTES_AVG)).isEqualTo(1_500);
        figures.tick(BEGUN_NANOS + 2 * SECOND_NANOS, AckLatency.total());
        assertThat(shown.of(Metric.BATCH_EVENTS_AVG)).as("kept while idle").isEqualTo(20);
        figures.returned(batch(4, 100, FlushReason.AGE));
        figures.tick(BEGUN_NANOS + 3 * SECOND_NANOS, AckLatency.total());
        assertThat(shown.of(Metric.BATCH_EVENTS_AVG)).isEqualTo(4);
        assertThat(shown.of(Metric.BATCH_TOTAL)).isEqualTo(3);
        assertThat(shown.of(Metric.EVENT_TOTAL)).isEqualTo(44);
        assertThat(shown.of(Metric.FLUSH_TOTAL, FlushReason.AGE.label())).isEqualTo(2);
        assertThat(shown.of(Metric.FLUSH_TOTAL, FlushReason.EVENTS.label())).isEqualTo(1);
        assertThat(shown.of(Metric.FLUSH_TOTAL, FlushReason.QUIET.label())).isZero();
    }

    @Test
    void busyIsAFractionOfTheElapsedTime() {
        figures.busy(SECOND_NANOS / 2);
        figures.tick(BEGUN_NANOS + 2 * SECOND_NANOS, AckLatency.total());
        assertThat(shown.of(Metric.BUSY_RATIO)).isEqualTo(0.25);
        figures.tick(BEGUN_NANOS + 3 * SECOND_NANOS, AckLatency.total());
        assertThat(shown.of(Metric.BUSY_RATIO)).isZero();
        figures.busy(5 * SECOND_NANOS);
        figures.tick(BEGUN_NANOS + 4 * SECOND_NANOS, AckLatency.total());
        assertThat(shown.of(Metric.BUSY_RATIO))
                .as("a batch that took longer than a second")
                .isEqualTo(1);
    }

    @Test
    void latenciesCoverTheLastAcknowledgements() {
        AckLatency latency = new AckLatency();
        latency.record(2_000_000, 1);
        latency.record(8_000_000, 1);
        figures.tick(BEGUN_NANOS + 1, latency.interval());
        assertThat(shown.of(Metric.ACK_LATENCY_MAX_MS)).isBetween(7.9, 8.1);
        assertThat(shown.of(Metric.ACK_LATENCY_P50_MS)).isBetween(1.9, 2.1);
        figures.tick(BEGUN_NANOS + 2, latency.interval());
        assertThat(shown.of(Metric.ACK_LATENCY_MAX_MS))
                .as("kept while nothing is acknowledged")
                .isBetween(7.9, 8.1);
        figures.committed(BEGUN_NANOS + 2, 4_500_000);
        assertThat(shown.of(Metric.COMMIT_TIME_MS)).isEqualTo(4.5);
    }

    @Test
    void percentilesOfTheLastMinuteForgetWhatIsOlder() {
        AckLatency latency = new AckLatency();
        latency.record(8_000_000, 3);
        figures.committed(BEGUN_NANOS + 1, 4_000_000);
        figures.tick(BEGUN_NANOS + SECOND_NANOS, latency.interval());
        latency.record(2_000_000, 10);
        figures.committed(BEGUN_NANOS + 30 * SECOND_NANOS, 1_000_000);
        figures.committed(BEGUN_NANOS + 30 * SECOND_NANOS, 1_000_000);
        figures.tick(BEGUN_NANOS + 30 * SECOND_NANOS, latency.interval());
        assertThat(shown.of(Metric.ACK_LATENCY_MINUTE_P50_MS)).isBetween(1.9, 2.1);
        assertThat(shown.of(Metric.ACK_LATENCY_MINUTE_P99_MS)).isBetween(7.9, 8.1);
        assertThat(shown.of(Metric.COMMIT_TIME_MINUTE_P50_MS)).isBetween(0.9, 1.1);
        assertThat(shown.of(Metric.COMMIT_TIME_MINUTE_P99_MS)).isBetween(3.9, 4.1);
        assertThat(shown.of(Metric.ACKNOWLEDGED_TOTAL)).isEqualTo(13);
        figures.tick(BEGUN_NANOS + 61 * SECOND_NANOS, latency.interval());
        assertThat(shown.of(Metric.ACK_LATENCY_MINUTE_MAX_MS)).isBetween(1.9, 2.1);
        assertThat(shown.of(Metric.COMMIT_TIME_MINUTE_P99_MS)).isBetween(0.9, 1.1);
        figures.tick(BEGUN_NANOS + 91 * SECOND_NANOS, latency.interval());
        assertThat(shown.of(Metric.ACK_LATENCY_MINUTE_MAX_MS)).isNaN();
        assertThat(shown.of(Metric.COMMIT_TIME_MINUTE_P50_MS)).isNaN();
        assertThat(shown.of(Metric.ACKNOWLEDGED_TOTAL)).isEqualTo(13);
    }

    /** A paused task is not polled, and neither is one that waits in a send. */
    @Test
    void percentilesOfTheLastMinuteEndWhenTheTaskIsPolledNoMore() {
        AckLatency latency = new AckLatency();
        latency.record(8_000_000, 3);
        figures.committed(BEGUN_NANOS, 4_000_000);
        figures.tick(BEGUN_NANOS, latency.interval());
        nowNanos = BEGUN_NANOS + 59 * SECOND_NANOS;
        assertThat(shown.of(Metric.ACK_LATENCY_MINUTE_P99_MS)).isBetween(7.9, 8.1);
        assertThat(shown.of(Metric.COMMIT_TIME_MINUTE_P99_MS)).isBetween(3.9, 4.1);
        nowNanos = BEGUN_NANOS + 60 * SECOND_NANOS;
        assertThat(shown.of(Metric.ACK_LATENCY_MINUTE_P50_MS)).isNaN();
        assertThat(shown.of(Metric.ACK_LATENCY_MINUTE_P99_MS)).isNaN();
        assertThat(shown.of(Metric.ACK_LATENCY_MINUTE_MAX_MS)).isNaN();
        assertThat(shown.of(Metric.COMMIT_TIME_MINUTE_P50_MS)).isNaN();
        assertThat(shown.of(Metric.COMMIT_TIME_MINUTE_P99_MS)).isNaN();
    }

    @Test
    void showsTheDecisionInForce() {
        assertThat(shown.of(Metric.BATCH_TARGET_EVENTS)).isEqualTo(10);
        Decision next = new FixedController(new ControlSettings(
                        20, 1_000, 3_000_000, new LatencyBudgets(0, 100), Margin.DEFAULT, false, false))
                .decide(BEGUN_NANOS, 0);
        figures.show(next, 7.5);
        assertThat(shown.of(Metric.BATCH_TARGET_EVENTS)).isEqualTo(20);
        assertThat(shown.of(Metric.LINGER_MS)).isEqualTo(3);
        assertThat(shown.of(Metric.ARRIVAL_RATE)).isEqualTo(7.5);
    }
}
