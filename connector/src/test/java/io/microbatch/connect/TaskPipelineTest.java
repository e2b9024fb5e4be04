package io.microbatch.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.ack.FilteredBacklog;
import io.microbatch.connect.ack.TaskPace;
import io.microbatch.connect.control.RetryBackoffDetector;
import io.microbatch.connect.metrics.Metric;
import io.microbatch.connect.metrics.MetricValues;
import io.microbatch.connect.metrics.UpstreamMetric;
import io.microbatch.connect.packing.PackedRecords;
import io.microbatch.connect.poll.CommitClock;
import io.microbatch.connect.poll.EventSource;
import io.microbatch.connect.poll.FlushReason;
import io.microbatch.connect.poll.SingleRecords;
import io.microbatch.connect.stripe.Offer;
import io.microbatch.connect.stripe.Offering;
import io.microbatch.connect.stripe.StripeSet;
import io.microbatch.connect.upstream.Intake;
import io.microbatch.connect.upstream.UpstreamReader;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
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
    private final PipelineParts parts = new PipelineParts();
    private final AtomicReference<Runnable> pendingBoundary = parts.pendingBoundary;
    private final TaskPace pace = parts.pace;
    private final RecordMetadata metadata = new RecordMetadata(new TopicPartition("t", 0), 0, 0, 0, 0, 0);
    private final FilteredBacklog backlog = parts.backlog;
    private final RetryBackoffDetector detector = parts.detector;
    private final CommitClock commits = parts.commits;
    private final TaskPipeline pipeline =
            pipeline(new SingleRecords(stripes), new BusyReader(busyHasBegun), new FailingReader());
    private final TaskPipeline busy = pipeline(new SingleRecords(stripes), new BusyReader(busyHasBegun));

    /** A reader that fails at its first fetch. */
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

    private TaskPipeline pipeline(EventSource source, UpstreamReader... readers) {
        return pipeline(source, System::nanoTime, readers);
    }

    private TaskPipeline pipeline(EventSource source, LongSupplier nanoClock, UpstreamReader... readers) {
        return parts.pipeline(source, nanoClock, readers);
    }

    @AfterEach
    void stop() {
        pipeline.stop(30_000);
        busy.stop(30_000);
    }

    /** The next batch, however late the reader begins. */
    private static List<SourceRecord> batch(TaskPipeline pipeline) throws InterruptedException {
        List<SourceRecord> batch = null;
        while (batch == null) {
            batch = pipeline.poll();
        }
        return batch;
    }

    @Test
    void failsWhenTheWorkerKeepsMoreFilteredEventsThanAllowed() throws InterruptedException {
        busy.start();
        assertThat(batch(busy)).isNotEmpty();
        busy.committed();
        assertThat(PipelineParts.shown(busy).of(Metric.FILTERED_KEPT_BYTES)).isPositive();
        backlog.returned(1, 1 << 20);
        busy.committed();
        assertThatThrownBy(busy::poll).isInstanceOf(ConnectException.class).hasMessageContaining("filtered");
    }

    @Test
    void anAcknowledgementFreesTheEventsThatTheWorkerKeeps() throws InterruptedException {
        busy.start();
        backlog.returned(1, 1 << 20);
        busy.acknowledged((EventRecord) batch(busy).get(0), null);
        busy.committed();
        assertThat(PipelineParts.shown(busy).of(Metric.FILTERED_KEPT_BYTES)).isZero();
    }

    /** Connect ends an at-least-once task with a commit on the task thread. */
    @Test
    void showsNoFilteredEventsAtTheEndOfAnAtLeastOnceTask() throws InterruptedException {
        busy.start();
        List<SourceRecord> batch = batch(busy);
        onAnotherThread(() -> batch.forEach(record -> busy.acknowledged((EventRecord) record, metadata)));
        busy.committed();
        assertThat(PipelineParts.shown(busy).of(Metric.FILTERED_KEPT_BYTES)).isZero();
    }

    /** A cancelled task is not polled again. What its producer skips then, its source must keep. */
    @Test
    void settlesWhatTheProducerHasSkippedAtTheNextPoll() throws InterruptedException {
        busy.start();
        List<SourceRecord> batch = batch(busy);
        onAnotherThread(() -> batch.forEach(record -> busy.acknowledged((EventRecord) record, null)));
        assertThat(batch).noneMatch(record -> ((EventRecord) record).isSettled());
        busy.poll();
        assertThat(batch).allMatch(record -> ((EventRecord) record).isSettled());
    }

    private static void onAnotherThread(Runnable acknowledgements) throws InterruptedException {
        Thread producer = new Thread(acknowledgements);
        producer.start();
        producer.join();
    }

    @Test
    void showsTheReadersWhenConnectPollsAndHowLongAnAcknowledgementTakes() throws InterruptedException {
        AtomicLong now = new AtomicLong(System.nanoTime());
        TaskPipeline served = pipeline(new SingleRecords(stripes), now::get);
        for (long delayMs : new long[] {5, 90, 7}) {
            offerBatch();
            List<SourceRecord> batch = served.poll();
            assertThat(pace.polledNanos()).isEqualTo(now.get());
            now.addAndGet(delayMs * 1_000_000);
            batch.forEach(record -> served.acknowledged((EventRecord) record, metadata));
        }
        for (long[] secondsAndNanos : new long[][] {{1, 7_000_000}, {3, 0}}) {
            now.addAndGet(secondsAndNanos[0] * 1_000_000_000);
            offerBatch();
            assertThat(served.poll()).isNotEmpty();
            assertThat(pace.usualAckNanos()).isEqualTo(secondsAndNanos[1]);
        }
        assertThat(pace.isAtLeastOnce()).isFalse();
    }

    @Test
    void limitsPollsOnlyUntilConnectHasCommitted() throws InterruptedException {
        long limitNanos = CommitClock.NO_INTERVAL;
        busy.start();
        List<SourceRecord> batch = batch(busy);
        assertThat(commits.maxWaitNanos(System.nanoTime(), limitNanos)).isLessThan(limitNanos);
        Thread committer = new Thread(() -> {
            batch.forEach(each -> busy.acknowledged((EventRecord) each, metadata));
            busy.committed();
        });
        committer.start();
        committer.join();
        assertThat(commits.maxWaitNanos(System.nanoTime(), limitNanos))
                .as("a commit of an at-least-once worker")
                .isLessThan(limitNanos);
        busy.committed();
        assertThat(commits.maxWaitNanos(System.nanoTime(), limitNanos)).isEqualTo(limitNanos);
        assertThat(batch(busy)).isNotEmpty();
        assertThat(pace.isAtLeastOnce()).isTrue();
    }

    /** An aborted transaction whose second record was not sent, and a committed one. */
    @Test
    void countsADiscardedRecordAsSkippedWhenALaterOneIsAcknowledged() throws InterruptedException {
        offerBatch();
        List<SourceRecord> batch = batch(pipeline);
        List.of(0, 2, 3).forEach(sent -> pipeline.acknowledged((EventRecord) batch.get(sent), metadata));
        pipeline.committed();
        List<SourceRecord> ignored = pipeline.poll();
        assertThat(PipelineParts.shown(pipeline).of(Metric.SKIPPED_TOTAL)).isEqualTo(1);
    }

    private void offerBatch() {
        for (int i = 0; i < 4; i++) {
            SourceRecord record = new SourceRecord(Map.of(), Map.of("o", i), "t", null, null);
            assertThat(stripes.writer(0).stage(new EventRecord(record, record, 1, 0), 1))
                    .isEqualTo(Offer.ACCEPTED);
        }
        stripes.writer(0).publish();
    }

    @Test
    void observesEachCommittedTransactionAndJudgesItsDelay() throws InterruptedException {
        AtomicLong now = new AtomicLong(System.nanoTime());
        TaskPipeline timed = pipeline(new SingleRecords(stripes), now::get);
        for (int i = 0; i < 1_200; i++) {
            offerBatch();
            List<SourceRecord> batch = timed.poll();
            now.addAndGet(everyThirdWaitsNanos(i));
            batch.forEach(record -> timed.acknowledged((EventRecord) record, metadata));
            timed.committed();
            // Connect calls it after a poll that returns null, too.
            timed.committed();
        }
        var window = timed.finishedWindows().get(0);
        assertThat(window.transactions()).isBetween(window.batches() - 1, window.batches() + 1);
        assertThat(answers(new RetryBackoffDetector())).isEqualTo(1);
        assertThat(answers(detector)).as("it has answered before").isZero();
    }

    private static long everyThirdWaitsNanos(int transaction) {
        return (transaction % 3 == 0 ? 24 : 3) * 1_000_000L;
    }

    private static long answers(RetryBackoffDetector asked) {
        return IntStream.range(0, 400)
                .filter(i -> asked.committed(everyThirdWaitsNanos(i), 4, 4).isPresent())
                .count();
    }

    @Test
    void countsTheEventsOfBulkRecordsInsteadOfTheRecords() throws InterruptedException {
        TaskPipeline packing =
                pipeline(new PackedRecords(stripes, 1_000, null), new BusyReader(busyHasBegun), new FailingReader());
        packing.start();
        failed.await();
        List<SourceRecord> batch = packing.poll();
        int events = batch.stream()
                .mapToInt(record -> ((EventRecord) record).events())
                .sum();
        assertThat(PipelineParts.shown(packing).of(Metric.EVENT_TOTAL)).isEqualTo(events);
        batch.forEach(record -> packing.acknowledged((EventRecord) record, null));
        assertThat(PipelineParts.shown(packing).of(Metric.SKIPPED_TOTAL)).isEqualTo(events);
        packing.stop(30_000);
    }

    @Test
    void reportsAFailedReaderWhileOthersAreBusy() throws InterruptedException {
        pipeline.start();
        failed.await();
        List<SourceRecord> batch = pipeline.poll();
        assertThat(Offering.isClosed(stripes.writer(0)))
                .as("the busy reader adds no more events")
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
                .as("buffered events are returned first")
                .isNotEmpty()
                .startsWith(0);
    }

    @Test
    void failsPermanentlyWhenAReaderEndedWithARetriableError() throws InterruptedException {
        CountDownLatch stopped = new CountDownLatch(2);
        TaskPipeline unreachable =
                pipeline(new SingleRecords(stripes), new UnreachableReader(stopped), new UnreachableReader(stopped));
        unreachable.start();
        stopped.await();

        assertThatThrownBy(unreachable::poll)
                .isInstanceOf(ConnectException.class)
                .isNotInstanceOf(RetriableException.class)
                .hasMessageContaining("try later");
        unreachable.stop(30_000);
    }

    @Test
    void runsAPendingBoundaryOnlyWithEmptyStripes() throws InterruptedException {
        AtomicInteger runs = new AtomicInteger();
        pendingBoundary.set(runs::incrementAndGet);
        SourceRecord record = new SourceRecord(Map.of(), Map.of(), "t", null, null);
        assertThat(stripes.writer(0).stage(new EventRecord(record, record, 1, 0), 1))
                .isEqualTo(Offer.ACCEPTED);
        stripes.writer(0).publish();
        assertThat(pipeline.poll()).isNotEmpty();
        assertThat(runs).as("an event was buffered").hasValue(0);
        assertThat(pipeline.poll()).isNull();
        assertThat(runs).hasValue(1);
    }

    /** The transaction before it is whole, and Connect would commit it before the next poll, which fails. */
    @Test
    void runsAPendingBoundaryBeforeItReportsTheEndOfTheReader() throws InterruptedException {
        AtomicInteger runs = new AtomicInteger();
        TaskPipeline failing = pipeline(new SingleRecords(stripes), new FailingReader());
        busyHasBegun.countDown();
        failing.start();
        failed.await();
        pendingBoundary.set(() -> {
            pendingBoundary.set(null);
            runs.incrementAndGet();
        });
        assertThat(failing.poll()).isNull();
        assertThat(runs).hasValue(1);
        failing.stop(30_000);
    }

    @Test
    void addsEveryMetricOnceForEachValueOfItsTag() {
        MetricValues values = PipelineParts.shown(pipeline);
        // The task adds these two from its configuration.
        Set<Metric> expected = EnumSet.complementOf(EnumSet.of(Metric.LATENCY_TARGET_MS, Metric.CONNECTOR_TASKS));
        assertThat(values.metrics()).containsExactlyInAnyOrderElementsOf(expected);
        for (Metric metric : expected) {
            assertThat(values.tagValues(metric))
                    .as(metric.label())
                    .containsExactlyInAnyOrderElementsOf(
                            switch (metric.tag()) {
                                case "stripe" -> List.of("0", "1");
                                case "reason" ->
                                    Stream.of(FlushReason.values())
                                            .map(FlushReason::label)
                                            .toList();
                                default -> List.of("");
                            });
        }
        assertThat(values.of(Metric.CALIBRATION_AGE_S)).as("nothing learned").isNaN();
        assertThat(values.of(Metric.UPSTREAM_LAG_MS)).as("not reported").isNaN();
    }

    @Test
    void addsTheFiguresThatOnlyTheUpstreamHas() {
        UpstreamReader answering = new UpstreamReader() {
            @Override
            public void start() {}

            @Override
            public void fetch(Intake intake) {}

            @Override
            public List<UpstreamMetric.Figure> figures() {
                return List.of(new UpstreamMetric.Figure(TaskFiguresTest.Answers.TIME, "", () -> 4));
            }

            @Override
            public void stop() {}
        };
        assertThat(PipelineParts.shown(pipeline(new SingleRecords(stripes), answering))
                        .of(TaskFiguresTest.Answers.TIME))
                .isEqualTo(4);
    }

    @Test
    void reportsContentAndFreeSpaceOfEachStripe() throws InterruptedException {
        StripeSet<EventRecord> filled = new StripeSet<>(2, 5, 1_000, System::nanoTime);
        SourceRecord record = new SourceRecord(Map.of(), Map.of(), "t", null, null);
        assertThat(filled.writer(1).stage(new EventRecord(record, record, 300, 0), 300))
                .isEqualTo(Offer.ACCEPTED);
        filled.writer(1).publish();
        MetricValues values = PipelineParts.shown(pipeline(new SingleRecords(filled)));
        assertThat(values.of(Metric.STRIPE_EVENTS, "1")).isEqualTo(1);
        assertThat(values.of(Metric.STRIPE_BYTES, "1")).isEqualTo(300);
        assertThat(values.of(Metric.STRIPE_REMAINING_EVENTS, "1")).isEqualTo(4);
        assertThat(values.of(Metric.STRIPE_REMAINING_BYTES, "1")).isEqualTo(700);
        assertThat(values.of(Metric.STRIPE_REMAINING_EVENTS, "0")).isEqualTo(5);
    }
}
