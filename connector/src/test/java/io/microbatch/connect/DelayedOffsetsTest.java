package io.microbatch.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.control.OffsetDelay;
import io.microbatch.connect.metrics.Metric;
import io.microbatch.connect.poll.SingleRecords;
import io.microbatch.connect.stripe.Offer;
import io.microbatch.connect.stripe.StripeSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a task counts as busy time and as the time of a commit. */
@Timeout(60)
class DelayedOffsetsTest {

    private static final long MS = 1_000_000;
    private static final long DELAY_MS = 100;
    private static final RecordMetadata METADATA = new RecordMetadata(new TopicPartition("t", 0), 0, 0, 0, 0, 0);

    private final AtomicLong now = new AtomicLong(System.nanoTime());
    /** The time by which each reading of the clock advances it. */
    private long stepNanos;

    private final StripeSet<EventRecord> stripes = new StripeSet<>(1, 16, 1 << 20, now::get);
    private final TaskPipeline pipeline = pipeline(new PipelineParts(Optional.of(OffsetDelay.fixed(DELAY_MS * MS))));

    private TaskPipeline pipeline(PipelineParts parts) {
        return parts.pipeline(new SingleRecords(stripes), () -> {
            // The thread never parks.
            LockSupport.unpark(Thread.currentThread());
            return now.getAndAdd(stepNanos);
        });
    }

    private List<SourceRecord> poll() throws InterruptedException {
        return poll(pipeline);
    }

    private List<SourceRecord> poll(TaskPipeline pipeline) throws InterruptedException {
        SourceRecord record = new SourceRecord(Map.of(), Map.of("o", 1), "t", null, new byte[10]);
        assertThat(stripes.writer(0).stage(new EventRecord(record, record, 10, now.get()), 10))
                .isEqualTo(Offer.ACCEPTED);
        stripes.writer(0).publish();
        List<SourceRecord> batch = pipeline.poll();
        assertThat(batch).hasSize(1);
        return batch;
    }

    /** As Connect does: iterates and sends, commits after some milliseconds, and acknowledges. */
    private void commit(List<SourceRecord> batch, long commitMs) {
        stepNanos = 5 * MS;
        for (SourceRecord record : batch) {
            assertThat(record).isNotNull();
        }
        stepNanos = 0;
        now.addAndGet(commitMs * MS);
        for (int i = 0; i < batch.size(); i++) {
            pipeline.acknowledged((EventRecord) batch.get(i), METADATA);
        }
        pipeline.committed();
    }

    @Test
    void aPauseIsAPartOfTheCommitTimeAndNotOfTheBusyTime() throws InterruptedException {
        commit(poll(), 7);
        List<SourceRecord> delayed = poll();
        assertThat(PipelineParts.shown(pipeline).of(Metric.COMMIT_TIME_MS))
                .as("before the mode is known")
                .isEqualTo(7);
        now.addAndGet(2_000 * MS);
        commit(delayed, 7);
        long pausedMs = 105;
        assertThat(PipelineParts.shown(pipeline).of(Metric.OFFSET_DELAY_MS)).isEqualTo((double) DELAY_MS);
        List<SourceRecord> last = poll();
        assertThat(PipelineParts.shown(pipeline).of(Metric.COMMIT_TIME_MS)).isEqualTo(2_000.0 + pausedMs + 7);
        assertThat(PipelineParts.shown(pipeline).of(Metric.BUSY_RATIO))
                .isCloseTo((2_000.0 + 7) / (2_000 + pausedMs + 7 + 7), within(0.01));
        commit(last, 7);
    }

    /** Connect sees that a connector is to pause when a transaction has been committed. */
    @Test
    void aTaskIsNotBusyWhileItsConnectorIsPaused() throws InterruptedException {
        commit(poll(), 7);
        now.addAndGet(60_000 * MS);
        commit(poll(), 7);
        assertThat(PipelineParts.shown(pipeline).of(Metric.BUSY_RATIO)).isCloseTo(7 / 60_007.0, within(1e-5));
    }

    /** It may end a transaction with any record of a batch, and the next one begins with the record after it. */
    @Test
    void aTaskIsBusyAfterATransactionThatItsConnectorHasEnded() throws InterruptedException {
        TaskPipeline ending = pipeline(new PipelineParts());
        assertThat(poll(ending)).hasSize(1);
        now.addAndGet(7 * MS);
        ending.committed();
        now.addAndGet(2_000 * MS);
        assertThat(poll(ending)).hasSize(1);
        assertThat(PipelineParts.shown(ending).of(Metric.BUSY_RATIO)).isCloseTo(1, within(0.001));
    }
}
