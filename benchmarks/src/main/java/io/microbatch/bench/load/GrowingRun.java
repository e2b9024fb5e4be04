package io.microbatch.bench.load;

import java.util.function.IntFunction;

/**
 * Carries more and more events until a run is long enough to be a measurement. For contenders of which nobody can know
 * whether they carry ten events a second or a million, such as an interval that may be shorter than a commit.
 * Stateless.
 */
public final class GrowingRun {

    private static final double ENOUGH_SECONDS = 2;
    private static final double WANTED_SECONDS = 4;
    private static final int MAX_FACTOR = 10;

    private GrowingRun() {}

    /**
     * The last and longest run. Ends with a run that was not verified, too.
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
            if (!result.isVerified() || events == most || events >= perSec * ENOUGH_SECONDS) {
                return result;
            }
            double wanted = Math.min(perSec * WANTED_SECONDS, (double) events * MAX_FACTOR);
            events = (int) Math.min(most, Math.max(wanted, events + 1.0));
        }
    }
}
