package io.microbatch.connect.learning;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What was seen of a setting in its last few windows. Medians, so that one window in which the machine did something
 * else changes nothing. One thread.
 */
final class SettingTrack {

    private static final int KEPT = 5;

    private final Setting setting;
    private final Deque<Double> scores = new ArrayDeque<>();
    private final Deque<Double> p99s = new ArrayDeque<>();
    private int trials;

    SettingTrack(Setting setting) {
        this.setting = setting;
    }

    Setting setting() {
        return setting;
    }

    /** How often it was tried; the best known setting is not on trial. */
    int trials() {
        return trials;
    }

    /**
     * A trial is over.
     *
     * @param score capacity against the same reference as that of every other setting of the level; without a unit
     * @param p99Ms arrival to acknowledgement, milliseconds
     */
    void tried(double score, double p99Ms) {
        trials++;
        add(scores, score);
        add(p99s, p99Ms);
    }

    /** A window of the best known setting: its score is its place in the table, and only its latency is news. */
    void confirmed(double p99Ms) {
        add(p99s, p99Ms);
    }

    /** Gives it its place in the table. */
    SettingTrack placedAt(double score, double p99Ms) {
        add(scores, score);
        add(p99s, p99Ms);
        return this;
    }

    double score() {
        return median(scores);
    }

    double p99Ms() {
        return median(p99s);
    }

    private static void add(Deque<Double> values, double value) {
        values.addLast(value);
        if (values.size() > KEPT) {
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
