package io.microbatch.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microbatch.connect.ack.CommitHorizon;
import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.ack.FilteredBacklog;
import io.microbatch.connect.control.ControlSettings;
import io.microbatch.connect.control.FixedController;
import io.microbatch.connect.learning.WindowLearner;
import io.microbatch.connect.learning.WindowObserver;
import io.microbatch.connect.packing.PackedRecords;
import io.microbatch.connect.poll.EventSource;
import io.microbatch.connect.poll.SingleRecords;
import io.microbatch.connect.pressure.ArrivalGauge;
import io.microbatch.connect.stripe.StripeSet;
import io.microbatch.connect.upstream.Intake;
import io.microbatch.connect.upstream.Progress;
import io.microbatch.connect.upstream.ReaderGroup;
import io.microbatch.connect.upstream.UpstreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TaskPipelineTest {

    private final StripeSet<EventRecord> stripes = new StripeSet<>(2, 16, 1 << 20, System::nanoTime);
    private final ConnectException cause = new ConnectException("connection lost");
    private final CountDownLatch busyHasBegun = new CountDownLatch(1);
    private final CountDownLatch failed = new CountDownLatch(1);
    private final FilteredBacklog backlog = new FilteredBacklog(1 << 20);
    private final TaskPipeline pipeline = pipeline(new BusyReader(), new FailingReader());

    /** Brings events without end. */
    private final class BusyReader implements UpstreamReader {
        private int offset;

        @Override
        public void start() {
            offset = 0;
        }

        @Override
        public void fetch(Intake intake) throws InterruptedException {
            intake.addAll(List.of(new SourceRecord(Map.of("p", 0), Map.of("o", offset++), "t", null, null)), false);
            busyHasBegun.countDown();
        }

        @Override
        public void stop() {
            offset = -1;
        }
    }

    /** Fails at its first fetch. */
    private final class FailingReader implements UpstreamReader {
        @Override
        public void start() {}

        @Override
        public void fetch(Intake intake) throws InterruptedException {
            busyHasBegun.await();
            throw cause;
        }

        @Override
        public void stop() {
            failed.countDown();
        }
    }

    private TaskPipeline pipeline(UpstreamReader... readers) {
        return pipeline(new SingleRecords(stripes), readers);
    }

    private TaskPipeline pipeline(EventSource<?> source, UpstreamReader... readers) {
        CommitHorizon horizon = new CommitHorizon(System.nanoTime());
        ControlSettings settings = new ControlSettings(4, 1 << 20, 0, Integer.MAX_VALUE, 0.8, 4, false);
        return new TaskPipeline(
                source,
                ReaderGroup.ofRecords("t-0", List.of(readers), stripes, horizon, System::nanoTime),
                new TaskPipeline.Control(
                        new FixedController(settings),
                        new ArrivalGauge(500, System.nanoTime(), 0),
                        backlog,
                        WindowLearner.NONE),
                horizon,
                new WindowObserver(10_000, System.nanoTime(), () -> 0),
                System::nanoTime);
    }

    @AfterEach
    void stop() {
        pipeline.stop(30_000);
    }

    @Test
    void failsWhenTheWorkerKeepsMoreFilteredEventsThanAllowed() throws InterruptedException {
        pipeline.start();
        assertThat(pipeline.poll()).isNotEmpty();
        pipeline.committed();
        assertThat(pipeline.figures().filteredKeptBytes()).isPositive();
        backlog.returned(1, 1 << 20);
        pipeline.committed();
        assertThatThrownBy(pipeline::poll).isInstanceOf(ConnectException.class).hasMessageContaining("filtered");
    }

    @Test
    void knowsThatAnAcknowledgementFreesWhatTheWorkerKeeps() throws InterruptedException {
        pipeline.start();
        backlog.returned(1, 1 << 20);
        List<SourceRecord> batch = pipeline.poll();
        pipeline.acknowledged((EventRecord) batch.get(0), null);
        pipeline.committed();
        assertThat(pipeline.figures().filteredKeptBytes()).isZero();
    }

    @Test
    void countsTheEventsOfBulkRecordsAndNotTheRecords() throws InterruptedException {
        TaskPipeline packing = pipeline(new PackedRecords(stripes, 1_000, null), new BusyReader(), new FailingReader());
        packing.start();
        failed.await();
        List<SourceRecord> batch = packing.poll();
        int events = batch.stream()
                .mapToInt(record -> ((EventRecord) record).events())
                .sum();
        assertThat(packing.figures().eventTotal()).isEqualTo(events);
        batch.forEach(record -> packing.acknowledged((EventRecord) record, null));
        assertThat(packing.figures().skippedTotal()).isEqualTo(events);
        packing.stop(30_000);
    }

    @Test
    void reportsAFailedReaderHoweverBusyTheOthersAre() throws InterruptedException {
        pipeline.start();
        failed.await();
        List<SourceRecord> batch = pipeline.poll();
        assertThat(stripes.writer(0).isClosed())
                .as("the busy reader hands nothing over any more")
                .isTrue();

        List<Object> offsets = new ArrayList<>();
        Throwable thrown = null;
        while (thrown == null) {
            if (batch != null) {
                batch.forEach(record -> offsets.add(record.sourceOffset().get("o")));
            }
            try {
                batch = pipeline.poll();
            } catch (ConnectException e) {
                thrown = e;
            }
        }
        assertThat(thrown).isSameAs(cause);
        assertThat(offsets)
                .as("what was handed over went out first")
                .isNotEmpty()
                .startsWith(0);
    }

    /** Cannot confirm anything upstream just now, it says, where nobody tries again. */
    private static final class UnreachableReader implements UpstreamReader {
        private final CountDownLatch stopped;

        UnreachableReader(CountDownLatch stopped) {
            this.stopped = stopped;
        }

        @Override
        public void start() {}

        @Override
        public void fetch(Intake intake) {}

        @Override
        public void committed(Progress progress) {
            throw new RetriableException("try later");
        }

        @Override
        public void stop() {
            stopped.countDown();
        }
    }

    @Test
    void failsForGoodWhenAReaderThatEndedCalledItsReasonRetriable() throws InterruptedException {
        CountDownLatch stopped = new CountDownLatch(2);
        TaskPipeline unreachable = pipeline(new UnreachableReader(stopped), new UnreachableReader(stopped));
        unreachable.start();
        stopped.await();

        assertThatThrownBy(unreachable::poll)
                .isInstanceOf(ConnectException.class)
                .isNotInstanceOf(RetriableException.class)
                .hasMessageContaining("try later");
        unreachable.stop(30_000);
    }
}
