package io.microbatch.bench.cdc;

import java.util.ArrayList;
import java.util.List;

/** The rising load: phases of equal length, and a burst at the end. */
final class LoadPlan {

    private static final int[] RATES = {10, 100, 1_000, 5_000};
    private static final int BURST_ROWS = 50_000;

    // Up to this rate every row is a transaction of its own. Above it the database itself, flushing every commit to
    // disk, would be what is measured.
    private static final int ONE_BY_ONE_MAX = 1_000;
    private static final int TRANSACTIONS_PER_SEC = 500;
    private static final int BURST_ROWS_PER_TRANSACTION = 500;

    private LoadPlan() {}

    /**
     * The phases.
     *
     * @param totalSeconds shared by all phases but the burst, which takes as long as it takes
     * @param rateMax leaves out the rates above it and ends with this one; the burst shrinks along
     */
    static List<LoadPhase> phases(int totalSeconds, int rateMax) {
        List<Integer> rates = new ArrayList<>();
        for (int rate : RATES) {
            if (rate < rateMax) {
                rates.add(rate);
            }
        }
        rates.add(rateMax);
        double seconds = (double) totalSeconds / rates.size();
        List<LoadPhase> phases = new ArrayList<>();
        for (int rate : rates) {
            int rows = Math.max(1, (int) Math.round(rate * seconds));
            phases.add(new LoadPhase(phases.size(), rate, rows, rowsPerTransaction(rate)));
        }
        int burst = (int) Math.min(BURST_ROWS, 10L * rateMax);
        phases.add(new LoadPhase(
                phases.size(),
                LoadPhase.AS_FAST_AS_POSSIBLE,
                burst,
                rowsPerTransaction(LoadPhase.AS_FAST_AS_POSSIBLE)));
        return List.copyOf(phases);
    }

    /** Rows of a transaction of the database at a rate, or of a burst. */
    static int rowsPerTransaction(int rate) {
        if (rate == LoadPhase.AS_FAST_AS_POSSIBLE) {
            return BURST_ROWS_PER_TRANSACTION;
        }
        return rate <= ONE_BY_ONE_MAX ? 1 : Math.max(1, rate / TRANSACTIONS_PER_SEC);
    }
}
