package io.microbatch.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.ack.AckLatency;
import io.microbatch.connect.ack.CommitHorizon;
import io.microbatch.connect.ack.FilteredBacklog;
import io.microbatch.connect.control.ControlSettings;
import io.microbatch.connect.control.Controller;
import io.microbatch.connect.control.Decision;
import io.microbatch.connect.control.FixedController;
import io.microbatch.connect.learning.WindowLearner;
import io.microbatch.connect.learning.WindowObserver;
import io.microbatch.connect.poll.Batch;
import io.microbatch.connect.poll.FlushReason;
import io.microbatch.connect.poll.SingleRecords;
import io.microbatch.connect.pressure.ArrivalGauge;
import io.microbatch.connect.stripe.StripeSet;
import io.microbatch.connect.upstream.ReaderGroup;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;

class TaskFiguresTest {

    private static final long SECOND_NANOS = 1_000_000_000L;
    private static final long BEGUN_NANOS = -5 * SECOND_NANOS;

    private final Controller controller = new FixedController(new ControlSettings(10, 1_000, 0, 100, 0.8, 10, false));
    private final Decision decision = controller.decide(BEGUN_NANOS, 0);
    private final TaskFigures figures = new TaskFigures(
            new SingleRecords(new StripeSet<>(1, 4, 1_000, () -> 0)),
            ReaderGroup.ofRecords(
                    "test", List.of(), new StripeSet<>(1, 4, 1_000, () -> 0), new CommitHorizon(0), () -> 0),
            new WindowObserver(1_000, BEGUN_NANOS, () -> 1),
            new TaskPipeline.Control(
                    controller,
                    new ArrivalGauge(500, BEGUN_NANOS, 0),
                    new FilteredBacklog(1 << 20),
                    WindowLearner.NONE),
            decision,
            BEGUN_NANOS);

    private Batch batch(int events, long sizeBytes, FlushReason reason) {
        SourceRecord record = new SourceRecord(Map.of(), Map.of(), "t", null, "value");
        return new Batch(Collections.nCopies(events, record), events, sizeBytes, reason, decision, 0);
    }

    @Test
    void averagesAreOfTheLastSecondWithBatches() {
        figures.returned(batch(10, 1_000, FlushReason.EVENTS));
        figures.returned(batch(30, 2_000, FlushReason.AGE));
        figures.tick(BEGUN_NANOS + SECOND_NANOS / 2, AckLatency.total());
        assertThat(figures.batchEventsAvg()).as("not a second yet").isZero();
        figures.tick(BEGUN_NANOS + SECOND_NANOS, AckLatency.total());
        assertThat(figures.batchEventsAvg()).isEqualTo(20);
        assertThat(figures.batchBytesAvg()).isEqualTo(1_500);
        figures.tick(BEGUN_NANOS + 2 * SECOND_NANOS, AckLatency.total());
        assertThat(figures.batchEventsAvg()).as("kept while idle").isEqualTo(20);
        figures.returned(batch(4, 100, FlushReason.AGE));
        figures.tick(BEGUN_NANOS + 3 * SECOND_NANOS, AckLatency.total());
        assertThat(figures.batchEventsAvg()).isEqualTo(4);
        assertThat(figures.batchTotal()).isEqualTo(3);
        assertThat(figures.eventTotal()).isEqualTo(44);
        assertThat(figures.flushTotal(FlushReason.AGE)).isEqualTo(2);
        assertThat(figures.flushTotal(FlushReason.EVENTS)).isEqualTo(1);
        assertThat(figures.flushTotal(FlushReason.QUIET)).isZero();
    }

    @Test
    void busyIsAPartOfTheTimeThatPassed() {
        figures.busy(SECOND_NANOS / 2);
        figures.tick(BEGUN_NANOS + 2 * SECOND_NANOS, AckLatency.total());
        assertThat(figures.busyRatio()).isEqualTo(0.25);
        figures.tick(BEGUN_NANOS + 3 * SECOND_NANOS, AckLatency.total());
        assertThat(figures.busyRatio()).isZero();
        figures.busy(5 * SECOND_NANOS);
        figures.tick(BEGUN_NANOS + 4 * SECOND_NANOS, AckLatency.total());
        assertThat(figures.busyRatio())
                .as("a batch that took longer than a second")
                .isEqualTo(1);
    }

    @Test
    void latenciesAreThoseOfTheLastAcknowledgements() {
        AckLatency latency = new AckLatency();
        latency.record(2_000_000, 1);
        latency.record(8_000_000, 1);
        figures.tick(BEGUN_NANOS + 1, latency.interval());
        assertThat(figures.ackMaxMs()).isBetween(7.9, 8.1);
        assertThat(figures.ackP50Ms()).isBetween(1.9, 2.1);
        figures.tick(BEGUN_NANOS + 2, latency.interval());
        assertThat(figures.ackMaxMs()).as("kept while nothing is acknowledged").isBetween(7.9, 8.1);
        figures.committed(4_500_000);
        assertThat(figures.commitTimeMs()).isEqualTo(4.5);
    }

    @Test
    void whatNobodyKnowsIsNoNumber() {
        assertThat(figures.calibrationAgeSec()).isNaN();
        assertThat(figures.upstreamLagMs()).isNaN();
    }
}
