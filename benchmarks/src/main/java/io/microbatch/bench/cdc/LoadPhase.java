package io.microbatch.bench.cdc;

/**
 * One stretch of load.
 *
 * @param number counts from 0 and is stored in every row, so that a latency belongs to the phase that wrote the row
 * @param ratePerSec rows a second, or {@link #AS_FAST_AS_POSSIBLE}
 * @param rowCount rows in all
 * @param rowsPerTransaction rows that one transaction of the database inserts
 */
record LoadPhase(int number, int ratePerSec, int rowCount, int rowsPerTransaction) {

    static final int AS_FAST_AS_POSSIBLE = 0;

    boolean isBurst() {
        return ratePerSec == AS_FAST_AS_POSSIBLE;
    }

    int transactionCount() {
        return (rowCount + rowsPerTransaction - 1) / rowsPerTransaction;
    }

    /** When a transaction is due, from the start of the phase. */
    long dueNanos(int transaction) {
        return isBurst() ? 0 : (long) transaction * rowsPerTransaction * 1_000_000_000L / ratePerSec;
    }

    long plannedNanos() {
        return dueNanos(transactionCount());
    }

    String label() {
        return isBurst() ? String.format("burst of %,d", rowCount) : String.format("%,d/s", ratePerSec);
    }
}
