package io.microbatch.connect.console;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The last ten minutes of a few figures of each task, of no more tasks than a {@link TaskReader} reads. Any thread.
 */
final class History {

    /** How many samples are kept. */
    static final int SAMPLES = 120;

    /** The time between two samples. */
    static final int STEP_MS = 5_000;

    private static final List<Figure> FIGURES = List.of(
            Figure.BATCH_RECORDS_AVG,
            Figure.COMMIT_AVG_MS,
            Figure.ACK_LATENCY_MINUTE_P99_MS,
            Figure.PRESSURE_LEVEL,
            Figure.BATCH_TARGET_EVENTS,
            Figure.LINGER_MS);

    private static final String RATE = "rate";
    private static final String TRANSACTIONS = "transactions-per-sec";

    private final Map<TaskKey, Track> tracks = new TreeMap<>();

    /** The samples of one task, the oldest one overwritten by the next. Guarded by the history. */
    private static final class Track {

        private final Map<String, float[]> series = new LinkedHashMap<>();
        private double records = Double.NaN;
        private long recordsAtMs;
        private int next;
        private int unseen;

        void put(String name, double value) {
            series.computeIfAbsent(name, ignored -> {
                        float[] values = new float[SAMPLES];
                        Arrays.fill(values, Float.NaN);
                        return values;
                    })[next] =
                    (float) value;
        }

        /** Events a second since the last sample: Connect's own rate is an average of up to a minute. */
        double rate(double total, long nowMs) {
            double seconds = (nowMs - recordsAtMs) / 1_000.0;
            double rate = total >= records && seconds > 0 ? (total - records) / seconds : Double.NaN;
            records = total;
            recordsAtMs = nowMs;
            return rate;
        }

        List<Double> oldestFirst(float[] values) {
            List<Double> list = new ArrayList<>(SAMPLES);
            for (int i = 0; i < SAMPLES; i++) {
                list.add((double) values[(next + i) % SAMPLES]);
            }
            return list;
        }
    }

    /**
     * Adds one sample of each task that runs here. A task that is absent for ten minutes is forgotten, and all that are
     * absent where there are too many.
     */
    synchronized void add(List<TaskSnapshot> tasks, long nowMs) {
        tracks.values().forEach(track -> track.unseen++);
        for (TaskSnapshot task : tasks) {
            Track track = tracks.computeIfAbsent(task.key(), ignored -> new Track());
            track.unseen = 0;
            track.put(RATE, track.rate(task.get(Figure.RECORDS_TOTAL), nowMs));
            track.put(TRANSACTIONS, task.isExactlyOnce() ? Load.of(task).transactionsPerSec() : Double.NaN);
            FIGURES.forEach(figure -> track.put(figure.label(), task.get(figure)));
        }
        tracks.values().forEach(track -> {
            if (track.unseen > 0) {
                track.series.values().forEach(values -> values[track.next] = Float.NaN);
            }
            track.next = (track.next + 1) % SAMPLES;
        });
        boolean full = tracks.size() > TaskReader.MAX_TASKS;
        tracks.values().removeIf(track -> track.unseen >= SAMPLES || (full && track.unseen > 0));
    }

    /** The samples of a task by the names of the figures, the oldest first. Empty if there are none. */
    synchronized Map<String, List<Double>> of(TaskKey key) {
        Map<String, List<Double>> series = new LinkedHashMap<>();
        Track track = tracks.get(key);
        if (track != null) {
            track.series.forEach((name, values) -> series.put(name, track.oldestFirst(values)));
        }
        return series;
    }
}
