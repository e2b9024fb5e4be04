package io.microbatch.connect.learning;

import io.microbatch.connect.calibration.LevelBest;
import io.microbatch.connect.calibration.Observation;
import io.microbatch.connect.control.BatchTarget;
import io.microbatch.connect.pressure.PressureLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Learns one level: window of the best, window of a trial, window of the best again, verdict. Calibration thread.
 *
 * <p>Scores are capacities against the best setting's at the same time. They form a table in which every setting that
 * was tried has its place, so that many small steps within the tie of 5 % cannot add up to a large one.
 */
final class LevelLearner {

    private static final int MOST_TRACKS = 24;
    private static final int LEAST_BATCHES = 3;
    private static final double WHOLE_WINDOW = 0.9;
    /** How many windows two of a level may be apart, ends of both counted, to have seen the same machine. */
    private static final double NEIGHBOURS = 3;
    /** How far the linger of a trial may be from what was asked, before it is no trial of it. */
    private static final double AS_ASKED = 1.3;

    private static final double CLEAR_GAIN = 1.2;

    /** What was learned longer ago is where learning begins, but nothing is expected of it any more. */
    private static final long AGED_MS = 7 * 86_400_000L;

    private final PressureLevel level;
    private final Preference preference;
    private final Explorer explorer;
    private final double wholeWindowMs;
    private final int maxEvents;
    private final Setting initial;
    private final List<SettingTrack> tracks = new ArrayList<>();

    private Expectation expectation = new Expectation();
    private SettingTrack best;
    private Setting trial;
    private Observation before;
    private SettingTrack bestBefore;
    private Observation tried;
    private Observation last;
    private long observations;
    private long regressions;
    private boolean regressed;
    private long explorations;
    private long resumedOfEpochMs = Long.MAX_VALUE;

    LevelLearner(PressureLevel level, LearnerSettings settings, BatchTarget bootstrap, RandomGenerator random) {
        int budgetMs = settings.control().budgetMs(level);
        this.level = level;
        this.preference = new Preference(settings.objective(), budgetMs);
        this.explorer = new Explorer(settings, budgetMs, random);
        this.wholeWindowMs = WHOLE_WINDOW * settings.windowMs();
        this.maxEvents = settings.control().maxEvents();
        this.initial = new Setting(Math.min(maxEvents, bootstrap.batchTargetEvents()), bootstrap.lingerNanos() / 1e6);
    }

    /** Goes on where an earlier run ended; unless this one has learned something since, which is younger. */
    void resume(LevelBest known) {
        if (best != null) {
            return;
        }
        Setting setting = new Setting(Math.min(maxEvents, known.batchTargetEvents()), known.lingerMs());
        best = new SettingTrack(setting).placedAt(1, known.ackP99Ms());
        tracks.add(best);
        expectation = new Expectation(known.expectedThroughputPerSec(), known.arrivalsPerSec());
        observations = known.observations();
        regressions = known.regressions();
        resumedOfEpochMs = known.updatedEpochMs();
        explorer.resume();
    }

    /** What is to be in force now. */
    BatchTarget target() {
        if (trial != null) {
            return trial.target(true, !isFeasible());
        }
        return (best == null ? initial : best.setting()).target(false, best != null && !isFeasible());
    }

    long explorations() {
        return explorations;
    }

    long regressions() {
        return regressions;
    }

    /** Whether the last window made a regression certain. */
    boolean hasRegressed() {
        return regressed;
    }

    /** Another level is in force: a trial left behind would meet whoever comes back, and be compared with other times. */
    void left() {
        trial = null;
        tried = null;
        before = null;
    }

    private boolean isFeasible() {
        return best == null || preference.isFeasible(best);
    }

    /** The next window of this level, in order of time; answers the best if there is news of it. */
    Optional<LevelBest> learn(Observation window) {
        boolean steady = isSteady(window);
        last = window;
        regressed = false;
        if (window.explored()) {
            noteTrial(window, steady);
            return Optional.empty();
        }
        if (!steady) {
            tried = null;
            before = null;
            return Optional.empty();
        }
        noteBest(window);
        SettingTrack observed = best;
        if (tried != null) {
            judge(window);
        } else if (!isFeasible()) {
            // Not only at the next trial, which may be thirty windows away.
            reconsider(window);
        }
        before = window;
        bestBefore = observed;
        if (trial == null && explorer.isTime()) {
            trial = doubtful().map(SettingTrack::setting).orElseGet(() -> unknown(window));
            explorations += trial == null ? 0 : 1;
        }
        return Optional.of(news(window, observed));
    }

    private boolean isSteady(Observation window) {
        return window.windowMs() >= wholeWindowMs
                && window.batches() >= LEAST_BATCHES
                // Without an acknowledgement there is no latency to speak of.
                && window.ackP99Ms() > 0
                && last != null
                && window.windowEndEpochMs() - last.windowEndEpochMs() <= NEIGHBOURS * wholeWindowMs
                && Expectation.sameRate(ratePerSec(window), ratePerSec(last));
    }

    /** Something that was not tried lately; null if there is nothing. */
    private Setting unknown(Observation window) {
        Setting setting = best.setting();
        double lingerMs = best == bestBefore ? Math.min(setting.lingerMs(), window.lingerMs()) : setting.lingerMs();
        Setting inForce = new Setting(setting.batchTargetEvents(), lingerMs);
        return explorer.next(inForce, window, isFeasible(), breakingMs()).orElseGet(() -> {
            explorer.failed();
            return null;
        });
    }

