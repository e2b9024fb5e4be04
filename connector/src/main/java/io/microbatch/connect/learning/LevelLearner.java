package io.microbatch.connect.learning;

import io.microbatch.connect.control.BatchTarget;
import io.microbatch.connect.pressure.BatchSetting;
import io.microbatch.connect.pressure.Objective;
import io.microbatch.connect.pressure.PressureLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Learns one level: a window of the best setting, a window of a trial, a window of the best again, then a verdict.
 * Calibration thread.
 *
 * <p>A score is a service rate relative to the best setting's at the same time. All settings that were tried keep their
 * scores in one table, so that many small steps within the tie of 5 % cannot add up to a large one.
 */
final class LevelLearner {

    private static final int MAX_TRACKS = 24;
    private static final int MIN_BATCHES = 3;
    /**
     * The maximum time between the ends of two comparable windows, in whole windows: later, the machine may have
     * changed.
     */
    private static final double MAX_APART_WINDOWS = 2.7;
    /**
     * After so many windows of the best setting, a linger that broke the budget may be tried again. The cause may have
     * been a start or a disturbance, and one window of many hardly moves a p99.
     */
    private static final long MAX_WINDOWS_BROKEN = 60;

    /**
     * The windows of the best setting that the first trials of a level take, some of them repeated. An earlier run with
     * fewer has not explored the level.
     */
    private static final int MIN_EXPLORED_WINDOWS = 10;

    /**
     * If the p99s before and after a trial differ by more than this factor, the machine or the load has changed in
     * between. A task that has just started may be behind its upstream, so that its p99 is that of a queue.
     */
    private static final long MAX_CHANGE = 2;

    /** Learning starts from older results too, but expects nothing of them any more. */
    private static final long AGED_MS = 7 * 86_400_000L;

    private final PressureLevel level;
    private final Preference preference;
    private final Explorer explorer;
    private final WindowLength length;
    private final int maxEvents;
    private final Supplier<BatchSetting> first;

    /** The first setting that was last put in force. Null before that. */
    private BatchSetting begunWith;

    private final List<SettingTrack> tracks = new ArrayList<>();

    private Expectation expectation = new Expectation();
    private SettingTrack best;
    private BatchSetting trial;
    private Observation before;
    private SettingTrack bestBefore;
    private Observation tried;
    private Observation last;
    private long observations;
    private long regressions;
    private boolean regressed;
    private long explorations;
    private long resumedFromEpochMs = Long.MAX_VALUE;

    LevelLearner(PressureLevel level, LearnerSettings settings, Supplier<BatchSetting> first, RandomGenerator random) {
        long budgetNanos = settings.control().budgetNanos(level);
        this.level = level;
        this.preference = new Preference(settings.objective(), budgetNanos);
        this.explorer = new Explorer(settings, budgetNanos, random);
        this.length = new WindowLength(settings.windowMs());
        this.maxEvents = settings.control().maxEvents();
        this.first = first;
    }

    /** Continues where an earlier run ended, unless this run has already learned something. */
    void resume(LevelBest known) {
        if (best != null) {
            return;
        }
        best = new SettingTrack(known.setting().atMost(maxEvents)).placedAt(1, known.ackP99Nanos());
        tracks.add(best);
        expectation = new Expectation(known.expectedPerSec(), known.arrivalsPerSec());
        observations = known.observations();
        regressions = known.regressions();
        resumedFromEpochMs = known.updatedEpochMs();
        if (observations >= MIN_EXPLORED_WINDOWS) {
            explorer.resume();
        }
    }

    /** The target to put in force now. */
    BatchTarget target() {
        if (trial != null) {
            return new BatchTarget(trial, true, !isFeasible(), explorer.isExploring(), false);
        }
        if (best == null) {
            begunWith = initial();
            return BatchTarget.first(begunWith, explorer.isExploring());
        }
        return new BatchTarget(best.setting(), false, !isFeasible(), explorer.isExploring(), false);
    }

    private BatchSetting initial() {
        return first.get().atMost(maxEvents);
    }

    long explorations() {
        return explorations;
    }

    /** Whether the last window made a regression certain. */
    boolean hasRegressed() {
        return regressed;
    }

    /** Another level is in force: a pending trial would be stale when the level returns. */
    void left() {
        trial = null;
        tried = null;
        before = null;
    }

    private boolean isFeasible() {
        return best == null || preference.isFeasible(best);
    }

