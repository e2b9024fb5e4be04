package io.microbatch.connect.transforms;

import io.microbatch.connect.pressure.BatchSetting;
import io.microbatch.connect.pressure.LatencyBudgets;
import io.microbatch.connect.pressure.Objective;
import io.microbatch.connect.pressure.PressureLevel;

/**
 * The settings that the adaptive connector is assumed to have. Immutable.
 *
 * @param smoothingMs the time constant of the rate, in milliseconds
 * @param budgets the latency budget of every level
 * @param objective the connector's objective
 * @param eventTime the time of an event
 */
record WatchSettings(long smoothingMs, LatencyBudgets budgets, Objective objective, EventTime eventTime) {

    /** The first setting of a connector that hosts the observed one, whose records have this mean size. */
    BatchSetting first(PressureLevel level, double meanBytes) {
        return BatchSetting.first(budgets.budgetMs(level), objective).atMost(BatchSetting.firstHostedEvents(meanBytes));
    }
}
