package io.microbatch.connect.console;

import java.util.Map;

/**
 * When the polls of a connector return, as they are, or with a shorter poll interval of Debezium. Times are in
 * milliseconds. Immutable; any thread.
 *
 * @param perSec polls a second that return events
 * @param gapMs how long a poll may keep Connect from looking at its interval
 * @param waitMs how long the source holds an event back, as Debezium's poll interval does
 * @param keys what is set for these polls; empty for those that are
 */
record PollTiming(double perSec, double gapMs, double waitMs, Map<String, String> keys) {

    /** The polls as they are. Debezium returns after its own interval. */
    static PollTiming of(Load load, SourceLoad source) {
        double gapMs = source.debezium() ? Math.min(load.gapMs(), source.pollIntervalMs()) : load.gapMs();
        return new PollTiming(load.pollsPerSec(), gapMs, source.pollIntervalMs(), Map.of());
    }

    /** The polls with Debezium's poll interval for a goal, or these if the present interval is not longer. */
    PollTiming shortened(Load load, SourceLoad source, double goalMs) {
        double pollMs = source.pollIntervalFor(goalMs);
        if (!source.debezium() || pollMs >= source.pollIntervalMs()) {
            return this;
        }
        return new PollTiming(
                Math.min(load.rate(), 1_000 / pollMs),
                Math.min(gapMs, pollMs),
                pollMs,
                Map.of(SourceLoad.POLL_INTERVAL, Texts.setting(pollMs)));
    }

    /** Whether something has to be set for these polls. */
    boolean areNew() {
        return !keys.isEmpty();
    }
}
