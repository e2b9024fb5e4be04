package io.microbatch.connect.control;

import io.microbatch.connect.pressure.ArrivalGauge;
import io.microbatch.connect.pressure.BatchSetting;
import io.microbatch.connect.pressure.LevelSelector;
import io.microbatch.connect.pressure.PressureLevel;

/**
 * The fast loop: selects the pressure level by the smoothed rate, takes the level's target, and fits it to the latency
 * budget by the current acknowledgement delays. Task thread; nanoseconds.
 *
 * <p>Numbered comments name the rules, which {@code docs/control.md} explains.
 */
public final class AdaptiveController implements Controller {

    /** The maximum pacing where no linger keeps the budget. Overlapping transactions are then worse than a delay. */
    private static final long MAX_PACING_NANOS = 250_000_000;

    /** The maximum duration of a transaction: a small part of the minute after which a broker aborts it by default. */
    private static final long MAX_COMMIT_NANOS = 5_000_000_000L;

    /** A batch may have this number of events even with a slow broker. */
    private static final int MIN_EVENTS = 100;

    /** The part of the maximum duration that a smaller transaction aims at, so that it is not too long again. */
    private static final double COMMIT_AIM = 0.6;

    /** If a smaller N leaves more than this part of the delay, N was not the cause. */
    private static final double MIN_DELAY_IMPROVEMENT = 0.75;

    private static final double MIN_EVENT_SHRINK = 1.0 / 1_000;
    private static final double MIN_EVENT_STEP = 1.0 / 8;
    private static final double EVENT_GROWTH = 1.25;

    /** The maximum number of events of a batch without a transaction. */
    static final int MAX_EVENTS_NON_TRANSACTIONAL = 500;

    /** The minimum stripe limit, so that readers and task do not wait for each other when batches are small. */
    private static final int MIN_STRIPE_LIMIT_EVENTS = 1_000;

    /** The number of events that must be expected within the linger for waiting to be worthwhile. */
    private static final double MIN_EXPECTED_ARRIVALS = 0.5;

    private static final long MIN_QUIET_NANOS = 10_000_000;
    private static final int QUIET_PARTS_OF_LINGER = 4;

    /** The number of events that must be missing before a stream is quiet. A single event may be late. */
    private static final int MIN_QUIET_ARRIVALS = 4;

    private static final double PACING_PART_OF_DELAY = 0.5;

    /** A low value of what an event adds to the duration of a commit: 5 to 6 µs were measured on two busy cores. */
    private static final long COMMIT_NANOS_PER_EVENT = 5_000;

    /** The part of the linger that must have kept the budget for a shorter linger to be of use. */
    private static final double USEFUL_PART = 0.5;

    private static final double SHRINK = 0.7;
    private static final double MIN_SHRINK = 1.0 / 64;
    private static final double GROWTH_PER_SEC = 1.5;
    private static final long GROWTH_INTERVAL_NANOS = 100_000_000;

    private final ControlSettings settings;
    private final LevelTargets targets;
    private final LevelSelector levels = new LevelSelector();
    private final DelayWindow delays = new DelayWindow();

    /** The same without the pauses before offsets were sent. */
    private final DelayWindow commits = new DelayWindow();

    /** The same without what the events of each batch have added. */
    private final DelayWindow emptyCommits = new DelayWindow();

    /** The events of the batch that was returned last, 0 before the first one. */
    private int returnedEvents;

    /** Null where the size of an event does not matter. */
    private final FirstEvents firstEvents;

    /** The part of the target's linger that is used. */
    private double shrink = 1;

    private final LateEvents late = new LateEvents();

    private final MarkerTime markers = new MarkerTime();

    /** The part of N that a transaction commits within its maximum duration. */
    private double eventShrink = 1;

    /** The delay that made N smaller, 0 if there was none. */
    private long longDelayNanos;

    /** Whether a smaller N does not make commits faster, for example because one transaction spans many polls. */
    private boolean shrinksInVain;

    private long levelSinceNanos;

    /** Whether too few events are expected within the target's linger. */
    private boolean alone;

    /** The minimum linger at the level in force. */
    private long minLingerNanos;

    private long shrunkAtNanos;
    private long grownAtNanos;
    private boolean transactional;

    /** Whether an acknowledgement has shown that batches are not transactions. False before the first one. */
    private boolean nonTransactional;

    private boolean stale = true;
    private BatchTarget target;
    private Decision decision;

    /** Starts at L1 without any knowledge of acknowledgements. */
    public AdaptiveController(ControlSettings settings, LevelTargets targets) {
        this.settings = settings;
        this.targets = targets;
        this.firstEvents = settings.firstBySize() ? new FirstEvents(targets) : null;
    }

    @Override
    public Decision decide(long nowNanos, double arrivalsPerSec) {
        return decide(nowNanos, arrivalsPerSec, null);
    }

    @Override
    public Decision decide(long nowNanos, ArrivalGauge arrivals) {
        return decide(nowNanos, arrivals.perSec(), arrivals);
    }

