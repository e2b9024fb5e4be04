package io.microbatch.connect.learning;

import io.microbatch.connect.pressure.BatchSetting;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The measurements of a setting in its last few windows. It uses medians, so that a single window in which the machine
 * was disturbed changes nothing. One thread.
 */
final class SettingTrack {

    private static final int MAX_KEPT = 5;

    private final BatchSetting setting;
    private final Deque<Double> scores = new ArrayDeque<>();
    private final Deque<Double> transactions = new ArrayDeque<>();
    private final Deque<Double> p99sNanos = new ArrayDeque<>();
    private int trials;
    private long notedAt;

    SettingTrack(BatchSetting setting) {
        this.setting = setting;
    }

    BatchSetting setting() {
        return setting;
    }

    /** The number of finished trials. Windows of the best known setting are not trials. */
    int trials() {
        return trials;
    }

    /**
     * Adds a finished trial.
     *
     * @param score the service rate relative to the level's common reference; without a unit
     * @param transactionsPerEvent transactions per event relative to the same reference; without a unit
     * @param p99Nanos arrival to acknowledgement
     */
    void tried(double score, double transactionsPerEvent, long p99Nanos) {
        trials++;
        add(scores, score);
        add(transactions, transactionsPerEvent);
        add(p99sNanos, (double) p99Nanos);
    }

    /** Adds a window of the best known setting: its score is its place in the table, and only its latency is news. */
    void confirmed(long p99Nanos) {
        add(p99sNanos, (double) p99Nanos);
    }

    /** Notes its last window, as a number of windows of the level's best settings. */
    SettingTrack notedAt(long window) {
        notedAt = window;
        return this;
    }

    /** The last window, counted as in {@link #notedAt(long)}. */
    long notedAt() {
        return notedAt;
    }

    /** Gives the setting its place in the table. */
    SettingTrack placedAt(double score, long p99Nanos) {
        add(scores, score);
        add(p99sNanos, (double) p99Nanos);
        return this;
    }

    /** Transactions per event, relative to the level's common reference. */
    double transactionsPerEvent() {
        return transactions.isEmpty() ? 1 : median(transactions);
    }

    double score() {
        return median(scores);
    }

    double p99Nanos() {
        return median(p99sNanos);
    }

    private static void add(Deque<Double> values, double value) {
        values.addLast(value);
        if (values.size() > MAX_KEPT) {
            values.removeFirst();
        }
    }

    private static double median(Deque<Double> values) {
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
