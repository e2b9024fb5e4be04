package io.microbatch.connect.upstream.synthetic;

import io.microbatch.connect.config.SyntheticConfig;
import io.microbatch.connect.upstream.Intake;
import io.microbatch.connect.upstream.UpstreamReader;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.storage.OffsetStorageReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Generates the events of some source partitions, each when it is due. Open loop: a late event carries the time at
 * which it was due, so that a latency from that time includes every delay.
 */
final class SyntheticReader implements UpstreamReader {

    private static final Logger log = LoggerFactory.getLogger(SyntheticReader.class);
    private static final long LONGEST_PARK_NANOS = 100_000_000;
    private static final int BURST = 256;
    private static final int RECORD_BYTES = 240;

    private final SyntheticConfig config;
    private final List<Integer> numbers;
    private final OffsetStorageReader offsets;
    private final LongSupplier nanoClock;
    private final PriorityQueue<Due> schedule = new PriorityQueue<>(Comparator.comparingLong(Due::nanos));

    /** The start of the curve, on the monotonic clock and in nanoseconds since 1970. */
    private long startNanos;

    private long startEpochNanos;

    /** How late the next event is, in milliseconds. Not a number for an unlimited curve. */
    private volatile double lagMs = Double.NaN;

    private record Due(long nanos, SyntheticPartition partition) {}

    SyntheticReader(
            SyntheticConfig config, List<Integer> numbers, OffsetStorageReader offsets, LongSupplier nanoClock) {
        this.config = config;
        this.numbers = List.copyOf(numbers);
        this.offsets = offsets;
        this.nanoClock = nanoClock;
    }

    /** The source partitions of this reader. Any thread. */
    List<Integer> numbers() {
        return numbers;
    }

    @Override
    public void start() {
        List<Map<String, Integer>> partitions = new ArrayList<>();
        numbers.forEach(number -> partitions.add(Map.of(SyntheticPartition.PARTITION_FIELD, number)));
        Map<Map<String, Integer>, Map<String, Object>> committed = offsets.offsets(partitions);
        for (int number : numbers) {
            long resumeAt = resumeAt(number, committed.get(Map.of(SyntheticPartition.PARTITION_FIELD, number)));
            log.info("Source partition {} continues at event {}", number, resumeAt);
            plan(new SyntheticPartition(config, number, resumeAt));
        }
        Instant now = Instant.now();
        long nowEpochNanos = now.getEpochSecond() * 1_000_000_000L + now.getNano();
        startEpochNanos = config.startEpochMs() == 0 ? nowEpochNanos : config.startEpochMs() * 1_000_000;
        startNanos = nanoClock.getAsLong() - (nowEpochNanos - startEpochNanos);
    }

    private static long resumeAt(int number, Map<String, Object> offset) {
        if (offset == null) {
            return 0;
        }
        if (offset.get(SyntheticPartition.OFFSET_FIELD) instanceof Number events && events.longValue() >= 0) {
            return events.longValue();
        }
        throw new ConnectException("The committed offset of source partition " + number + " has no number '"
                + SyntheticPartition.OFFSET_FIELD + "': reset the connector's offsets");
    }

    private void plan(SyntheticPartition partition) {
        if (!partition.exhausted()) {
            schedule.add(new Due(partition.dueNanos(), partition));
        }
    }

    @Override
    public void fetch(Intake intake) throws InterruptedException {
        long nowNanos = nanoClock.getAsLong();
        if (!awaitDue(nowNanos)) {
            intake.heard();
            return;
        }
        Due next = schedule.peek();
        for (int i = 0; i < BURST && next != null && startNanos + next.nanos() <= nowNanos; i++) {
            SyntheticPartition partition = schedule.remove().partition();
            int sizeBytes = RECORD_BYTES + partition.nextSizeBytes();
            SourceRecord event = partition.next(intendedEpochNanos(next.nanos(), nowNanos));
            intake.add(event, sizeBytes, nowNanos);
            plan(partition);
            next = schedule.peek();
        }
        intake.signal();
    }

    /** Waits for a limited time if no event is due. Returns whether one was due at this time. */
    private boolean awaitDue(long nowNanos) throws InterruptedException {
        Due next = schedule.peek();
        long dueInNanos = next == null ? LONGEST_PARK_NANOS : startNanos + next.nanos() - nowNanos;
        lagMs = config.rateCurve().unlimited() ? Double.NaN : Math.max(0, -dueInNanos / 1e6);
        if (dueInNanos <= 0) {
            return true;
        }
        LockSupport.parkNanos(Math.min(dueInNanos, LONGEST_PARK_NANOS));
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return false;
    }

    private long intendedEpochNanos(long dueNanos, long nowNanos) {
        return startEpochNanos + (config.rateCurve().unlimited() ? nowNanos - startNanos : dueNanos);
    }

    @Override
    public double lagMs() {
        return lagMs;
    }

    @Override
    public void stop() {
        // Holds nothing to close.
    }
}
