package io.microbatch.bench.load;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A time in which nothing came. Immutable.
 *
 * @param fromEpochNanos when the last event before it came
 * @param toEpochNanos when the first event behind it came
 * @param expected the sequence that had to come next in that event's source partition
 * @param resumedAt the sequence that came
 */
public record Pause(long fromEpochNanos, long toEpochNanos, long expected, long resumedAt) {

    /** Its length. */
    public double lengthMs() {
        return (toEpochNanos - fromEpochNanos) / 1e6;
    }

    /** How far the source went back: 0 where it went on exactly behind what was there. */
    public long repeats() {
        return expected - resumedAt;
    }

    /** The longest that ended after a moment. Empty if none did. */
    public static Optional<Pause> longestAfter(List<Pause> pauses, long epochNanos) {
        return pauses.stream()
                .filter(pause -> pause.toEpochNanos() > epochNanos)
                .max(Comparator.comparingLong(pause -> pause.toEpochNanos() - pause.fromEpochNanos()));
    }
}
