package io.microbatch.connect.console;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The last ten minutes of a few figures of each task, of no more tasks than a {@link TaskReader} reads. A sample that
 * was not taken, or a figure that was not known, is not a number. Any thread.
 */
final class History {

    /** How many samples are kept. */
    static final int SAMPLES = 120;

    /** The time between two samples. */
    static final int STEP_MS = 5_000;

    /** The kinds of MBeans that a sample is made of. */
    static final Set<Bean> KINDS = EnumSet.of(Bean.SOURCE, Bean.TASK, Bean.MICROBATCH);

    private static final List<Figure> FIGURES = List.of(
            Figure.BATCH_RECORDS_AVG,
            Figure.COMMIT_AVG_MS,
            Figure.ACK_LATENCY_MINUTE_P99_MS,
            Figure.PRESSURE_LEVEL,
            Figure.BATCH_TARGET_EVENTS,
            Figure.LINGER_MS);

    /** Enough for a plot. All digits of a sample are four times as long. */
    private static final MathContext DIGITS = new MathContext(3);

    private static final String RATE = "rate";
    private static final String TRANSACTIONS = "transactions-per-sec";

    private final Map<TaskKey, Track> tracks = new TreeMap<>();
    /** The number of the latest step since the first sample. Guarded by the history, as is the next one. */
    private long step;
    /** The time of the first sample. Negative before it. */
    private long beganMs = -1;

    /** The samples of one task: that of a step is at the rest of its division by their number. Guarded as above. */
    private static final class Track {

        private final Map<String, float[]> series = new LinkedHashMap<>();
        private double records = Double.NaN;
        private long recordsAtMs;
        private long seenStep;

        void put(String name, long step, double value) {
            float[] values = series.computeIfAbsent(name, ignored -> {
                float[] unknown = new float[SAMPLES];
                Arrays.fill(unknown, Float.NaN);
                return unknown;
            });
            values[index(step)] = (float) value;
        }

        void forget(long step) {
            series.values().forEach(values -> values[index(step)] = Float.NaN);
        }

        /** Events a second since the last sample: Connect's own rate is an average of up to a minute. */
        double rate(double total, long nowMs) {
            double seconds = (nowMs - recordsAtMs) / 1_000.0;
            double rate = total >= records && seconds > 0 ? (total - records) / seconds : Double.NaN;
            records = total;
            recordsAtMs = nowMs;
            return rate;
        }

        private static int index(long step) {
            return (int) (step % SAMPLES);
        }
    }

    /**
     * Adds one sample of each task that runs here. A task that is absent for ten minutes is forgotten, and all that are
     * absent where there are too many.
     *
     * @param nowMs the time of a clock that never goes back
     */
    synchronized void add(List<TaskSnapshot> tasks, long nowMs) {
        advance(nowMs);
        for (TaskSnapshot task : tasks) {
            Track track = tracks.computeIfAbsent(task.key(), ignored -> new Track());
            track.seenStep = step;
            track.put(RATE, step, track.rate(task.get(Figure.RECORDS_TOTAL), nowMs));
            track.put(TRANSACTIONS, step, task.isExactlyOnce() ? Load.of(task).transactionsPerSec() : Double.NaN);
            FIGURES.forEach(figure -> track.put(figure.label(), step, task.get(figure)));
        }
        boolean full = tracks.size() > TaskReader.MAX_TASKS;
        tracks.values().removeIf(track -> full && track.seenStep < step);
    }

    /**
     * Says that it is so late. Steps without a sample are gaps: without them a plot would join samples that are far
     * apart as if they were neighbours.
     *
     * @param nowMs the time of a clock that never goes back
     */
    synchronized void advance(long nowMs) {
        if (beganMs < 0) {
            beganMs = nowMs;
        }
        // To the nearest step: a sample is never taken at exactly its time.
        long nowStep = (nowMs - beganMs + STEP_MS / 2) / STEP_MS;
        for (long each = Math.max(step + 1, nowStep - SAMPLES + 1); each <= nowStep; each++) {
            long gap = each;
            tracks.values().forEach(track -> track.forget(gap));
        }
        step = Math.max(step, nowStep);
        tracks.values().removeIf(track -> step - track.seenStep >= SAMPLES);
    }

    /** The samples of a task by the names of the figures, the oldest first. Empty if there are none. */
    synchronized Map<String, List<Double>> of(TaskKey key) {
        Map<String, List<Double>> series = new LinkedHashMap<>();
        Track track = tracks.get(key);
        if (track != null) {
            track.series.forEach((name, values) -> series.put(name, oldestFirst(values)));
        }
        return series;
    }

    /** The events a second of a task, the oldest first. Empty if there are none. */
    synchronized List<Double> rates(TaskKey key) {
        Track track = tracks.get(key);
        return track == null ? List.of() : oldestFirst(track.series.get(RATE));
    }

    private List<Double> oldestFirst(float[] values) {
        List<Double> list = new ArrayList<>(SAMPLES);
        for (long each = step + 1; each <= step + SAMPLES; each++) {
            float value = values[Track.index(each)];
            list.add(Float.isFinite(value) ? new BigDecimal(value).round(DIGITS).doubleValue() : Double.NaN);
        }
        return list;
    }
}
