package io.microbatch.bench.micro;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The iterations of one kind: JMH's score of each, and the bytes that it allocated for each operation. */
final class Figures {
    private final List<Double> scores = new ArrayList<>();
    private final List<Double> bytesPerOp = new ArrayList<>();

    void add(double score, double bytesPerOp) {
        this.scores.add(score);
        this.bytesPerOp.add(bytesPerOp);
    }

    int count() {
        return scores.size();
    }

    double quantile(double part) {
        return quantile(scores, part);
    }

    double median() {
        return quantile(0.5);
    }

    /** The median: JMH's own bookkeeping between iterations falls into some of them. */
    double bytesPerOp() {
        return quantile(bytesPerOp, 0.5);
    }

    private static double quantile(List<Double> values, double part) {
        if (values.isEmpty()) {
            throw new IllegalStateException("no iteration was verified");
        }
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        return sorted[(int) Math.round(part * (sorted.length - 1))];
    }
}
