package io.microbatch.bench.load;

import io.microbatch.connect.upstream.synthetic.SyntheticEvent;
import io.microbatch.testbed.oracle.Findings;
import io.microbatch.testbed.oracle.Oracle;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** What one consumer group has read of a stream, each event checked and timed. One thread. */
public final class Reading {

    private static final long HIGHEST_MICROS = 3_600_000_000L;
    private static final long SHORTEST_PAUSE_NANOS = 50_000_000;

    private final SyntheticEvent codec = new SyntheticEvent();
    private final Oracle oracle;
    private final long warmUpPerPartition;
    private final Histogram micros = new Histogram(HIGHEST_MICROS, 3);
    private final Timeline timeline = new Timeline();
    private final List<Pause> pauses = new ArrayList<>();
    private long measured;
    private long arrivedNanos;
    private long firstNanos;
    private long firstDueNanos;
    private long lastNanos;

    /** Of the stream that the specification describes. */
    public Reading(LoadSpec spec) {
        oracle = Oracle.even(spec.layout().sourcePartitions(), spec.eventsPerPartition());
        warmUpPerPartition = spec.warmUpEvents() / spec.layout().sourcePartitions();
    }

    /** A record's value, and when it came. */
    public void take(byte[] value, long epochNanos) {
        SyntheticEvent.Header header;
        try {
            header = codec.decode(value);
        } catch (IllegalArgumentException e) {
            oracle.sawCorrupt();
            return;
        }
        if (arrivedNanos > 0
                && epochNanos - arrivedNanos >= SHORTEST_PAUSE_NANOS
                && header.partition() < oracle.partitions()) {
            pauses.add(new Pause(arrivedNanos, epochNanos, oracle.next(header.partition()), header.sequence()));
        }
        arrivedNanos = epochNanos;
        oracle.saw(header.partition(), header.sequence());
        long latencyMicros = Math.max(0, (epochNanos - header.intendedEpochNanos()) / 1_000);
        timeline.add(header.intendedEpochNanos(), latencyMicros);
        if (header.sequence() >= warmUpPerPartition) {
            if (measured++ == 0) {
                firstNanos = epochNanos;
                firstDueNanos = header.intendedEpochNanos();
            }
            lastNanos = epochNanos;
            micros.recordValue(Math.min(HIGHEST_MICROS, latencyMicros));
        }
    }

    /** Lost, duplicated, reordered, altered. */
    public Findings findings() {
        return oracle.findings();
    }

    /** Whether the last event of each source partition has come. */
    boolean hasEnded() {
        return oracle.hasEnded();
    }

    /** End-to-end latencies of the measured part, from when an event was due, in microseconds. */
    public Histogram micros() {
        return micros;
    }

    /** The same for each slice of a tenth of a second, by when events were due. */
    public Timeline timeline() {
        return timeline;
    }

    /** When nothing came. */
    public List<Pause> pauses() {
        return pauses;
    }

    /** Events of the measured part so far. */
    public long measured() {
        return measured;
    }

    /** When the last event came, on the wall clock. 0 before the first. */
    long arrivedEpochNanos() {
        return arrivedNanos;
    }

    /** When the measured part began, on the wall clock. 0 before. */
    public long warmEpochMs() {
        return firstNanos / 1_000_000;
    }

    /** Events per second from the first to the last event of the measured part. */
    public double perSec() {
        return (measured - 1) * 1e9 / Math.max(1, lastNanos - firstNanos);
    }

    /** From when the first event of the measured part was due to the last: for events that may all arrive at once. */
    public double perSecSinceDue() {
        return measured * 1e9 / Math.max(1, lastNanos - firstDueNanos);
    }
}
