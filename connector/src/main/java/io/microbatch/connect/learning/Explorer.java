package io.microbatch.connect.learning;

import io.microbatch.connect.calibration.Observation;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * What to try next at a level, and when. First a few settings that bracket the range; then one trial in five anywhere
 * in it, log-uniform, and four near the best. Trials that change nothing grow rare. One thread.
 */
final class Explorer {

    private static final double RANDOM_PART = 0.2;
    private static final double BOUND_BY_EVENTS = 0.5;
    private static final double ALONE_EVENTS = 0.5;
    private static final int LEAST_EVENTS = 100;

    /** What was seen to break the budget does so at every longer linger, and a little under it as well. */
    private static final double SHORT_OF_BREAKING = 0.9;

    private static final double LEAST_LINGER_MS = 0.2;

    /** The budget of the highest level. Where commits take as long, as with interval boundaries, nobody waits longer. */
    private static final double LONGEST_LINGER_MS = 30_000;

    private static final double NEAREST_STEP = 0.2;
    private static final double FARTHEST_STEP = 0.7;
    private static final int LONGEST_PAUSE_WINDOWS = 30;

    /** Where this many draws give only what is in force, there is nothing else to try. */
    private static final int MOST_DRAWS = 40;

    private final LearnerSettings settings;
    private final double budgetMs;
    private final RandomGenerator random;
    private final Deque<Setting> bracket = new ArrayDeque<>();
    private boolean bracketed;
    private int pauseWindows = 1;
    private int waitedWindows;

    Explorer(LearnerSettings settings, double budgetMs, RandomGenerator random) {
        this.settings = settings;
        this.budgetMs = budgetMs;
        this.random = random;
    }

    /** Begins again: what was known of the level does not hold any more. */
    void restart() {
        bracketed = false;
        bracket.clear();
        succeeded();
    }

    /** Needs no bracket: the best is known from an earlier run. */
    void resume() {
        bracketed = true;
    }

    /** The last trial changed what is best. */
    void succeeded() {
        pauseWindows = 1;
        waitedWindows = 0;
    }

    /** The last trial changed nothing. */
    void failed() {
        if (bracket.isEmpty()) {
            pauseWindows = Math.min(LONGEST_PAUSE_WINDOWS, pauseWindows * 2);
        }
    }

    /** Whether it is time for a trial after one more window of the best. */
    boolean isTime() {
        if (++waitedWindows < pauseWindows) {
            return false;
        }
        waitedWindows = 0;
        return true;
    }

    /**
     * The next trial; none where the budget leaves no choice.
     *
     * @param inForce the best known setting, as the fast loop fits it
     * @param seen the last window that was no trial
     * @param feasible whether it keeps the budget
     * @param breakingMs the shortest linger that was seen to break it for certain; infinite if none was
     */
    Optional<Setting> next(Setting inForce, Observation seen, boolean feasible, double breakingMs) {
        double costMs = Math.max(0, seen.ackP99Ms() - seen.lingerMs());
        // Less than half an event arrives in what a batch costs: to wait longer would gather nothing.
        boolean alone = !feasible && seen.events() * costMs < ALONE_EVENTS * seen.windowMs();
        double mostMs = feasible
                ? Math.max(LEAST_LINGER_MS, boundMs(seen, costMs, breakingMs))
                : alone ? inForce.lingerMs() : Math.min(LONGEST_LINGER_MS, Math.max(budgetMs, 2 * costMs));
        // Who wants the shortest linger that leaves room has no use for a longer one than has been seen to leave it.
        boolean shortEnough = feasible
                && settings.objective() == BatchObjective.LATENCY
                && Preference.ROOM * seen.busyMs() <= seen.windowMs();
        if (shortEnough) {
            mostMs = Math.min(mostMs, inForce.lingerMs());
        }
        if (!bracketed) {
            bracketed = true;
            bracket.addAll(feasible ? within(inForce, mostMs) : alone ? shortest(inForce) : around(inForce, seen));
        }
        while (!bracket.isEmpty()) {
            Setting setting = bracket.removeFirst();
            if (!setting.isLike(inForce)) {
                return Optional.of(setting);
            }
        }
        boolean boundByEvents = seen.events() >= BOUND_BY_EVENTS * inForce.batchTargetEvents() * seen.batches();
        double longestMs = mostMs;
        return Stream.generate(() -> draw(inForce, longestMs, boundByEvents))
                .limit(MOST_DRAWS)
                .filter(setting -> !setting.isLike(inForce))
                .findFirst();
    }

    private Setting draw(Setting inForce, double mostMs, boolean boundByEvents) {
        int batchTarget = inForce.batchTargetEvents();
        if (boundByEvents && random.nextBoolean()) {
            return new Setting(events(batchTarget * (random.nextBoolean() ? 2 : 0.5)), inForce.lingerMs());
        }
        double lingerMs = random.nextDouble() < RANDOM_PART ? anywhere(mostMs) : near(inForce.lingerMs());
        return new Setting(batchTarget, Math.max(LEAST_LINGER_MS, Math.min(mostMs, lingerMs)));
    }

    /**
     * The longest linger that may keep the budget. The tail of the delays says what surely does. But it is partly the
     * doing of a short linger, whose many transactions find each other in the way: so what the middle of the delays
     * leaves room for is tried, until it was seen to break the budget.
     */
    private double boundMs(Observation seen, double costMs, double breakingMs) {
        double usableMs = settings.control().marginRatio() * budgetMs;
        double middleMs = Math.max(seen.ackP50Ms() - seen.lingerMs(), seen.busyMs() / Math.max(1, seen.batches()));
        return Math.max(usableMs - costMs, Math.min(usableMs - middleMs, SHORT_OF_BREAKING * breakingMs));
    }

    /** The longest linger that the budget may bear, and two that are far shorter. */
    private static List<Setting> within(Setting best, double mostMs) {
        int events = best.batchTargetEvents();
        return List.of(new Setting(events, mostMs), new Setting(events, mostMs / 4), new Setting(events, mostMs / 16));
    }

    private static List<Setting> shortest(Setting best) {
        return List.of(new Setting(best.batchTargetEvents(), LEAST_LINGER_MS));
    }

    /**
     * Where no linger keeps the budget, the question is how far transactions are best kept apart: a linger of what one
     * takes puts each behind the other, and a longer one leaves a gap between them.
     */
    private static List<Setting> around(Setting best, Observation seen) {
        int events = best.batchTargetEvents();
        double commitMs = Math.max(LEAST_LINGER_MS, seen.busyMs() / Math.max(1, seen.batches()));
        return List.of(
                new Setting(events, 1.5 * commitMs),
                new Setting(events, commitMs),
                new Setting(events, 2.5 * commitMs));
    }

    private double anywhere(double mostMs) {
        double leastMs = Math.max(LEAST_LINGER_MS, mostMs / 50);
        return leastMs * Math.pow(mostMs / leastMs, random.nextDouble());
    }

    private double near(double lingerMs) {
        double step = NEAREST_STEP + (FARTHEST_STEP - NEAREST_STEP) * random.nextDouble();
        return Math.max(LEAST_LINGER_MS, lingerMs) * Math.exp(random.nextBoolean() ? step : -step);
    }

    private int events(double wanted) {
        return (int) Math.min(settings.control().maxEvents(), Math.max(LEAST_EVENTS, wanted));
    }
}
