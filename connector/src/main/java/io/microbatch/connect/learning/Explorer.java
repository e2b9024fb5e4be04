package io.microbatch.connect.learning;

import io.microbatch.connect.pressure.BatchSetting;
import io.microbatch.connect.pressure.Margin;
import io.microbatch.connect.pressure.Objective;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * Chooses what to try next at a level, and when. It starts with a few settings that bracket the range. After them, one
 * random trial in five is anywhere in the range, log-uniform, and four are near the best. With the objective efficiency
 * every second trial is the longest linger that may keep the budget, if that is longer than the best. Trials that
 * change nothing become rare. One thread; nanoseconds.
 */
final class Explorer {

    private static final double RANDOM_PART = 0.2;
    private static final double BOUND_BY_EVENTS = 0.5;
    private static final double ALONE_EVENTS = 0.5;
    private static final int MIN_EVENTS = 100;

    /** A linger that broke the budget breaks it at every longer linger, and slightly below it too. */
    private static final double SHORT_OF_BREAKING = 0.9;

    /** The smallest ratio of a trial to a wasteful linger. Measurements hardly distinguish closer ones. */
    private static final double LONGER_THAN_WASTEFUL = 1.3;

    private static final double MIN_LINGER_NANOS = 200_000;

    /** The budget of the highest level. A longer linger is useless, even if commits by the clock take that long. */
    private static final double MAX_LINGER_NANOS = 30e9;

    private static final double MIN_STEP = 0.2;
    private static final double MAX_STEP = 0.7;
    private static final int MAX_PAUSE_WINDOWS = 30;

    /**
     * The maximum number of windows in which a level is explored by short windows, three times what the first trials
     * need. A rate that changes from second to second may be steady in whole windows only.
     */
    private static final int MAX_EXPLORING_WINDOWS = 30;

    /** The trials before the first ones that may say nothing without a pause. Two of them are usual. */
    private static final int MAX_FAILURES_BEFORE = 6;

    /** Where an earlier run explored the level. The pause after its first trial is twice as long. */
    private static final int RESUMED_PAUSE_WINDOWS = 4;

    /** If this many draws yield only the setting in force, there is nothing else to try. */
    private static final int MAX_DRAWS = 40;

    private final LearnerSettings settings;
    private final long budgetNanos;
    private final RandomGenerator random;
    private final Deque<BatchSetting> bracket = new ArrayDeque<>();
    private boolean bracketed;
    private boolean exploring = true;
    private int exploringWindows;
    private boolean resumed;
    private int failures;
    private int pauseWindows = 1;
    private int waitedWindows;

    Explorer(LearnerSettings settings, long budgetNanos, RandomGenerator random) {
        this.settings = settings;
        this.budgetNanos = budgetNanos;
        this.random = random;
    }

    /** Starts again: what was learned of the level no longer holds. */
    void restart() {
        bracketed = false;
        exploring = true;
        exploringWindows = 0;
        resumed = false;
        bracket.clear();
        succeeded();
    }

    /**
     * The best is known from an earlier run. Only the longest linger is tried again soon, because what broke the budget
     * then may have been a start or a disturbance.
     */
    void resume() {
        resumed = true;
        exploring = false;
    }

    /** The level had another window, a trial or not. */
    void observed() {
        exploringWindows++;
    }

    /**
     * Whether windows may be short: until the first trials have been judged and another one is due. Not where an
     * earlier run explored the level.
     */
    boolean isExploring() {
        return exploring && exploringWindows < MAX_EXPLORING_WINDOWS;
    }

    /** The last trial changed the best setting. */
    void succeeded() {
        failures = 0;
        pauseWindows = 1;
        waitedWindows = 0;
    }

    /**
     * The last trial changed nothing. When the first trials are over, the pause before the next trial becomes twice as
     * long. Before the first trials it does so only after {@value #MAX_FAILURES_BEFORE} trials that changed nothing.
     */
    void failed() {
        failures++;
        if (bracketed ? bracket.isEmpty() : failures > MAX_FAILURES_BEFORE) {
            pauseWindows = Math.min(MAX_PAUSE_WINDOWS, pauseWindows * 2);
        }
    }

