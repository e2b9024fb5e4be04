package io.microbatch.connect.ack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DurableWatermarkTest {

    /** Close to the overflow of a monotonic clock, which may start at any value. */
    private static final long START = Long.MAX_VALUE - 200;

    private final DurableWatermark watermark = new DurableWatermark(START);

    @Test
    void reportsNothingDurableBeforeACommit() {
        watermark.polled(START + 1);
        watermark.polled(START + 2);
        assertThat(watermark.durableBeforeNanos()).isEqualTo(START);
        assertThat(watermark.commits()).isZero();
    }

    @Test
    void advancesAtACommitToThePollBeforeTheLastOneOfTheEarlierCommit() {
        watermark.polled(START + 1);
        watermark.polled(START + 2);
        watermark.polled(START + 3);
        watermark.committed();
        assertThat(watermark.durableBeforeNanos()).isEqualTo(START);

        watermark.polled(START + 4);
        watermark.committed();
        assertThat(watermark.durableBeforeNanos()).isEqualTo(START + 2);
        assertThat(watermark.commits()).isEqualTo(2);
    }

    @Test
    void advancesWithEveryCommit() {
        for (int i = 1; i <= 10; i++) {
            watermark.polled(START + i);
            watermark.committed();
        }
        assertThat(watermark.durableBeforeNanos()).isEqualTo(START + 8);
    }

    /**
     * Models the worker of at-least-once mode step by step. The task thread collects acknowledged records and polls.
     * The committer's thread takes the collected records, flushes them and calls commit. If the flush fails, it puts
     * them back. The final commit of the task thread may take and flush while the committer has not called commit yet.
     */
    private static final class ModelWorker {
        final List<Long> acknowledged = new ArrayList<>();
        final Set<Long> durable = new HashSet<>();
        private final Set<Long> collected = new HashSet<>();
        private final List<Set<Long>> flushed = new ArrayList<>();
        private Set<Long> flushing;

        void collect() {
            collected.addAll(acknowledged);
        }

        void take() {
            flushing = new HashSet<>(collected);
            collected.clear();
        }

        void flush(boolean succeeds) {
            if (succeeds) {
                durable.addAll(flushing);
                flushed.add(flushing);
            } else {
                collected.addAll(flushing);
            }
            flushing = null;
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void neverReportsUnflushedEventsAsDurable(long seed) {
        Random random = new Random(seed);
        ModelWorker worker = new ModelWorker();
        long nowNanos = START;
        int confirmed = 0;
        int commitsToCall = 0;
        for (int i = 0; i < 2_000; i++) {
            nowNanos++;
            switch (random.nextInt(6)) {
                case 0 -> {
                    worker.collect();
                    // Acknowledgements that arrive between the worker's collection and its poll are not collected.
                    for (int more = random.nextInt(3); more > 0; more--) {
                        worker.acknowledged.add(nowNanos++);
                    }
                    watermark.polled(nowNanos);
                }
                case 1, 2 -> worker.acknowledged.add(nowNanos);
                case 3 -> {
                    // The worker starts a flush only after it has called commit for the earlier one.
                    if (worker.flushing == null && commitsToCall == 0) {
                        worker.take();
                    }
                }
                case 4 -> {
                    if (worker.flushing != null) {
                        boolean succeeds = random.nextInt(4) != 0;
                        worker.flush(succeeds);
                        commitsToCall += succeeds ? 1 : 0;
                    }
                }
                default -> {
                    if (commitsToCall > 0) {
                        commitsToCall--;
                        watermark.committed();
                    }
                }
            }
            confirmed = assertOnlyFlushed(worker);
        }
        assertThat(confirmed).as("the watermark moves at all").isGreaterThan(100);
        finalCommitOverlaps(worker, nowNanos, commitsToCall);
    }

    /**
     * The worker does not poll any more. The task thread collects, takes and flushes while the committer's call of
     * commit is late.
     */
    private void finalCommitOverlaps(ModelWorker worker, long endNanos, int commitsToCall) {
        if (worker.flushing != null) {
            worker.flush(true);
            commitsToCall++;
        }
        worker.acknowledged.add(endNanos + 1);
        worker.collect();
        worker.take();
        for (; commitsToCall > 0; commitsToCall--) {
            watermark.committed();
            assertOnlyFlushed(worker);
        }
        worker.flush(true);
        watermark.committed();
        assertOnlyFlushed(worker);
    }

    private int assertOnlyFlushed(ModelWorker worker) {
        int confirmed = 0;
        for (long settledNanos : worker.acknowledged) {
            if (settledNanos - watermark.durableBeforeNanos() < 0) {
                confirmed++;
                if (!worker.durable.contains(settledNanos)) {
                    assertThat(worker.durable)
                            .as("settled before %s", watermark.durableBeforeNanos())
                            .contains(settledNanos);
                }
            }
        }
        return confirmed;
    }

    @Test
    void recognisesAnAtLeastOnceWorker() {
        assertThat(watermark.isAtLeastOnce()).isFalse();
        watermark.acknowledgedAtLeastOnce();
        assertThat(watermark.isAtLeastOnce()).isTrue();
        watermark.acknowledgedAtLeastOnce();
        assertThat(watermark.isAtLeastOnce()).isTrue();
    }
}
