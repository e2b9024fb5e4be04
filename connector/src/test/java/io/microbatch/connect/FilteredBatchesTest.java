package io.microbatch.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.microbatch.connect.ack.AckSignals;
import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.control.RetryBackoffDetector;
import io.microbatch.connect.learning.Observation;
import io.microbatch.connect.metrics.Metric;
import io.microbatch.connect.packing.PackedRecords;
import io.microbatch.connect.poll.EventSource;
import io.microbatch.connect.poll.SingleRecords;
import io.microbatch.connect.stripe.Offer;
import io.microbatch.connect.stripe.StripeSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * An exactly-once worker has no transaction for a batch of which transforms drop everything. It acknowledges its
 * records with the next batch that has content, without metadata.
 */
@Timeout(60)
class FilteredBatchesTest {

    private static final long MS = 1_000_000;
    private static final RecordMetadata METADATA = new RecordMetadata(new TopicPartition("t", 0), 0, 0, 0, 0, 0);

    private final AtomicLong now = new AtomicLong(System.nanoTime());
    private final StripeSet<EventRecord> stripes = new StripeSet<>(1, 16, 1 << 20, now::get);
    private final PipelineParts parts = new PipelineParts();

    private TaskPipeline pipeline(EventSource source) {
        return parts.pipeline(source, now::get);
    }

    private List<SourceRecord> poll(TaskPipeline pipeline, int sizeBytes) throws InterruptedException {
        for (int i = 0; i < 4; i++) {
            SourceRecord record = new SourceRecord(Map.of(), Map.of("o", i), "t", null, new byte[10]);
            EventRecord event = new EventRecord(record, record, sizeBytes, now.get());
            assertThat(stripes.writer(0).stage(event, sizeBytes)).isEqualTo(Offer.ACCEPTED);
        }
        stripes.writer(0).publish();
        List<SourceRecord> batch = pipeline.poll();
        assertThat(batch).isNotEmpty();
        return batch;
    }

    /** Connect's acknowledgements of a transaction, oldest record first, and its commit. */
    private static void commit(TaskPipeline pipeline, List<SourceRecord> dropped, List<SourceRecord> delivered) {
        dropped.forEach(record -> pipeline.acknowledged((EventRecord) record, null));
        delivered.forEach(record -> pipeline.acknowledged((EventRecord) record, METADATA));
        pipeline.committed();
    }

    @Test
    void aCommitTakesNoLongerBecauseAnEarlierBatchWasDropped() throws InterruptedException {
        TaskPipeline pipeline = pipeline(new SingleRecords(stripes));
        commit(pipeline, List.of(), poll(pipeline, 1));
        List<SourceRecord> dropped = poll(pipeline, 1);
        pipeline.committed();
        now.addAndGet(10_000 * MS);
        List<SourceRecord> delivered = poll(pipeline, 1);
        now.addAndGet(5 * MS);
        commit(pipeline, dropped, delivered);
        poll(pipeline, 1);

        assertThat(PipelineParts.shown(pipeline).of(Metric.COMMIT_TIME_MS)).isEqualTo(5);
    }

    /** Connect acknowledges what transforms have dropped before what it has sent, because it sends later. */
    @ParameterizedTest
    @CsvSource({"3, 4", "1, 4", "0, 3", "0, 1", "1, 2"})
    void aCommitIsMeasuredWhereRecordsOfItsBatchWereDropped(int from, int to) throws InterruptedException {
        TaskPipeline pipeline = pipeline(new SingleRecords(stripes));
        List<SourceRecord> batch = poll(pipeline, 1);
        now.addAndGet(7 * MS);
        List<SourceRecord> delivered = new ArrayList<>(batch);
        List<SourceRecord> dropped = batch.subList(from, to);
        delivered.removeAll(dropped);
        commit(pipeline, dropped, delivered);
        poll(pipeline, 1);

        assertThat(PipelineParts.shown(pipeline).of(Metric.COMMIT_TIME_MS)).isEqualTo(7);
    }

    /** The producer sends to several topic partitions, and a transform may take longer than it does. */
    @Test
    void aCommitIsMeasuredInAnyOrder() throws InterruptedException {
        TaskPipeline pipeline = pipeline(new SingleRecords(stripes));
        List<SourceRecord> batch = poll(pipeline, 1);
        now.addAndGet(7 * MS);
        pipeline.acknowledged((EventRecord) batch.get(2), METADATA);
        pipeline.acknowledged((EventRecord) batch.get(0), METADATA);
        pipeline.acknowledged((EventRecord) batch.get(3), null);
        pipeline.acknowledged((EventRecord) batch.get(1), METADATA);
        pipeline.committed();
        poll(pipeline, 1);

        assertThat(PipelineParts.shown(pipeline).of(Metric.COMMIT_TIME_MS)).isEqualTo(7);
    }

    /** At least once it does so before the producer has sent the others. */
    @Test
    void aDelayIsMeasuredAtLeastOnceWhereTheLastRecordOfABatchWasDropped() throws InterruptedException {
        TaskPipeline pipeline = pipeline(new SingleRecords(stripes));
        List<SourceRecord> batch = poll(pipeline, 1);
        pipeline.acknowledged((EventRecord) batch.get(3), null);
        now.addAndGet(7 * MS);
        Thread producer = new Thread(
                () -> batch.subList(0, 3).forEach(record -> pipeline.acknowledged((EventRecord) record, METADATA)));
        producer.start();
        producer.join();
        poll(pipeline, 1);

        assertThat(PipelineParts.shown(pipeline).of(Metric.COMMIT_TIME_MS)).isEqualTo(7);
        assertThat(pipeline.delivery()).isEqualTo(AckSignals.Delivery.AT_LEAST_ONCE);
    }

    /** A sixth of the batches is dropped, each 24 ms before the next commit: that is no back-off of the broker. */
    @Test
    void droppedBatchesAreNoTransactionsAndNoBackOff() throws InterruptedException {
        TaskPipeline pipeline = pipeline(new SingleRecords(stripes));
        List<Observation> windows = List.of();
        for (int i = 0; windows.isEmpty(); i++) {
            List<SourceRecord> dropped = List.of();
            if (i % 5 == 0) {
                dropped = poll(pipeline, 1);
                pipeline.committed();
                now.addAndGet(24 * MS);
            }
            List<SourceRecord> delivered = poll(pipeline, 1);
            now.addAndGet(3 * MS);
            commit(pipeline, dropped, delivered);
            windows = pipeline.finishedWindows();
        }
        Observation window = windows.get(0);
        assertThat(window.transactions() / (double) window.batches()).isCloseTo(5 / 6.0, within(0.01));
        assertThat(hasAnswered(parts.detector)).isFalse();
    }

    /** Whether it has found a back-off before, which it says once. */
    private static boolean hasAnswered(RetryBackoffDetector detector) {
        for (int i = 0; i < 400; i++) {
            if (detector.committed((i % 3 == 0 ? 24 : 3) * MS, 4, 4).isPresent()) {
                return false;
            }
        }
        return true;
    }

    /** A bulk record keeps its events, and of a hosted connector their own records, until it is acknowledged. */
    @Test
    void ofBulkRecordsTheEventsThatTheyKeepCountAndNotOnlyTheirBytes() throws InterruptedException {
        TaskPipeline pipeline = pipeline(new PackedRecords(stripes, 1_000, null));
        poll(pipeline, 5_000);
        pipeline.committed();
        assertThat(PipelineParts.shown(pipeline).of(Metric.FILTERED_KEPT_BYTES))
                .isBetween(4 * 5_000.0, 4 * 5_000.0 + 1_000);
    }
}
