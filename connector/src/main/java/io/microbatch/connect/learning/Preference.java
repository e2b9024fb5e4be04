package io.microbatch.connect.learning;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Which of the settings seen is the best. Feasible means p99 within the budget. Stateless but for what it was made of.
 *
 * @param objective what is preferred among feasible settings
 * @param budgetMs the latency budget, milliseconds
 */
record Preference(BatchObjective objective, double budgetMs) {

    /** Settings within 5 % of the best score are as good as it, and the one that waits least is taken. */
    static final double TIE = 0.95;

    /** Infeasible settings so near to each other are as near to the budget, and capacity decides. */
    private static final double NEARER = 0.88;

    /** What a stall of the machine can do to the p99 of a window. */
    private static final double BAD_LUCK = 1.5;

    /** How much larger than the load a capacity is to be for {@link BatchObjective#LATENCY}. */
    static final double ROOM = 4;

    boolean isFeasible(SettingTrack track) {
        return track.p99Ms() <= budgetMs;
    }

    /** Whether it broke the budget by no more than one bad window of a feasible setting may. */
    boolean isNearlyFeasible(SettingTrack track) {
        return !isFeasible(track) && track.p99Ms() <= BAD_LUCK * budgetMs;
    }

    /**
     * The best of the tracks.
     *
     * @param current the best so far, which stays unless another is better by more than noise
     * @param loadShare arrival rate divided by the current best's capacity
     */
    SettingTrack choose(Collection<SettingTrack> tracks, SettingTrack current, double loadShare) {
        List<SettingTrack> feasible = tracks.stream().filter(this::isFeasible).toList();
        if (feasible.isEmpty()) {
            return nearest(tracks, current);
        }
        SettingTrack chosen = objective == BatchObjective.LATENCY
                ? withRoom(feasible, ROOM * loadShare * current.score()).orElseGet(() -> efficient(feasible))
                : efficient(feasible);
        boolean asGood = isFeasible(current)
                && chosen.setting().lingerMs() > 0.9 * current.setting().lingerMs()
                && current.score() >= TIE * chosen.score();
        return asGood ? current : chosen;
    }

    /** A transaction that backs off may take as long as a wait that avoids it, but it costs the task far more. */
    private static SettingTrack nearest(Collection<SettingTrack> tracks, SettingTrack current) {
        double leastMs = tracks.stream().mapToDouble(SettingTrack::p99Ms).min().orElse(current.p99Ms());
        SettingTrack chosen = tracks.stream()
                .filter(track -> NEARER * track.p99Ms() <= leastMs)
                .max(Comparator.comparingDouble(SettingTrack::score))
                .orElse(current);
        boolean asGood = NEARER * current.p99Ms() <= leastMs && current.score() >= NEARER * chosen.score();
        return asGood ? current : chosen;
    }

    private static SettingTrack efficient(List<SettingTrack> feasible) {
        double peak = feasible.stream().mapToDouble(SettingTrack::score).max().orElseThrow();
        return withRoom(feasible, TIE * peak).orElseThrow();
    }

    /** The shortest linger of those that have at least this score. */
    private static Optional<SettingTrack> withRoom(List<SettingTrack> feasible, double leastScore) {
        return feasible.stream()
                .filter(track -> track.score() >= leastScore)
                .min(Comparator.comparingDouble(track -> track.setting().lingerMs()));
    }
}
