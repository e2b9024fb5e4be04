package io.microbatch.connect.poll;

import io.microbatch.connect.control.Decision;

/**
 * When a batch is ready, for models without stripes. {@link ReadyRuleTest} compares the rule with the assembler, so
 * that neither repeats a mistake of the other. Stateless.
 */
public final class ReadyRule {

    private ReadyRule() {}

    /**
     * Whether the buffered events may be returned now. All times are on one monotonic clock.
     *
     * @param events the number of buffered events, at least one
     * @param oldestNanos the arrival of the oldest of them
     * @param newestNanos the arrival of the newest of them
     * @param committedNanos the commit of the last transaction; long ago if there was none
     */
    public static boolean isReady(
            Decision decision, long events, long oldestNanos, long newestNanos, long committedNanos, long nowNanos) {
        boolean old = nowNanos - oldestNanos >= decision.setting().lingerNanos();
        boolean quiet = nowNanos - newestNanos >= decision.quietNanos();
        boolean mayBegin = nowNanos - committedNanos >= decision.pacingNanos();
        return events >= decision.setting().maxEvents() || (mayBegin && (old || quiet));
    }
}
