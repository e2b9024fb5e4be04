package io.microbatch.connect.learning;

import io.microbatch.connect.pressure.Objective;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Chooses the best of the measured settings. A setting is feasible if its p99 is within the budget. Immutable.
 *
 * @param objective what is preferred among feasible settings
 * @param budgetNanos the latency budget, nanoseconds
 */
record Preference(Objective objective, long budgetNanos) {

    /** Settings within 5 % of the best score or cost are equally good. The one with the shortest linger is taken. */
    private static final double TIE = 0.95;

    /** The costs of a shorter linger that replaces the current one differ by no more than half of a tie. */
    private static final double CLOSE_TIE = 0.975;

    /** Where the p99 decides, p99s that are this close count as equal. */
    private static final double NEARER = 0.88;

    /** The factor by which a stall of the machine may lengthen the p99 of a window. */
    private static final double STALL = 1.5;

    /** More than a single disturbed window can cause. */
    private static final double WASTE = 1.5;

    /** The minimum ratio of service rate and arrival rate for {@link Objective#LATENCY}: a busier task has queues. */
    static final double ROOM = 1.5;

    /** A difference of p99 or score that noise of one window hardly causes. */
    static final double CLEAR_GAIN = 1.2;

    /**
     * The number of events that cost worker and broker as much CPU as a transaction. It decides between settings whose
     * scores differ by no more than noise.
     */
    private static final double EVENTS_PER_TRANSACTION = 200;

    /**
     * The load of the best setting in its last window.
     *
     * @param share arrival rate divided by service rate
     * @param transactionsPerEvent transactions divided by events; 0 in at-least-once mode
     */
    record Load(double share, double transactionsPerEvent) {

        static Load of(Observation window) {
            return new Load(
                    window.ratePerSec() / Math.max(1e-9, window.serviceRatePerSec()),
                    (double) window.transactions() / Math.max(1, window.events()));
        }

        /** The same with so many times the transactions. */
        Load withTransactions(double factor) {
            return new Load(share, transactionsPerEvent * factor);
        }
    }

    boolean isFeasible(SettingTrack track) {
        return isWithin(track.p99Nanos());
    }

    boolean isWithin(double p99Nanos) {
        return p99Nanos <= budgetNanos;
    }

    /** Whether it broke the budget by no more than one stalled window of a feasible setting may. */
    boolean isNearlyFeasible(SettingTrack track) {
        return !isFeasible(track) && track.p99Nanos() <= STALL * budgetNanos;
    }

    /**
     * The best of the tracks.
     *
     * @param current the best so far, which stays unless another is better by more than noise
     * @param load the load of the best so far
     */
    SettingTrack choose(Collection<SettingTrack> tracks, SettingTrack current, Load load) {
        List<SettingTrack> feasible = tracks.stream().filter(this::isFeasible).toList();
        if (feasible.isEmpty()) {
            return fastest(tracks, current);
        }
        double minScore = ROOM * load.share() * current.score();
        if (objective == Objective.LATENCY && feasible.stream().anyMatch(track -> track.score() >= minScore)) {
            return fastest(
                    feasible.stream().filter(track -> track.score() >= minScore).toList(), current);
        }
        SettingTrack chosen = efficient(feasible, current, load);
        boolean asGood = isFeasible(current)
                && chosen.setting().lingerNanos() > 0.9 * current.setting().lingerNanos()
                && current.score() >= TIE * chosen.score()
                && TIE * cost(current, current, load) <= cost(chosen, current, load);
        return asGood || isShorterByATie(chosen, current, load) ? current : chosen;
    }

    /**
     * Whether a shorter linger is as good as the current one by the rate of this window only. At another rate within
     * the same level it may not be, and the best would change from window to window.
     */
    private boolean isShorterByATie(SettingTrack chosen, SettingTrack current, Load load) {
        return isFeasible(current)
                && chosen.setting().lingerNanos() < current.setting().lingerNanos()
                && current.score() >= TIE * chosen.score()
                && CLOSE_TIE * cost(chosen, current, load) > cost(current, current, load);
    }

