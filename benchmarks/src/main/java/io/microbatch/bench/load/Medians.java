package io.microbatch.bench.load;

import java.util.List;

/** The median of repeated measurements. Stateless. */
public final class Medians {

    private Medians() {}

    /** The middle one, or the mean of the two in the middle. Not a number when there is none. */
    public static double of(List<Double> values) {
        if (values.isEmpty()) {
            return Double.NaN;
        }
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