    /** The gauge is null where the rate does not come from arrivals. */
    private Decision decide(long nowNanos, double arrivalsPerSec, ArrivalGauge arrivals) {
        PressureLevel level = levels.select(arrivalsPerSec, nowNanos);
        if (decision == null || decision.level() != level) {
            levelSinceNanos = nowNanos;
            shrink = 1;
            late.clear();
            stale = true;
        }
        grow(nowNanos);
        BatchTarget current = targets.of(level);
        // Rule 1, alone: waiting pays only if more events arrive. An event does not show that it is followed.
        long lingerNanos = current.setting().lingerNanos();
        double followingPerSec = arrivals == null ? arrivalsPerSec : arrivals.followingPerSec(lingerNanos);
        boolean nowAlone = followingPerSec * lingerNanos / 1e9 < MIN_EXPECTED_ARRIVALS;
        stale |= nowAlone != alone;
        alone = nowAlone;
        if (stale || !current.equals(target)) {
            target = current;
            decision = fit(level, current, arrivalsPerSec);
            stale = false;
        }
        return decision;
    }

    private Decision fit(PressureLevel level, BatchTarget wanted, double arrivalsPerSec) {
        long budgetNanos = settings.budgetNanos(level);
        long usableNanos = settings.margin().usableNanos(budgetNanos);
        // Rule 2, fit: the linger gets what the delay leaves of the margin. In at-least-once mode that is the p99 of
        // the delay. Under exactly-once it is the median, because a shorter linger itself lengthens the tail: more
        // transactions delay each other. There the learner (per window) and rule 6 (per batch) watch the tail.
        long leftNanos = usableNanos - delays.quantileNanos(transactional ? 0.5 : 0.99);
        long wantedNanos = wanted.setting().lingerNanos();
        // Rule 3, beyond the budget: the learner found that no linger keeps the budget, and chose the nearest one.
        boolean asLearned = wanted.beyondBudget() && transactional;
        long fittedNanos = asLearned ? wantedNanos : Math.min((long) (wantedNanos * shrink), leftNanos);
        // Rule 4, floor: under exactly-once a linger that is a small part of the budget gains nothing within the
        // budget, and adds transactions that delay each other.
        long floorNanos = asLearned && !alone
                ? fittedNanos
                : Math.min(wantedNanos, settings.margin().floorNanos(budgetNanos));
        minLingerNanos = transactional ? floorNanos : 0;
        long lingerNanos = alone ? 0 : Math.max(fittedNanos, minLingerNanos);
        int aimedEvents = aimedEvents(wanted.setting());
        int maxEvents = maxEvents(aimedEvents);
        return new Decision(
                wanted,
                level,
                settings.budgets().budgetMs(level),
                leftNanos > 0 && !asLearned,
                new BatchSetting(maxEvents, lingerNanos),
                aimedEvents,
                settings.maxBytes(),
                quietNanos(lingerNanos, arrivalsPerSec),
                transactional ? pacingNanos(leftNanos, budgetNanos, asLearned) : 0,
                // Rule 9, stripe limit: events that wait behind two batches only get older, leave the caches and are
                // copied by the garbage collector.
                Math.max(MIN_STRIPE_LIMIT_EVENTS, 2 * maxEvents));
    }

    /**
     * Rule 5, quiet: the end of a burst does not wait for a linger that was chosen for its middle. A gap
     * of the usual length between two events does not count as quiet.
     */
    private static long quietNanos(long lingerNanos, double arrivalsPerSec) {
        double usualNanos = MIN_QUIET_ARRIVALS * 1e9 / Math.max(1e-3, arrivalsPerSec);
        long partNanos = Math.max(MIN_QUIET_NANOS, lingerNanos / QUIET_PARTS_OF_LINGER);
        return Math.max(partNanos, (long) Math.min(usualNanos, (double) lingerNanos));
    }

    /**
     * Rule 8, N without transactions: a batch of {@value #MAX_EVENTS_NON_TRANSACTIONAL} events has spread the cost of a
     * poll as far as possible. Packed events are excepted: their cost is that of records.
     */
    private int aimedEvents(BatchSetting wanted) {
        int limit = nonTransactional && !settings.packed()
                ? Math.min(MAX_EVENTS_NON_TRANSACTIONAL, settings.maxEvents())
                : settings.maxEvents();
        return wanted.atMost(limit).maxEvents();
    }

    /** What rule 10 leaves of N. */
    private int maxEvents(int aimedEvents) {
        return Math.max(1, Math.max(Math.min(MIN_EVENTS, aimedEvents), (int) (aimedEvents * eventShrink)));
    }

    /**
     * Rule 7, pacing: a transaction that begins immediately after the last one finds its partitions still held by that
     * one's markers, and backs off for tens of milliseconds (KIP-890, CONCURRENT_TRANSACTIONS). So it begins half a
     * usual commit after the last one, as PostgreSQL's commit_delay does for group commits.
     *
     * <p>A commit that takes long because of its events needs no longer distance. More events would arrive meanwhile,
     * and the next commit would take longer still. At two thirds of the possible rate that would not end.
     */
    private long pacingNanos(long leftNanos, long budgetNanos, boolean asLearned) {
        long partNanos = Math.max(Math.min(partOf(commits), MarkerTime.MAX_NANOS), partOf(emptyCommits));
        // A learned linger is longer than a commit and keeps that distance itself. The learner found none better.
        long maxNanos = asLearned ? MarkerTime.MAX_NANOS : leftNanos > 0 ? budgetNanos / 2 : MAX_PACING_NANOS;
        return Math.max(MarkerTime.MIN_NANOS, Math.min(Math.max(markers.nanos(), partNanos), maxNanos));
    }

