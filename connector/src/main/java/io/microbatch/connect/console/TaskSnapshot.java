package io.microbatch.connect.console;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * The figures of one source task at one time. A figure that is not known is absent. Immutable; any thread.
 *
 * @param key the task
 * @param isExactlyOnce whether the worker commits transactions for this task
 * @param figures the known figures, without values that are not finite
 */
record TaskSnapshot(TaskKey key, boolean isExactlyOnce, Map<Figure, Double> figures) {

    TaskSnapshot {
        Map<Figure, Double> finite = new EnumMap<>(Figure.class);
        figures.forEach((figure, value) -> {
            if (Double.isFinite(value)) {
                finite.put(figure, value);
            }
        });
        figures = Collections.unmodifiableMap(finite);
    }

    /**
     * A task is exactly-once if it has a figure of its transactions, even one that is not a number. Connect's figures
     * of transactions are not numbers before the first transaction, and after a minute without one.
     */
    TaskSnapshot(TaskKey key, Map<Figure, Double> figures) {
        this(key, figures.containsKey(Figure.TRANSACTION_RECORDS_AVG), figures);
    }

    boolean has(Figure figure) {
        return figures.containsKey(figure);
    }

    /** The value. Not a number if it is not known, so that every comparison with it is false. */
    double get(Figure figure) {
        return figures.getOrDefault(figure, Double.NaN);
    }

    /** The value, or another one if it is not known. */
    double get(Figure figure, double other) {
        return figures.getOrDefault(figure, other);
    }
}