    private double breakingMs() {
        return tracks.stream()
                .filter(track -> track.trials() != 1 && !preference.isFeasible(track))
                .mapToDouble(track -> track.setting().lingerMs())
                .min()
                .orElse(Double.POSITIVE_INFINITY);
    }

    private static double ratePerSec(Observation window) {
        return window.events() * 1_000.0 / window.windowMs();
    }

    private void noteTrial(Observation window, boolean steady) {
        if (trial != null && steady && before != null && isAsAsked(window)) {
            tried = window;
        } else if (trial != null) {
            explorer.failed();
            Setting asked = trial;
            // What cannot be had now must not be asked for again and again.
            tracks.removeIf(track -> steady
                    && track != best
                    && track.trials() == 1
                    && track.setting().isLike(asked));
        }
        trial = null;
    }

    private boolean isAsAsked(Observation window) {
        double asked = trial.lingerMs() + 0.1;
        double applied = window.lingerMs() + 0.1;
        return Math.max(asked, applied) <= AS_ASKED * Math.min(asked, applied)
                || window.events() >= window.batches() * (long) trial.batchTargetEvents();
    }

    private void noteBest(Observation window) {
        observations++;
        if (best == null) {
            best = new SettingTrack(initial).placedAt(1, window.ackP99Ms());
            tracks.add(best);
        } else {
            best.confirmed(window.ackP99Ms());
        }
        if (window.windowEndEpochMs() - resumedOfEpochMs > AGED_MS) {
            expectation.forget();
            explorer.restart();
        }
        resumedOfEpochMs = Long.MAX_VALUE;
        Expectation.Change change = expectation.check(window.capacityPerSec(), ratePerSec(window));
        regressed = change == Expectation.Change.FELL;
        regressions += regressed ? 1 : 0;
        if (change != Expectation.Change.NONE) {
            // Latencies of before the change say as little as scores do.
            best = new SettingTrack(best.setting()).placedAt(1, window.ackP99Ms());
            tracks.clear();
            tracks.add(best);
            tried = null;
            explorer.restart();
        }
    }

    private void judge(Observation after) {
        // A window of what was the best before this one says nothing about this one.
        double earlier = bestBefore == best ? before.capacityPerSec() : after.capacityPerSec();
        double score = best.score() * ratio(tried.capacityPerSec(), earlier, after.capacityPerSec());
        Setting setting = new Setting(tried.batchTargetEvents(), tried.lingerMs());
        SettingTrack track = trackOf(setting);
        track.tried(score, tried.ackP99Ms());
        tried = null;
        if (!reconsider(after)) {
            explorer.failed();
        }
    }

    /** Whether another of the settings that were seen is preferred by now; it is the best from then on. */
    private boolean reconsider(Observation window) {
        double loadShare = ratePerSec(window) / Math.max(1e-9, window.capacityPerSec());
        List<SettingTrack> sure = tracks.stream().filter(this::isSure).toList();
        SettingTrack chosen = preference.choose(sure, best, loadShare);
        if (chosen == best) {
            return false;
        }
        best = chosen;
        expectation.forget();
        explorer.succeeded();
        return true;
    }

    /** Against the nearer of the two: what lies between them is no different from them. */
    private static double ratio(double trial, double before, double after) {
        double nearer = Math.max(Math.min(before, after), Math.min(Math.max(before, after), trial));
        return trial / Math.max(1e-9, nearer);
    }

    private SettingTrack trackOf(Setting setting) {
        for (SettingTrack track : tracks) {
            if (track != best && track.setting().isLike(setting)) {
                return track;
            }
        }
        if (tracks.size() >= MOST_TRACKS) {
            tracks.remove(tracks.get(0) == best ? 1 : 0);
        }
        SettingTrack track = new SettingTrack(setting);
        tracks.add(track);
        return track;
    }

    /** One trial is enough for what is clear, two are needed for what noise could have done. */
    private boolean isSure(SettingTrack track) {
        boolean clear = isFeasible()
                ? preference.isFeasible(track) && track.score() > CLEAR_GAIN * best.score()
                : track.p99Ms() * CLEAR_GAIN < best.p99Ms()
                        || (track.p99Ms() <= best.p99Ms() && track.score() > CLEAR_GAIN * best.score());
        return track == best || track.trials() != 1 || clear;
    }

    /** A setting that would be the best if its only trial can be believed, or if it was bad luck. */
    private Optional<SettingTrack> doubtful() {
        double loadShare = ratePerSec(before) / Math.max(1e-9, before.capacityPerSec());
        SettingTrack chosen = preference.choose(tracks, best, loadShare);
        if (chosen == best) {
            return tracks.stream().filter(this::maybeUnlucky).findFirst();
        }
        return chosen.trials() != 1 ? Optional.empty() : Optional.of(chosen);
    }

    private boolean maybeUnlucky(SettingTrack track) {
        return isFeasible()
                && track.trials() == 1
                && preference.isNearlyFeasible(track)
                && preference.objective() == BatchObjective.EFFICIENCY
                && track.score() > CLEAR_GAIN * best.score();
    }

    private LevelBest news(Observation window, SettingTrack observed) {
        return new LevelBest(
                level,
                best.setting().batchTargetEvents(),
                best.setting().lingerMs(),
                window.capacityPerSec() * best.score() / observed.score(),
                expectation.perSec(),
                expectation.arrivalsPerSec(),
                best.p99Ms(),
                observations,
                window.windowEndEpochMs(),
                regressions);
    }
}