    /**
     * The CPU that an event costs worker and broker with a setting, relative to that of an event without a transaction.
     * A score is the time in which a task waits for its commits too, and scatters by a fifth from window to window. The
     * number of transactions does not scatter.
     */
    private static double cost(SettingTrack track, SettingTrack current, Load load) {
        double perEvent = load.transactionsPerEvent() * track.transactionsPerEvent() / current.transactionsPerEvent();
        return 1 + EVENTS_PER_TRANSACTION * perEvent;
    }

    /** Whether a setting promises a fifth more service rate than the best so far, or a fifth less cost. */
    boolean promises(SettingTrack track, SettingTrack best, Load load) {
        return track.score() > CLEAR_GAIN * best.score()
                || CLEAR_GAIN * cost(track, best, load) < cost(best, best, load);
    }

    /** Whether one trial is enough to prefer it to the best so far. */
    boolean isClearlyBetter(SettingTrack track, SettingTrack best, Load load) {
        boolean faster = track.p99Nanos() * CLEAR_GAIN < best.p99Nanos();
        boolean costlier =
                objective == Objective.EFFICIENCY && CLOSE_TIE * cost(track, best, load) > cost(best, best, load);
        boolean cheaper = track.score() > CLEAR_GAIN * best.score() && !costlier;
        if (!isFeasible(best)) {
            // One disturbed window makes the best infeasible. A linger that costs half as much again must not follow
            // from one trial.
            boolean costly = objective == Objective.EFFICIENCY && isWasteful(track, best);
            return (faster && !costly) || (cheaper && track.p99Nanos() <= best.p99Nanos());
        }
        return isFeasible(track) && (objective == Objective.LATENCY ? faster : cheaper);
    }

    /**
     * Whether a shorter linger than this one is certainly worse than the best. With {@link Objective#EFFICIENCY} it has
     * more transactions, each of which costs. With {@link Objective#LATENCY} more of its transactions delay each other.
     */
    boolean isWasteful(SettingTrack track, SettingTrack best) {
        return objective == Objective.LATENCY
                ? track.p99Nanos() > WASTE * best.p99Nanos()
                : WASTE * track.score() < best.score();
    }

    /**
     * The lowest p99. Among those that are close to it the highest score: a transaction that backs off may take as long
     * as a linger that avoids it, but costs the task far more.
     */
    private static SettingTrack fastest(Collection<SettingTrack> tracks, SettingTrack current) {
        double minNanos =
                tracks.stream().mapToDouble(SettingTrack::p99Nanos).min().orElse(current.p99Nanos());
        SettingTrack chosen = tracks.stream()
                .filter(track -> NEARER * track.p99Nanos() <= minNanos)
                .max(Comparator.comparingDouble(SettingTrack::score))
                .orElse(current);
        boolean asGood = NEARER * current.p99Nanos() <= minNanos && current.score() >= NEARER * chosen.score();
        return asGood ? current : chosen;
    }

    /**
     * The shortest linger among the settings that are as good as the best. Fewer transactions excuse a lower score that
     * noise may have caused, unless the task would be nearly saturated.
     */
    private static SettingTrack efficient(List<SettingTrack> feasible, SettingTrack current, Load load) {
        SettingTrack peak = feasible.stream()
                .max(Comparator.comparingDouble(SettingTrack::score))
                .orElseThrow();
        double peakCost = cost(peak, current, load);
        List<SettingTrack> fast = feasible.stream()
                .filter(track -> track.score() >= TIE * peak.score()
                        || (CLEAR_GAIN * track.score() >= peak.score()
                                && track.score() >= ROOM * load.share() * current.score()
                                && cost(track, current, load) < TIE * peakCost))
                .toList();
        double minCost = fast.stream()
                .mapToDouble(track -> cost(track, current, load))
                .min()
                .orElse(peakCost);
        return fast.stream()
                .filter(track -> TIE * cost(track, current, load) <= minCost)
                .min(Comparator.comparingLong(track -> track.setting().lingerNanos()))
                .orElse(peak);
    }
}
