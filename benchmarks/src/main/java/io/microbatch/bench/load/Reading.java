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
    /** The sequence in each source partition at which the measured part ends. */
    private final long measuredEnd;
    /** Events of the measured part, if all of them come. */
    private final long measuredEvents;
    /** Whether every transaction leaves one record of its own in what is read. */
    private final boolean countsTransactions;

    private final Histogram micros = new Histogram(HIGHEST_MICROS, 3);
    private final Timeline timeline = new Timeline();
    private final List<Pause> pauses = new ArrayList<>();
    private long createdEpochMs;
    private long measured;
    private long measuredBytes;
    private long arrived;
    private long firstArrivedNanos;
    private long arrivedNanos;
    private long firstNanos;
    private long firstDueNanos;

    /** When the last event before the measured part came, on the wall clock. 0 if the measured part is the first. */
    private long beforeFirstNanos;

    private long lastNanos;
    private long firstOffset;
    private long lastOffset;

    /** Of the stream that the specification describes. */
    public Reading(LoadSpec spec) {
        oracle = Oracle.even(spec.layout().sourcePartitions(), spec.eventsPerPartition());
        int partitions = spec.layout().sourcePartitions();
        warmUpPerPartition = spec.warmUpEvents() / partitions;
        measuredEnd = spec.eventsPerPartition() - (long) spec.coolDownEvents() / partitions;
        measuredEvents = (measuredEnd - warmUpPerPartition) * partitions;
        countsTransactions = spec.delivery() == Delivery.EXACTLY_ONCE
                && spec.layout().topics() * spec.layout().topicPartitions() == 1
                && !spec.isBulk();
    }

    /** A record's value, its offset in the topic partition, and when it came. */
    public void take(byte[] value, long offset, long epochNanos) {
        take(value, 0, value == null ? 0 : value.length, offset, epochNanos);
    }

    /** A record that is none of this stream's. */
    void takeCorrupt() {
        oracle.sawCorrupt();
    }

    /** The same for an event that is a part of a record's value. */
    void take(byte[] value, int at, int sizeBytes, long offset, long epochNanos) {
        SyntheticEvent.Header header;
        try {
            header = codec.decode(value, at, sizeBytes);
        } catch (IllegalArgumentException e) {
            oracle.sawCorrupt();
            return;
        }
        if (arrivedNanos > 0
                && epochNanos - arrivedNanos >= SHORTEST_PAUSE_NANOS
                && header.partition() < oracle.partitions()) {
            pauses.add(new Pause(arrivedNanos, epochNanos, oracle.next(header.partition()), header.sequence()));
        }
        long previousNanos = arrivedNanos;
        if (arrived++ == 0) {
            firstArrivedNanos = epochNanos;
        }
        arrivedNanos = epochNanos;
        oracle.saw(header.partition(), header.sequence());
        long latencyMicros = Math.max(0, (epochNanos - header.intendedEpochNanos()) / 1_000);
        timeline.add(header.intendedEpochNanos(), latencyMicros);
        if (header.sequence() >= warmUpPerPartition && header.sequence() < measuredEnd) {
            if (measured++ == 0) {
                firstOffset = offset;
                firstNanos = epochNanos;
                beforeFirstNanos = previousNanos;
                firstDueNanos = header.intendedEpochNanos();
            }
            measuredBytes += sizeBytes;
            lastOffset = offset;
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

    /** The mean size of an event of the measured part, in bytes. Not a number before the first. */
    public double meanBytes() {
        return measured == 0 ? Double.NaN : (double) measuredBytes / measured;
    }

    /** Whether all events of the measured part have come. */
    boolean hasMeasuredAll() {
        return measured >= measuredEvents;
    }

    /**
     * Transactions that were committed between the first and the last event of the measured part. The broker writes one
     * control record for each into the topic partition, which consumers skip, so that it only shows in the offsets. Not
     * a number without transactions, before the first event, and where there are several topic partitions.
     */
    public double transactions() {
        return countsTransactions && measured > 0 ? lastOffset - firstOffset + 1.0 - measured : Double.NaN;
    }

    /** The same per second, from the first to the last event of the measured part. */
    public double transactionsPerSec() {
        return transactions() * 1e9 / Math.max(1, lastNanos - firstNanos);
    }

    /** When the last event came, on the wall clock. 0 before the first. */
    long arrivedEpochNanos() {
        return arrivedNanos;
    }

    /** The connector is about to be created. */
    void creating(long epochMs) {
        createdEpochMs = epochMs;
    }

    /** When the connector was created, on the wall clock: what the run prepares comes before. */
    public long createdEpochMs() {
        return createdEpochMs;
    }

    /** Milliseconds from the request that creates the connector until the measured part, 1 at least. */
    public long warmAfterMs() {
        return Math.max(1, warmEpochMs() - createdEpochMs);
    }

    /** When the measured part began, on the wall clock. 0 before. */
    public long warmEpochMs() {
        return firstNanos / 1_000_000;
    }

    /**
     * Events per second of the measured part, from the event before it to its last. All events of a transaction come at
     * once, so that from its first event on the whole first transaction would have taken no time.
     */
    public double perSec() {
        return beforeFirstNanos == 0
                ? (measured - 1) * 1e9 / Math.max(1, lastNanos - firstNanos)
                : measured * 1e9 / Math.max(1, lastNanos - beforeFirstNanos);
    }

    /** The same over all events, for a run that never came to its measured part. 0 for fewer than two. */
    public double arrivedPerSec() {
        return Math.max(0, arrived - 1) * 1e9 / Math.max(1, arrivedNanos - firstArrivedNanos);
    }

    /** From when the first event of the measured part was due to the last: for events that may all arrive at once. */
    public double perSecSinceDue() {
        return measured * 1e9 / Math.max(1, lastNanos - firstDueNanos);
    }
}
