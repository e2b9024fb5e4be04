package io.microbatch.bench.load;

import java.util.function.IntFunction;

/**
 * Carries more and more events until a run is long enough to be a measurement. For contenders of which nobody can know
 * whether they carry ten events a second or a million, such as an interval that may be shorter than a commit. One that
 * carries the most events in some seconds ends with a run of them: the first runs are those of a cold machine.
 * Stateless.
 */
public final class GrowingRun {

    private static final double ENOUGH_SECONDS = 2;
    private static final double WANTED_SECONDS = 4;
    private static final int MAX_FACTOR = 10;

    /** One that takes the most events in this time gets as many as all others, although it was slow at first. */
    private static final double MAX_SECONDS = 20;

    private static final int MIN_EVENTS_AFTER_CUT = 20;

    private GrowingRun() {}

    /**
     * The last and longest run. Ends with a run that was not verified, and with one that the limit ended, too.
     *
     * @param fewest events of the first run
     * @param most events of any run
     * @param run carries out a run of this many events
     */
    public static LoadResult of(int fewest, int most, IntFunction<LoadResult> run) {
        int events = Math.min(fewest, most);
        while (true) {
            LoadResult result = run.apply(events);
            double perSec = result.perSecSinceDue();
            boolean isLong = events >= perSec * ENOUGH_SECONDS;
            if (!result.isVerified() || events == most || (isLong && most > perSec * MAX_SECONDS)) {
                return result;
            }
            double wanted = Math.min(perSec * WANTED_SECONDS, (double) events * MAX_FACTOR);
            events = isLong ? most : (int) Math.min(most, Math.max(wanted, events + 1.0));
        }
    }

    /**
     * How many events the next run of the same is to have. After a run that the limit ended, what it carries in some
     * seconds: the next one need not wait for the limit again.
     */
    public static int next(int events, LoadResult result) {
        return result.cut()
                ? (int) Math.min(events, Math.max(MIN_EVENTS_AFTER_CUT, result.perSec() * WANTED_SECONDS))
                : events;
    }
}
