package io.microbatch.connect.transforms;

import java.util.function.LongSupplier;

/**
 * Whether events are older than a budget. Task thread.
 *
 * <p>Looking at the clock is most of what it costs to answer. What was late at the last look is late now, so that only
 * an event that was not needs a look of its own. Every {@value #LONGEST_STRIDE} events there is one all the same: a
 * clock that is set back would otherwise make events late that are not, for as long as it was set back by.
 */
final class AgeWatch {

    static final int LONGEST_STRIDE = 64;

    private final long budgetMs;
    private final LongSupplier epochMsClock;
    private long lookedEpochMs;
    private int untilLook;

    AgeWatch(long budgetMs, LongSupplier epochMsClock) {
        this.budgetMs = budgetMs;
        this.epochMsClock = epochMsClock;
    }

    /** Whether an event of this time is older than the budget; one of an unknown time is not. */
    boolean isLate(long eventEpochMs) {
        if (eventEpochMs == EventTime.UNKNOWN) {
            return false;
        }
        if (untilLook > 0 && lookedEpochMs - eventEpochMs > budgetMs) {
            untilLook--;
            return true;
        }
        lookedEpochMs = epochMsClock.getAsLong();
        untilLook = LONGEST_STRIDE - 1;
        return lookedEpochMs - eventEpochMs > budgetMs;
    }
}