    /** Takes the next window, in order of time. Returns the best setting if it changed or was confirmed. */
    Optional<LevelBest> learn(Observation window) {
        // If the events have changed their size, the window is one of another first setting.
        boolean same = best != null || begunWith == null || begunWith.equals(initial());
        boolean steady = same && isSteady(window);
        explorer.observed();
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
            // The next trial may be thirty windows away.
            reconsider(window);
        }
        before = window;
        bestBefore = observed;
        // A best setting that begins to keep the budget needs no other one yet.
        boolean recovering = !isFeasible() && preference.isWithin((double) window.ackP99Nanos());
        if (trial == null && !recovering && explorer.windowEnded()) {
            trial = doubtful().map(SettingTrack::setting).orElseGet(() -> unknown(window));
            explorations += trial == null ? 0 : 1;
        }
        return Optional.of(news(window, observed));
    }

    /** Takes a window of a task that starts. Only the next one may need it as its predecessor. */
    void skip(Observation window) {
        last = window;
        regressed = false;
    }

    private boolean isSteady(Observation window) {
        return length.isEnough(window.windowMs(), window.batches(), explorer.isExploring())
                && window.batches() >= MIN_BATCHES
                // Without an acknowledgement the latency is unknown.
                && window.ackP99Nanos() > 0
                && last != null
                && window.windowEndEpochMs() - last.windowEndEpochMs() <= MAX_APART_WINDOWS * length.wholeMs()
                && Expectation.sameRate(window.ratePerSec(), last.ratePerSec());
    }

    /** A setting that was not tried lately, or null if there is none. */
    private BatchSetting unknown(Observation window) {
        BatchSetting setting = best.setting();
        long appliedNanos = window.setting().lingerNanos();
        BatchSetting inForce = best == bestBefore && appliedNanos < setting.lingerNanos()
                ? new BatchSetting(setting.maxEvents(), appliedNanos)
                : setting;
        return explorer.next(inForce, window, isFeasible(), breakingNanos(), wastefulNanos())
                .orElseGet(() -> {
                    explorer.failed();
                    return null;
                });
    }

    /**
     * Nothing shorter than a linger that was clearly worse than a longer one needs a trial: it would make many more
     * transactions for a window, and teach nothing.
     */
    private double wastefulNanos() {
        if (!isFeasible()) {
            return 0;
        }
        return tracks.stream()
                .filter(track -> track.setting().lingerNanos() < best.setting().lingerNanos()
                        && track.setting().maxEvents() >= best.setting().maxEvents()
                        && preference.isWasteful(track, best))
                .mapToDouble(track -> track.setting().lingerNanos())
                .max()
                .orElse(0);
    }

    private double breakingNanos() {
        return tracks.stream()
                .filter(track -> track.trials() != 1 && !preference.isFeasible(track))
                .filter(track -> observations - track.notedAt() <= MAX_WINDOWS_BROKEN)
                .mapToDouble(track -> track.setting().lingerNanos())
                .min()
                .orElse(Double.POSITIVE_INFINITY);
    }

    private void noteTrial(Observation window, boolean steady) {
        if (trial != null && steady && before != null && TrialCheck.isAsAsked(trial, window)) {
            tried = window;
        } else if (trial != null) {
            explorer.failed();
        }
        if (trial != null && steady) {
            BatchSetting asked = trial;
            // A setting that cannot be applied now must not be tried again and again.
            tracks.removeIf(track -> track != best
                    && track.trials() == 1
                    && track.setting().isLike(asked)
                    && !track.setting().isLike(window.setting()));
        }
        trial = null;
    }

    private void noteBest(Observation window) {
        observations++;
        if (best == null) {
            best = new SettingTrack(initial()).notedAt(observations).placedAt(1, window.ackP99Nanos());
            tracks.add(best);
        } else {
            best.notedAt(observations).confirmed(window.ackP99Nanos());
        }
        if (window.windowEndEpochMs() - resumedFromEpochMs > AGED_MS) {
            expectation.forget();
            explorer.restart();
        }
        resumedFromEpochMs = Long.MAX_VALUE;
        boolean whole = length.isEnough(window.windowMs(), window.batches(), false);
        Expectation.Change change = expectation.check(window.serviceRatePerSec(), window.ratePerSec(), whole);
        regressed = change == Expectation.Change.FELL;
        regressions += regressed ? 1 : 0;
        if (change != Expectation.Change.NONE) {
            // Neither scores nor latencies from before the change hold any more.
            best = new SettingTrack(best.setting()).notedAt(observations).placedAt(1, window.ackP99Nanos());
            tracks.clear();
            tracks.add(best);
            tried = null;
            explorer.restart();
        }
    }

    private void judge(Observation after) {
        // If another setting was the best in the window before, that window says nothing about this best.
        Observation earlier = bestBefore == best ? before : after;
        boolean differs = !TrialCheck.isWithoutLinger(tried, earlier, after);
        // Where no setting keeps the budget the p99 decides, and the trial's may be that of any time between the two.
        if (differs && (isFeasible() || !haveChanged(earlier.ackP99Nanos(), after.ackP99Nanos()))) {
            double ratio = ratio(tried.serviceRatePerSec(), earlier.serviceRatePerSec(), after.serviceRatePerSec());
            trackOf(tried.setting())
                    .notedAt(observations)
                    .tried(
                            best.score() * ratio,
                            best.transactionsPerEvent() * transactions(tried, earlier, after),
                            tried.ackP99Nanos());
        }
        tried = null;
        if (!reconsider(after)) {
            explorer.failed();
        }
    }

    private static boolean haveChanged(long beforeNanos, long afterNanos) {
        return Math.max(beforeNanos, afterNanos) > MAX_CHANGE * Math.min(beforeNanos, afterNanos);
    }

    /** Whether another measured setting is preferred now. It then becomes the best. */
    private boolean reconsider(Observation window) {
        Preference.Load load = Preference.Load.of(window);
        List<SettingTrack> sure =
                tracks.stream().filter(track -> isSure(track, load)).toList();
        SettingTrack chosen = preference.choose(sure, best, load);
        if (chosen == best) {
            return false;
        }
        best = chosen;
        expectation.forget();
        explorer.succeeded();
        return true;
    }

    /**
     * The trial relative to the nearer of its neighbours. It is 1 if it lies between them, which means no difference.
     */
    private static double ratio(double trial, double before, double after) {
        double nearer = Math.max(Math.min(before, after), Math.min(Math.max(before, after), trial));
        return trial / Math.max(1e-9, nearer);
    }

    /**
     * The transactions per event of the trial relative to those of its neighbours. 1 where they differ by no more than
     * one transaction, which is in one window or the next by chance.
     */
    private static double transactions(Observation trial, Observation before, Observation after) {
        double usual = (double) (before.transactions() + after.transactions())
                / Math.max(1, before.events() + after.events())
                * trial.events();
        boolean differ = usual > 0 && Math.abs(trial.transactions() - usual) > 1;
        return differ ? Math.max(1, trial.transactions()) / usual : 1;
    }

    private SettingTrack trackOf(BatchSetting setting) {
        for (SettingTrack track : tracks) {
            if (track != best && track.setting().isLike(setting)) {
                return track;
            }
        }
        if (tracks.size() >= MAX_TRACKS) {
            tracks.remove(tracks.get(0) == best ? 1 : 0);
        }
        SettingTrack track = new SettingTrack(setting);
        tracks.add(track);
        return track;
    }

    /** One trial is enough for a clear result. A result that noise could have caused needs two. */
    private boolean isSure(SettingTrack track, Preference.Load load) {
        return track == best || track.trials() != 1 || preference.isClearlyBetter(track, best, load);
    }

    /** A setting that would be the best if its only trial was right, or if a stall spoiled its only trial. */
    private Optional<SettingTrack> doubtful() {
        // The window before may be one of the best setting until then.
        double transactions = best.transactionsPerEvent() / bestBefore.transactionsPerEvent();
        Preference.Load load = Preference.Load.of(before).withTransactions(transactions);
        SettingTrack chosen = preference.choose(tracks, best, load);
        if (chosen == best) {
            return tracks.stream().filter(track -> maybeStalled(track, load)).findFirst();
        }
        return chosen.trials() != 1 ? Optional.empty() : Optional.of(chosen);
    }

    private boolean maybeStalled(SettingTrack track, Preference.Load load) {
        return isFeasible()
                && track.trials() == 1
                && preference.isNearlyFeasible(track)
                && preference.objective() == Objective.EFFICIENCY
                && preference.promises(track, best, load);
    }

    private LevelBest news(Observation window, SettingTrack observed) {
        return new LevelBest(
                level,
                best.setting(),
                window.serviceRatePerSec() * best.score() / observed.score(),
                expectation.perSec(),
                expectation.arrivalsPerSec(),
                (long) best.p99Nanos(),
                observations,
                window.windowEndEpochMs(),
                regressions);
    }
}
