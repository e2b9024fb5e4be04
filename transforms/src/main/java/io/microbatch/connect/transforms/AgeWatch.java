package io.microbatch.connect.transforms;

import java.util.function.LongSupplier;

/**
 * Tells whether events are older than a budget. Task thread.
 *
 * <p>Reading the clock is most of the cost. An event that was late at the last reading is still late, so the clock is
 * read only for other events, and at least every {@value #MAX_STRIDE} events: otherwise, after a clock was set back,
 * events would count as late that are not.
 */
final class AgeWatch {

    static final int MAX_STRIDE = 64;

    private final long budgetMs;
    private final LongSupplier epochMsClock;
    private long lookedEpochMs;
    private int untilLook;

    AgeWatch(long budgetMs, LongSupplier epochMsClock) {
        this.budgetMs = budgetMs;
        this.epochMsClock = epochMsClock;
    }

    /** Whether an event of this time is older than the budget. An event of unknown time is not. */
    boolean isLate(long eventEpochMs) {
        if (eventEpochMs == EventTime.UNKNOWN) {
            return false;
        }
        if (untilLook > 0 && lookedEpochMs - eventEpochMs > budgetMs) {
            untilLook--;
            return true;
        }
        lookedEpochMs = epochMsClock.getAsLong();
        untilLook = MAX_STRIDE - 1;
        return lookedEpochMs - eventEpochMs > budgetMs;
    }
}
