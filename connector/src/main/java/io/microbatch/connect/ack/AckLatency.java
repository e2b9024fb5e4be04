package io.microbatch.connect.ack;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.IntCountsHistogram;
import org.HdrHistogram.Recorder;

/**
 * A histogram of the times from arrival to acknowledgement. Any thread records without waiting; the task thread reads
 * intervals.
 *
 * <p>Microseconds with two significant digits, up to one hour. Longer times count as one hour.
 */
public final class AckLatency {

    private static final long HIGHEST_MICROS = 3_600_000_000L;
    private static final int DIGITS = 2;

    private final Recorder recorder = new Recorder(1, HIGHEST_MICROS, DIGITS);
    private Histogram interval;

    /** The times of the task thread, except those of the current run. */
    private final Histogram own = total();

    /** The lowest and the highest time that the histogram does not distinguish from those of the run. */
    private long runLowMicros = 1;

    private long runHighMicros;

    /** The number of consecutive events of the task thread with times that the histogram does not distinguish. */
    private long runEvents;

    /** Records acknowledged events with the time since the arrival of the oldest one. Any thread. */
    public void record(long latencyNanos, int events) {
        recorder.recordValueWithCount(micros(latencyNanos), events);
    }

    /**
     * The same on the task thread, without the cost of synchronization. An exactly-once worker acknowledges all events
     * of a transaction one after the other, and the times of neighbours hardly differ.
     */
    public void recordOnTaskThread(long latencyNanos, int events) {
        long micros = micros(latencyNanos);
        if (micros < runLowMicros || micros > runHighMicros) {
            endRun();
            runLowMicros = own.lowestEquivalentValue(micros);
            runHighMicros = own.highestEquivalentValue(micros);
        }
        runEvents += events;
    }

    private void endRun() {
        if (runEvents > 0) {
            own.recordValueWithCount(runLowMicros, runEvents);
            runEvents = 0;
        }
    }

    /** The times recorded since the last call. The histogram is valid until the next call. Task thread. */
    public Histogram interval() {
        interval = recorder.getIntervalHistogram(interval);
        endRun();
        if (own.getTotalCount() > 0) {
            interval.add(own);
            own.reset();
        }
        return interval;
    }

    /** A time in the unit and within the bounds of the histograms. */
    static long micros(long nanos) {
        return Math.max(1, Math.min(HIGHEST_MICROS, nanos / 1_000));
    }

    /** A smaller histogram of the same times, for less than two billion of them. */
    static IntCountsHistogram part() {
        return new IntCountsHistogram(1, HIGHEST_MICROS, DIGITS);
    }

    /** A histogram to which intervals can be added. */
    public static Histogram total() {
        return new Histogram(1, HIGHEST_MICROS, DIGITS);
    }
}
