package io.microbatch.connect.poll;

import io.microbatch.connect.control.Decision;

/**
 * When a batch is ready, for models that have no stripes to wait at. {@link ReadyRuleTest} holds it against the assembler,
 * so that a mistake of one is not taken over by the other. Stateless.
 */
public final class ReadyRule {

    private ReadyRule() {}

    /**
     * Whether what is buffered may leave now. All times are on one monotonic clock.
     *
     * @param events how many are buffered, one at least
     * @param oldestNanos when the oldest of them arrived
     * @param newestNanos when the newest of them arrived
     * @param committedNanos when the last transaction was committed; long ago if there was none
     */
    public static boolean isReady(
            Decision decision, long events, long oldestNanos, long newestNanos, long committedNanos, long nowNanos) {
        boolean old = nowNanos - oldestNanos >= decision.setting().lingerNanos();
        boolean quiet = nowNanos - newestNanos >= decision.quietNanos();
        boolean mayBegin = nowNanos - committedNanos >= decision.pacingNanos();
        return events >= decision.setting().maxEvents() || (mayBegin && (old || quiet));
    }
}
