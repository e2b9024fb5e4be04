package io.microbatch.connect.console;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * The figures of one source task at one time. A figure that is not known is absent. Immutable; any thread.
 *
 * @param key the task
 * @param figures the known figures, without values that are not finite
 */
record TaskSnapshot(TaskKey key, Map<Figure, Double> figures) {

    TaskSnapshot {
        Map<Figure, Double> finite = new EnumMap<>(Figure.class);
        figures.forEach((figure, value) -> {
            if (Double.isFinite(value)) {
                finite.put(figure, value);
            }
        });
        figures = Collections.unmodifiableMap(finite);
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

    /** Whether the worker commits a transaction for this task. Only such a task has figures of transactions. */
    boolean isExactlyOnce() {
        return has(Figure.TRANSACTION_RECORDS_AVG) || has(Figure.TRANSACTION_RECORDS_MAX);
    }
}
