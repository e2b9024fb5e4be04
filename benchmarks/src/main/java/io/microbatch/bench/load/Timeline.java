package io.microbatch.bench.load;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** Latencies by when events were due, in slices. One thread. */
public final class Timeline {

    /** The length of a slice. */
    public static final long SLICE_MS = 100;

    private static final long SLICE_NANOS = SLICE_MS * 1_000_000;

    private final List<Histogram> slices = new ArrayList<>();
    private long firstNanos = Long.MIN_VALUE;

    /** Adds an event: when it was due, and how much later it arrived. */
    public void add(long dueEpochNanos, long latencyMicros) {
        if (firstNanos == Long.MIN_VALUE) {
            firstNanos = dueEpochNanos;
        }
        int slice = (int) Math.max(0, (dueEpochNanos - firstNanos) / SLICE_NANOS);
        while (slices.size() <= slice) {
            slices.add(new Histogram(2));
        }
        slices.get(slice).recordValue(Math.max(0, latencyMicros));
    }

    /** When the first event was due, on the wall clock. */
    public long firstEpochMs() {
        return firstNanos / 1_000_000;
    }

    /** How many slices there are. */
    public int size() {
        return slices.size();
    }

    /** The 99th percentile of a slice in milliseconds. 0 for one without events. */
    public double p99Ms(int slice) {
        return slices.get(slice).getValueAtPercentile(99) / 1_000.0;
    }

    /** The number of events that were due in a slice. */
    public long events(int slice) {
        return slices.get(slice).getTotalCount();
    }

    /** The number of events of a slice that took longer than this, to one hundredth. */
    public long eventsAbove(int slice, double ms) {
        Histogram histogram = slices.get(slice);
        return histogram.getCountBetweenValues((long) (ms * 1_000) + 1, Math.max(1, histogram.getMaxValue()));
    }
}
