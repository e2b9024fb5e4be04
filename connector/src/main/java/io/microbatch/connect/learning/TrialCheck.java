package io.microbatch.connect.learning;

import io.microbatch.connect.pressure.BatchSetting;

/** Whether a trial has tried what it was to try. The fast loop fits each linger, also that of a trial. Stateless. */
final class TrialCheck {

    /** The maximum ratio between the linger that was asked for and the one that was applied. */
    private static final double AS_ASKED = 1.3;

    /** Lingers that are shorter, or differ by less, cannot be told from none, or from each other. */
    private static final double AS_ASKED_NANOS = 100_000;

    private TrialCheck() {}

    /** Whether a window of a trial had the setting that was asked for, or as much of it as can be applied. */
    static boolean isAsAsked(BatchSetting trial, Observation window) {
        double asked = trial.lingerNanos() + AS_ASKED_NANOS;
        double applied = window.setting().lingerNanos() + AS_ASKED_NANOS;
        // Where no other event is expected within the trial's linger, the fast loop waits for none: it tried that.
        return window.setting().lingerNanos() <= AS_ASKED_NANOS
                || Math.max(asked, applied) <= AS_ASKED * Math.min(asked, applied)
                || window.events() >= window.batches() * (long) trial.maxEvents();
    }

    /**
     * Whether no batch waited in a trial, and none in the windows of the same N before and after it. At a low rate the
     * fast loop waits neither with the best setting nor with that of the trial. The windows differ by chance, and say
     * nothing of a linger of 0 at a higher rate of the level.
     */
    static boolean isWithoutLinger(Observation tried, Observation before, Observation after) {
        return tried.setting().lingerNanos() <= AS_ASKED_NANOS
                && tried.setting().isLike(before.setting())
                && tried.setting().isLike(after.setting());
    }
}
