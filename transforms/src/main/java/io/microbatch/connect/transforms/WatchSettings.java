package io.microbatch.connect.transforms;

import io.microbatch.connect.pressure.BatchSetting;
import io.microbatch.connect.pressure.Objective;
import io.microbatch.connect.pressure.PressureLevel;

/**
 * The settings that the adaptive connector is assumed to have. Immutable.
 *
 * @param smoothingMs the time constant of the rate, in milliseconds
 * @param latencyTargetMs the cap on every level's budget; {@link Integer#MAX_VALUE} for none
 * @param objective the connector's objective
 * @param eventTime the time of an event
 */
record WatchSettings(long smoothingMs, int latencyTargetMs, Objective objective, EventTime eventTime) {

    int budgetMs(PressureLevel level) {
        return Math.min(level.budgetMs(), latencyTargetMs);
    }

    /** The first setting of a connector that hosts the observed one. */
    BatchSetting first(PressureLevel level) {
        return BatchSetting.first(budgetMs(level), objective).atMost(BatchSetting.MAX_FIRST_HOSTED_EVENTS);
    }
}
