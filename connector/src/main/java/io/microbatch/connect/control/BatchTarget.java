package io.microbatch.connect.control;

import io.microbatch.connect.pressure.BatchSetting;

/**
 * The setting that a pressure level aims at, before the fast loop fits it to the latency budget. Immutable.
 *
 * @param setting maximum records (N) and linger (T)
 * @param trial whether the setting is tried for one window; false for the best known one
 * @param beyondBudget whether the linger stays although it may break the budget, because no setting was seen to keep it
 * @param exploring whether the level's first trials are not over, so that its windows may be short
 * @param first whether nothing is learned at the level
 */
public record BatchTarget(BatchSetting setting, boolean trial, boolean beyondBudget, boolean exploring, boolean first) {

    /** The best known setting of a level whose budget can be kept and whose first trials are over. */
    public static BatchTarget best(int maxEvents, long lingerNanos) {
        return new BatchTarget(new BatchSetting(maxEvents, lingerNanos), false, false, false, false);
    }

    /** The setting of a level of which nothing is learned. */
    public static BatchTarget first(BatchSetting setting, boolean exploring) {
        return new BatchTarget(setting, false, false, exploring, true);
    }

    /** Whether batches are the same under both targets, so that one window may observe both. */
    public boolean hasEffectOf(BatchTarget other) {
        return setting.equals(other.setting) && trial == other.trial && beyondBudget == other.beyondBudget;
    }
}