    private static long partOf(DelayWindow window) {
        return (long) (window.quantileNanos(0.5) * PACING_PART_OF_DELAY);
    }

    /** Rule 11, first N: while nothing is learned at a level, the size of the events limits N. */
    @Override
    public void returned(int events, long sizeBytes) {
        returnedEvents = events;
        if (firstEvents != null) {
            firstEvents.returned(events, sizeBytes);
        }
    }

    /**
     * Rule 6, shortening: more than one late event of a hundred shortens the linger by three tenths, at most once per
     * acknowledgement delay. The linger grows back within a second.
     */
    @Override
    public void acknowledged(
            long nowNanos, long delayNanos, long pausedNanos, long worstLatencyNanos, boolean transactional) {
        this.transactional = transactional;
        nonTransactional = !transactional;
        if (transactional) {
            long pacingNanos = decision == null ? 0 : decision.pacingNanos();
            if (pausedNanos == 0) {
                markers.committed(nowNanos, delayNanos, commits.quantileNanos(0.1), pacingNanos);
            } else {
                markers.committedLater(nowNanos);
            }
            long commitNanos = delayNanos - pausedNanos;
            commits.add(nowNanos, commitNanos);
            emptyCommits.add(nowNanos, Math.max(0, commitNanos - returnedEvents * COMMIT_NANOS_PER_EVENT));
        }
        delays.add(nowNanos, delayNanos);
        shrinkEvents(delayNanos);
        stale = true;
        long budgetNanos = settings.budgetNanos(levels.level());
        // The linger of another level says nothing about this one's.
        boolean ofThisLevel = nowNanos - worstLatencyNanos - levelSinceNanos >= 0;
        long lingerNanos = decision == null ? 0 : decision.setting().lingerNanos();
        boolean mayShrink = shrink == 1 || nowNanos - shrunkAtNanos > delays.quantileNanos(0.5);
        // Only if half the linger would have kept the budget. If the broker alone breaks it, a shorter linger gains
        // nothing. It would still be short after the broker recovers, and more transactions delay each other.
        if (ofThisLevel
                && lingerNanos > minLingerNanos
                && delayNanos + (long) (USEFUL_PART * lingerNanos) <= budgetNanos) {
            late.add(worstLatencyNanos, delayNanos, budgetNanos);
        } else {
            late.addNone();
        }
        if (mayShrink && late.isTooMany(transactional)) {
            shrink = Math.max(MIN_SHRINK, shrink * SHRINK);
            shrunkAtNanos = nowNanos;
            grownAtNanos = nowNanos;
            late.clear();
        }
    }

    /**
     * Rule 10, N on a slow broker: a transaction that takes longer than its maximum duration gets a smaller N in
     * proportion. Otherwise a broker that answers each produce request late would abort large transactions every time.
     * If the smaller N takes as long, N was not the cause and returns to its old value. An example is
     * {@code transaction.boundary=interval}, which commits by the clock.
     */
    private void shrinkEvents(long delayNanos) {
        if (delayNanos < MAX_COMMIT_NANOS / 2) {
            longDelayNanos = 0;
            shrinksInVain = false;
            // A small batch does not show that a large one would be committed in time.
            if (decision == null || returnedEvents >= decision.setting().maxEvents() / 2) {
                eventShrink = Math.min(1, eventShrink * EVENT_GROWTH);
            }
        } else if (transactional && delayNanos > MAX_COMMIT_NANOS && shrinksOrGrewWorse(delayNanos)) {
            shrinksInVain = !shrinksInVain && longDelayNanos > 0 && delayNanos > MIN_DELAY_IMPROVEMENT * longDelayNanos;
            longDelayNanos = delayNanos;
            double part = Math.max(MIN_EVENT_STEP, COMMIT_AIM * MAX_COMMIT_NANOS / delayNanos);
            eventShrink = shrinksInVain ? 1 : Math.max(MIN_EVENT_SHRINK, eventShrink * part);
        }
    }

    /** A smaller N that did not help is tried again when commits take twice as long as then. */
    private boolean shrinksOrGrewWorse(long delayNanos) {
        return !shrinksInVain || delayNanos > 2 * longDelayNanos;
    }

    private void grow(long nowNanos) {
        long sinceNanos = nowNanos - grownAtNanos;
        if (shrink < 1 && sinceNanos >= GROWTH_INTERVAL_NANOS) {
            shrink = Math.min(1, shrink * Math.pow(GROWTH_PER_SEC, sinceNanos / 1e9));
            grownAtNanos = nowNanos;
            stale = true;
        }
    }
}
