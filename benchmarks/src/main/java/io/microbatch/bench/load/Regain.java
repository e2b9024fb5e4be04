package io.microbatch.bench.load;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToDoubleFunction;

/** When latency is where it belongs again after a step of the rate or an interruption. Pure. */
public final class Regain {

    /** So long has a latency to stay before it counts as regained. */
    private static final int CALM_SLICES = 10;

    private Regain() {}

    /**
     * Milliseconds from the step to the first slice from which on a second's slices are all within the bound. Negative
     * if that never happens before the end.
     *
     * @param p99Ms the 99th percentile of a slice
     * @param from the slice in which the step was
     * @param to the slice behind the last
     */
    public static long regainedMs(IntToDoubleFunction p99Ms, int from, int to, double boundMs) {
        int calm = 0;
        for (int slice = from; slice < to; slice++) {
            calm = p99Ms.applyAsDouble(slice) <= boundMs ? calm + 1 : 0;
            if (calm == CALM_SLICES) {
                return (slice + 1L - CALM_SLICES - from) * Timeline.SLICE_MS;
            }
        }
        return -1;
    }

    /** The first slice beyond the bound. The first of all if there is none. */
    public static int firstAbove(IntToDoubleFunction p99Ms, int from, int to, double boundMs) {
        for (int slice = from; slice < to; slice++) {
            if (p99Ms.applyAsDouble(slice) > boundMs) {
                return slice;
            }
        }
        return from;
    }

    /** The median of the slices from one to another: what a phase settles to. */
    public static double settledMs(IntToDoubleFunction p99Ms, int from, int to) {
        List<Double> values = new ArrayList<>();
        for (int slice = from; slice < to; slice++) {
            values.add(p99Ms.applyAsDouble(slice));
        }
        return Medians.of(values);
    }
}
