package io.microbatch.bench.rows;

import java.util.ArrayList;
import java.util.List;

/**
 * One stretch of load.
 *
 * @param number counts from 0 and is stored in every row, so that a latency belongs to the phase that wrote the row
 * @param ratePerSec rows a second, or {@link #AS_FAST_AS_POSSIBLE}
 * @param rowCount rows in all
 * @param rowsPerTransaction rows that one transaction of the database inserts
 */
public record LoadPhase(int number, int ratePerSec, int rowCount, int rowsPerTransaction) {

    /** The rate of a phase whose rows are all due at its start. */
    public static final int AS_FAST_AS_POSSIBLE = 0;

    /** A phase missed its rate when its last transactions began this much too late. */
    private static final long LATE_NANOS = 250_000_000;

    private static final int[] RATES = {10, 100, 1_000, 5_000};
    private static final int BURST_ROWS = 50_000;
    // Up to this rate every row is a transaction of its own. Above it the database itself, flushing every commit to
    // disk, would be what is measured.
    private static final int ONE_BY_ONE_MAX = 1_000;
    private static final int TRANSACTIONS_PER_SEC = 500;
    private static final int BURST_ROWS_PER_TRANSACTION = 500;

    /** A phase with as many rows in a transaction as its rate needs. */
    public static LoadPhase of(int number, int ratePerSec, int rowCount) {
        int rows = ratePerSec <= ONE_BY_ONE_MAX ? 1 : Math.max(1, ratePerSec / TRANSACTIONS_PER_SEC);
        return new LoadPhase(
                number, ratePerSec, rowCount, ratePerSec == AS_FAST_AS_POSSIBLE ? BURST_ROWS_PER_TRANSACTION : rows);
    }

    /**
     * The rising load: phases of equal length, and a burst at the end.
     *
     * @param totalSeconds shared by all phases but the burst, which takes as long as it takes
     * @param rateMax leaves out the rates above it and ends with this one; the burst shrinks in proportion
     */
    public static List<LoadPhase> plan(int totalSeconds, int rateMax) {
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
            phases.add(of(phases.size(), rate, Math.max(1, (int) Math.round(rate * seconds))));
        }
        phases.add(of(phases.size(), AS_FAST_AS_POSSIBLE, (int) Math.min(BURST_ROWS, 10L * rateMax)));
        return List.copyOf(phases);
    }

    /** Whether all rows are due at the start. */
    public boolean isBurst() {
        return ratePerSec == AS_FAST_AS_POSSIBLE;
    }

    /** How many transactions insert the rows. */
    public int transactionCount() {
        return (rowCount + rowsPerTransaction - 1) / rowsPerTransaction;
    }

    /** When a transaction is due, from the start of the phase. */
    public long dueNanos(int transaction) {
        return isBurst() ? 0 : (long) transaction * rowsPerTransaction * 1_000_000_000L / ratePerSec;
    }

    /** From the start to the end of the phase, as planned. 0 for a burst. */
    public long plannedNanos() {
        return dueNanos(transactionCount());
    }

    /** Whether the writers missed the rate, if their last transactions began that much too late. */
    public boolean isLate(long lateNanos) {
        return !isBurst() && lateNanos > LATE_NANOS;
    }

    /** The rate, or the size of a burst, for people. */
    public String label() {
        return isBurst() ? String.format("burst of %,d", rowCount) : String.format("%,d/s", ratePerSec);
    }
}