    /** One more window of the best setting has ended. Returns whether a trial is due. */
    boolean windowEnded() {
        if (++waitedWindows < pauseWindows) {
            return false;
        }
        waitedWindows = 0;
        return true;
    }

    /**
     * The next trial, or none where the budget leaves no choice.
     *
     * @param inForce the best known setting, as the fast loop fits it
     * @param seen the last window that was not a trial
     * @param feasible whether the best known setting keeps the budget
     * @param breakingNanos the shortest linger that certainly broke the budget; infinite if none did
     * @param wastefulNanos the longest linger that is too short to be efficient; 0 if none was seen
     */
    Optional<BatchSetting> next(
            BatchSetting inForce, Observation seen, boolean feasible, double breakingNanos, double wastefulNanos) {
        double costNanos =
                Math.max(0, (double) seen.ackP99Nanos() - seen.setting().lingerNanos());
        // Fewer than half an event arrives during what a batch costs: a longer linger would gather nothing.
        boolean alone = !feasible && seen.events() * costNanos < ALONE_EVENTS * seen.windowMs() * 1e6;
        double fittingNanos = feasible ? 0 : fittingNanos(costNanos);
        if (fittingNanos > 0 && fittingNanos < SHORT_OF_BREAKING * breakingNanos) {
            return Optional.of(new BatchSetting(inForce.maxEvents(), (long) fittingNanos));
        }
        double maxNanos = feasible
                ? maxFeasibleNanos(seen, costNanos, breakingNanos)
                : alone
                        ? inForce.lingerNanos()
                        : Math.min(MAX_LINGER_NANOS, Math.max((double) budgetNanos, 2 * costNanos));
        boolean first = !bracketed;
        if (first) {
            bracketed = true;
            pauseWindows = resumed ? RESUMED_PAUSE_WINDOWS : pauseWindows;
            firstLingers(feasible, alone, maxNanos, seen)
                    .limit(resumed ? 1 : Long.MAX_VALUE)
                    .mapToObj(lingerNanos -> new BatchSetting(inForce.maxEvents(), (long) lingerNanos))
                    .forEach(bracket::add);
        }
        while (!bracket.isEmpty()) {
            BatchSetting setting = bracket.removeFirst();
            if (setting.lingerNanos() >= LONGER_THAN_WASTEFUL * wastefulNanos && !setting.isLike(inForce)) {
                return Optional.of(setting);
            }
        }
        exploring = false;
        if (first && resumed) {
            return Optional.empty();
        }
        boolean boundByEvents = seen.events() >= BOUND_BY_EVENTS * inForce.maxEvents() * seen.batches();
        return afterBracket(inForce, boundByEvents, feasible, maxNanos, breakingNanos, wastefulNanos);
    }

    /** The longest linger that may be tried while the budget is kept. */
    private double maxFeasibleNanos(Observation seen, double costNanos, double breakingNanos) {
        double maxNanos = Math.max(MIN_LINGER_NANOS, boundNanos(seen, costNanos, breakingNanos));
        // With the objective latency, a linger that together with a usual commit takes as long as the p99 seen cannot
        // improve it.
        boolean hasRoom = settings.objective() == Objective.LATENCY
                && Preference.ROOM * seen.busyNanos() <= seen.windowMs() * 1e6;
        return hasRoom
                ? Math.max(MIN_LINGER_NANOS, Math.min(maxNanos, seen.ackP99Nanos() - medianNanos(seen)))
                : maxNanos;
    }

