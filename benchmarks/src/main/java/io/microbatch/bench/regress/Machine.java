package io.microbatch.bench.regress;

import io.microbatch.bench.load.Medians;
import java.util.List;

/**
 * How the figures of rivals have changed, which contain nothing of this project: 1 for not at all, 0.5 for half the
 * rate or twice the latency.
 *
 * @param speed the median of their changes
 * @param poor what a tenth of their changes are worse than. One noisy figure of many excuses no loss
 */
record Machine(double speed, double poor) {

    private static final double POOR_SHARE = 0.1;

    /** From the changes of the rivals' figures, of which there is at least one. */
    static Machine of(List<Double> changes) {
        List<Double> ascending = changes.stream().sorted().toList();
        return new Machine(Medians.of(ascending), ascending.get((int) (ascending.size() * POOR_SHARE)));
    }

    /** A machine that is as it was. Its rivals cannot excuse a loss. */
    static final Machine SAME = new Machine(1, 1);
}
