package io.microbatch.bench.fleet;

import io.microbatch.connect.upstream.synthetic.SyntheticEvent;
import io.microbatch.testbed.oracle.Findings;
import io.microbatch.testbed.oracle.Oracle;
import org.HdrHistogram.Histogram;

/** The events of one connector as they are read from its topic partition: checked, timed, and counted. One thread. */
public final class FleetStream {

    private static final long HIGHEST_MICROS = 3_600_000_000L;

    private final SyntheticEvent codec = new SyntheticEvent();
    private final Oracle oracle;
    private long fromEpochNanos;
    private long toEpochNanos;
    private final Histogram micros = new Histogram(HIGHEST_MICROS, 3);
    private long nextOffset;
    private long transactions;

    /**
     * Expects this number of events. Those that are due in this part of the run are measured.
     *
     * @param fromEpochNanos the begin of the measured part, in nanoseconds since 1970
     * @param toEpochNanos its end
     */
    public FleetStream(int events, long fromEpochNanos, long toEpochNanos) {
        this.oracle = Oracle.even(1, events);
        this.fromEpochNanos = fromEpochNanos;
        this.toEpochNanos = toEpochNanos;
    }

    /** Measures another part of the same stream from now on, and forgets what was measured of the last one. */
    public void measure(long newFromEpochNanos, long newToEpochNanos) {
        fromEpochNanos = newFromEpochNanos;
        toEpochNanos = newToEpochNanos;
        micros.reset();
        transactions = 0;
    }

    /** A record, in the order of the topic partition. */
    void take(byte[] value, long offset, long epochNanos) {
        // An offset without a record is the marker of a transaction.
        long markers = offset - nextOffset;
        nextOffset = offset + 1;
        SyntheticEvent.Header header;
        try {
            header = codec.decode(value);
        } catch (IllegalArgumentException e) {
            oracle.sawCorrupt();
            return;
        }
        oracle.saw(header.partition(), header.sequence());
        long dueNanos = header.intendedEpochNanos();
        if (dueNanos >= fromEpochNanos && dueNanos < toEpochNanos) {
            transactions += markers;
            micros.recordValue(Math.max(0, Math.min(HIGHEST_MICROS, (epochNanos - dueNanos) / 1_000)));
        }
    }

    /** Whether its last event has come. */
    boolean hasEnded() {
        return oracle.hasEnded();
    }

    /** Lost, duplicated, reordered, altered, so far. */
    public Findings findings() {
        return oracle.findings();
    }

    /** End-to-end latencies of the measured part, from when an event was due, in microseconds. */
    public Histogram micros() {
        return micros;
    }

    /** The transactions that ended in the measured part, by their markers. */
    public long transactions() {
        return transactions;
    }
}