    /** A trial after the first ones. */
    private Optional<BatchSetting> afterBracket(
            BatchSetting inForce,
            boolean boundByEvents,
            boolean feasible,
            double maxNanos,
            double breakingNanos,
            double wastefulNanos) {
        // The rate may have changed what is wasteful. Such a trial costs many transactions, so it is rare.
        boolean look = pauseWindows == MAX_PAUSE_WINDOWS && random.nextDouble() < RANDOM_PART;
        double minNanos = look ? 0 : LONGER_THAN_WASTEFUL * wastefulNanos;
        // A longer linger has a higher score, so that the longest one that keeps the budget is the best.
        BatchSetting longest = new BatchSetting(inForce.maxEvents(), (long) maxNanos);
        boolean longer = feasible
                && settings.objective() == Objective.EFFICIENCY
                && maxNanos > inForce.lingerNanos()
                && maxNanos <= SHORT_OF_BREAKING * breakingNanos
                && !longest.isLike(inForce);
        return Stream.generate(() -> longer && random.nextBoolean() ? longest : draw(inForce, maxNanos, boundByEvents))
                .limit(MAX_DRAWS)
                .filter(setting -> setting.lingerNanos() >= Math.min(minNanos, (double) inForce.lingerNanos())
                        && !setting.isLike(inForce))
                .findFirst();
    }

    private BatchSetting draw(BatchSetting inForce, double maxNanos, boolean boundByEvents) {
        int maxEvents = inForce.maxEvents();
        if (boundByEvents && random.nextBoolean()) {
            return new BatchSetting(events(maxEvents * (random.nextBoolean() ? 2 : 0.5)), inForce.lingerNanos());
        }
        double lingerNanos = random.nextDouble() < RANDOM_PART ? anywhere(maxNanos) : near(inForce);
        return new BatchSetting(maxEvents, (long) Math.max(MIN_LINGER_NANOS, Math.min(maxNanos, lingerNanos)));
    }

    /**
     * The longest linger that may keep the budget. A linger that together with the tail of the delays fits into the
     * margin certainly keeps it. But a short linger itself causes part of that tail, because its many transactions
     * delay each other. So a linger that fits together with the median is tried too, until it was seen to break the
     * budget.
     */
    private double boundNanos(Observation seen, double costNanos, double breakingNanos) {
        double usableNanos = settings.control().margin().usableNanos(budgetNanos);
        return Math.max(
                usableNanos - costNanos, Math.min(usableNanos - medianNanos(seen), SHORT_OF_BREAKING * breakingNanos));
    }

    /**
     * The linger that keeps the budget with the delays that were seen, or 0 if they alone break it. With it the linger
     * in force was the cause, and not the broker. Below the floor a linger saves no latency.
     */
    private double fittingNanos(double costNanos) {
        Margin margin = settings.control().margin();
        double leftNanos = margin.usableNanos(budgetNanos) - costNanos;
        return leftNanos <= 0 ? 0 : Math.max(leftNanos, (double) margin.floorNanos(budgetNanos));
    }

    /** The median of the delays. */
    private static double medianNanos(Observation seen) {
        return Math.max((double) seen.ackP50Nanos() - seen.setting().lingerNanos(), commitNanos(seen));
    }

    private static double commitNanos(Observation seen) {
        return (double) seen.busyNanos() / Math.max(1, seen.batches());
    }

    private static DoubleStream firstLingers(boolean feasible, boolean alone, double maxNanos, Observation seen) {
        if (feasible) {
            return DoubleStream.of(maxNanos, maxNanos / 2, maxNanos / 4, maxNanos / 16);
        }
        if (alone) {
            return DoubleStream.of(MIN_LINGER_NANOS);
        }
        // No linger keeps the budget. With a linger of one commit, transactions follow each other immediately. A longer
        // linger leaves a gap between them.
        double commitNanos = Math.max(MIN_LINGER_NANOS, commitNanos(seen));
        return DoubleStream.of(1.5 * commitNanos, commitNanos, 2.5 * commitNanos);
    }

    private double anywhere(double maxNanos) {
        double minNanos = Math.max(MIN_LINGER_NANOS, maxNanos / 50);
        return minNanos * Math.pow(maxNanos / minNanos, random.nextDouble());
    }

    private double near(BatchSetting inForce) {
        double step = MIN_STEP + (MAX_STEP - MIN_STEP) * random.nextDouble();
        return Math.max(MIN_LINGER_NANOS, (double) inForce.lingerNanos())
                * Math.exp(random.nextBoolean() ? step : -step);
    }

    private int events(double wanted) {
        return (int) Math.min(settings.control().maxEvents(), Math.max(MIN_EVENTS, wanted));
    }
}
