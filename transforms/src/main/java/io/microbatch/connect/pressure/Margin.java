package io.microbatch.connect.pressure;

/**
 * The part of a latency budget that linger and acknowledgement may use together. The rest is a reserve for what the
 * task does not see, for example the consumer's fetch and short pauses of the machine. Immutable; any thread.
 *
 * @param ratio the part of a budget, 0 to 1
 * @param maxReserveNanos the largest reserve, in nanoseconds
 */
public record Margin(double ratio, long maxReserveNanos) {

    /** The margin if the operator sets none. What the reserve is for does not grow with the budget. */
    public static final Margin DEFAULT = new Margin(0.8, 10_000_000);

    /** The margin that an operator set: this part of every budget. */
    public static Margin ofRatio(double ratio) {
        return new Margin(ratio, Long.MAX_VALUE);
    }

    /** The part that linger and acknowledgement may use, in nanoseconds. */
    public long usableNanos(long budgetNanos) {
        return Math.max((long) (ratio * budgetNanos), budgetNanos - maxReserveNanos);
    }

    /**
     * The shortest linger that is of use within the budget, in nanoseconds: what the ratio leaves of the budget, but no
     * more than a quarter of the usable part, so that a small ratio leaves room for the acknowledgement.
     */
    public long floorNanos(long budgetNanos) {
        return Math.min(budgetNanos - (long) (ratio * budgetNanos), usableNanos(budgetNanos) / 4);
    }
}
