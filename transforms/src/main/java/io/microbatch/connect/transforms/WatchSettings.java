package io.microbatch.connect.transforms;

import io.microbatch.connect.pressure.PressureLevel;

/**
 * What is to be assumed of the adaptive connector. Immutable.
 *
 * @param smoothingMs the time constant of the rate, in milliseconds
 * @param latencyTargetMs the cap on every level's budget; {@link Integer#MAX_VALUE} for none
 * @param lingerRatio the part of a budget that T begins with
 * @param eventTime when an event happened
 */
record WatchSettings(long smoothingMs, int latencyTargetMs, double lingerRatio, EventTime eventTime) {

    int budgetMs(PressureLevel level) {
        return Math.min(level.budgetMs(), latencyTargetMs);
    }
}
