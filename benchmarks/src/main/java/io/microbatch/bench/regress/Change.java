package io.microbatch.bench.regress;

import io.microbatch.bench.load.Medians;
import java.util.List;

/**
 * How much better fresh runs are than a stored one, in one figure: 1 for the same, 0.5 for half the rate or twice the
 * latency, 0 where a fresh run lacks it.
 *
 * @param kind what the figure counts
 * @param runs versus the stored median, a ratio for each fresh run, ascending
 * @param versusWorst the median of the fresh runs versus the worst stored round; not a number if no rounds are stored
 */
record Change(FigureKind kind, List<Double> runs, double versusWorst) {

    private static final double MAX_LOSS = 0.1;

    /** The median of the fresh runs versus the stored median. */
    double median() {
        return Medians.of(runs);
    }

    /**
     * Whether this is more than noise: the median lost more than a tenth, it lost more than the figures of rivals of
     * the same kind usually do, and it is worse than the worst stored round. Where no rounds are stored the last is not
     * asked.
     */
    boolean lost(Machine machine) {
        return median() / machine.speed() < 1 - MAX_LOSS
                && median() < machine.poor()
                && !(versusWorst / machine.speed() >= 1);
    }
}
