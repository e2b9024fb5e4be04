package io.microbatch.connect.control;

import io.microbatch.connect.pressure.LevelSelector;
import io.microbatch.connect.pressure.PressureLevel;

/**
 * The fast loop: the level by the smoothed rate, the level's learned target, and that target fitted to the latency
 * budget by what acknowledgements cost just now. Task thread; nanoseconds.
 *
 * <p>Of a budget, {@code margin × budget - p99 of the acknowledgement delay} is left for waiting. But under exactly-once
 * the tail of the delay depends on T: the shorter T, the more transactions, and the more often one finds another in its
 * way, which looks like a reason to wait less still. So there the median delay counts, and the tail is left to those who
 * see what it is at this T: the learner, window by window, and the halving below, batch by batch.
 *
 * <p>When a second batch of {@value #SPARED_BATCHES} broke the budget all the same, T is halved at once, at most once per
 * acknowledgement delay, and grows back over seconds; a single one is what a p99 allows. Only
 * if half of T would have kept it: a budget that the broker alone breaks would halve T for nothing, T would still be
 * small when the broker has recovered, and under exactly-once the shorter T would break it more often. And only by
 * events that arrived at the level in force: another level's
 * T says nothing about this one's, so a new level begins with its whole T.
 *
 * <p>Under exactly-once a transaction that begins right behind the previous one finds its partitions still held by that
 * one's markers, and backs off for tens of milliseconds (KIP-890, CONCURRENT_TRANSACTIONS). Waiting less then costs
 * more: so the batch is paced, no sooner after the last commit than half of what a commit usually takes, the rule that
 * group commit has followed since PostgreSQL's commit_delay. Nor does T fall under what the margin leaves of the budget:
 * a shorter wait buys nothing that the budget would notice, while the transactions that it adds delay each other, which
 * looks like a reason to wait less still. In at-least-once mode nothing is paced and T may fall to 0.
 *
 * <p>Nor does more wait in a stripe than two batches. What waits there while the task is busy gains nothing: it only
 * becomes older, leaves the caches, and is copied by the garbage collector. In at-least-once mode, where no transaction
 * is paid for each batch, one of {@value #MOST_EVENTS_UNPAID} events has spread the cost of a poll as far as it goes, and N
 * is not larger; but packed events, whose cost is that of records, go on being spread.
 *
 * <p>Waiting pays only if somebody comes: where fewer than {@value #LEAST_COMPANY_EVENTS} events arrive in T, an event
 * would only be later by T, and waits no longer than T may fall anyway. And it pays only while events arrive: after a
 * quarter of T without one, and 10 ms at least, the batch goes. That is the end of a burst, whose last events would wait
 * for a T that was chosen for its middle.
 *
 * <p>A transaction that takes longer than {@link #LONGEST_COMMIT_NANOS} is made smaller in proportion: on a broker that
 * answers each produce request late, one of many requests would be aborted by its timeout, every time. Where a smaller
 * one takes as long, it was not N, and N is what it was: {@code transaction.boundary=interval} commits by the clock.
 *
 * <p>A target that is marked as beyond the budget stands as it is: the learner has seen that no T keeps the budget, and
 * gives the one that comes nearest.
 */
public final class AdaptiveController implements Controller {

    /** The least pacing, in nanoseconds: what the markers of a transaction take on an idle broker. */
    static final long LEAST_PACING_NANOS = 2_000_000;

    /** The most pacing where no wait keeps the budget: there a transaction is better alone than early. */
    private static final long LONGEST_PACING_NANOS = 250_000_000;

    /** How long a transaction may take: a small part of the minute after which a broker aborts it by default. */
    static final long LONGEST_COMMIT_NANOS = 5_000_000_000L;

    /** However slow the broker is, a batch may have as many events. */
    private static final int LEAST_EVENTS = 100;

    /** What a transaction that was too long is to take instead, well inside, so that it is not too long again. */
    private static final double COMMIT_AIM = 0.6;

    /** A smaller N that leaves more than this of the delay was not its cause. */
    private static final double NO_CAUSE = 0.75;

    private static final double LEAST_EVENT_SHRINK = 1.0 / 1_000;
    private static final double EVENT_GROWTH = 1.25;

    /** The most events of a batch that costs no transaction. */
    static final int MOST_EVENTS_UNPAID = 500;

    /** A stripe may always hold as many, so that small batches do not make readers and task wait for each other. */
    private static final int LEAST_STRIPE_LIMIT_EVENTS = 1_000;

    /** How many events have to be expected within T for it to be worth waiting. */
    static final double LEAST_COMPANY_EVENTS = 0.5;

    private static final long LEAST_QUIET_NANOS = 10_000_000;
    private static final int QUIET_PARTS_OF_LINGER = 4;

    /** So many batches after one that broke the budget the next may do so too: the budget is a p99. */
    static final int SPARED_BATCHES = 100;

    private static final double PACING_PART_OF_DELAY = 0.5;
    private static final double SHRINK = 0.5;
    private static final double LEAST_SHRINK = 1.0 / 64;
    private static final double GROWTH_PER_SEC = 1.25;

    private final ControlSettings settings;
    private final LevelTargets targets;
    private final LevelSelector levels = new LevelSelector();
    private final DelayWindow delays = new DelayWindow();

    private double shrink = 1;

    /** How many acknowledgements ago the budget was broken; as if long ago before it ever was. */
    private long batchesSinceBroken = SPARED_BATCHES;

    /** The part of N that a commit carries within the longest time it may take. */
    private double eventShrink = 1;

    /** The delay for which N was made smaller; 0 when there was none. */
    private long longDelayNanos;

    /** Whether commits are seen to take their time whatever N is, as they do where one spans many polls. */
    private boolean shrinksInVain;

    /** When the level in force was chosen. */
    private long levelSinceNanos;

    /** Whether nothing is to be expected within the target's T. */
    private boolean alone;

    /** What T does not fall under at the level in force. */
    private long leastLingerNanos;

    private long shrunkAtNanos;
    private long grownAtNanos;
    private boolean transactional;

    /** Whether an acknowledgement has shown that no transaction is paid; not known before the first one. */
    private boolean unpaid;

    private boolean stale = true;
    private BatchTarget target;
    private Decision decision;

    /** Begins at L1 with nothing known about acknowledgements. */
    public AdaptiveController(ControlSettings settings, LevelTargets targets) {
        this.settings = settings;
        this.targets = targets;
    }

    @Override
    public Decision decide(long nowNanos, double arrivalsPerSec) {
        PressureLevel level = levels.select(arrivalsPerSec, nowNanos);
        if (decision == null || decision.level() != level) {
            levelSinceNanos = nowNanos;
            shrink = 1;
            stale = true;
        }
        grow(nowNanos);
        BatchTarget current = targets.of(level);
        boolean waitsForNobody = arrivalsPerSec * current.lingerNanos() / 1e9 < LEAST_COMPANY_EVENTS;
        stale |= waitsForNobody != alone;
        alone = waitsForNobody;
        if (stale || !current.equals(target)) {
            target = current;
            decision = fit(level, current);
            stale = false;
        }
        return decision;
    }

    private Decision fit(PressureLevel level, BatchTarget wanted) {
        int budgetMs = settings.budgetMs(level);
        long budgetNanos = budgetMs * 1_000_000L;
        long usableNanos = (long) (settings.marginRatio() * budgetNanos);
        long left = usableNanos - delays.quantileNanos(transactional ? 0.5 : 0.99);
        boolean asLearned = wanted.beyondBudget() && transactional;
        long linger = asLearned ? wanted.lingerNanos() : Math.min((long) (wanted.lingerNanos() * shrink), left);
        long floorNanos = asLearned && !alone ? linger : Math.min(wanted.lingerNanos(), budgetNanos - usableNanos);
        leastLingerNanos = transactional ? floorNanos : 0;
        int mostEvents = unpaid && !settings.packed()
                ? Math.min(MOST_EVENTS_UNPAID, settings.maxEvents())
                : settings.maxEvents();
        int wantedEvents = Math.min(wanted.batchTargetEvents(), mostEvents);
        int batchTargetEvents =
                Math.max(1, Math.max(Math.min(LEAST_EVENTS, wantedEvents), (int) (wantedEvents * eventShrink)));
        long lingerNanos = alone ? leastLingerNanos : Math.max(linger, leastLingerNanos);
        return new Decision(
                wanted,
                level,
                budgetMs,
                left > 0 && !asLearned,
                batchTargetEvents,
                settings.maxBytes(),
                lingerNanos,
                Math.max(LEAST_QUIET_NANOS, lingerNanos / QUIET_PARTS_OF_LINGER),
                transactional ? pacingNanos(left, budgetNanos, asLearned) : 0,
                Math.max(LEAST_STRIPE_LIMIT_EVENTS, 2 * batchTargetEvents));
    }

    private long pacingNanos(long leftNanos, long budgetNanos, boolean asLearned) {
        if (asLearned) {
            // A learned T that is longer than a commit keeps the distance by itself, and none was found to be better.
            return LEAST_PACING_NANOS;
        }
        long mostNanos = leftNanos > 0 ? budgetNanos / 2 : LONGEST_PACING_NANOS;
        long part = (long) (delays.quantileNanos(0.5) * PACING_PART_OF_DELAY);
        return Math.max(LEAST_PACING_NANOS, Math.min(part, mostNanos));
    }

    @Override
    public void acknowledged(long nowNanos, long delayNanos, long worstLatencyNanos, boolean transactional) {
        this.transactional = transactional;
        unpaid = !transactional;
        delays.add(nowNanos, delayNanos);
        shrinkEvents(delayNanos);
        stale = true;
        long budgetNanos = settings.budgetMs(levels.level()) * 1_000_000L;
        boolean ofThisLevel = nowNanos - worstLatencyNanos - levelSinceNanos >= 0;
        boolean lingerWaits = decision != null && decision.lingerNanos() > leastLingerNanos;
        boolean mayShrink = shrink == 1 || nowNanos - shrunkAtNanos > delays.quantileNanos(0.5);
        boolean broken = worstLatencyNanos > budgetNanos
                && ofThisLevel
                && lingerWaits
                && delayNanos + (long) (SHRINK * decision.lingerNanos()) <= budgetNanos;
        if (broken && mayShrink && batchesSinceBroken < SPARED_BATCHES) {
            shrink = Math.max(LEAST_SHRINK, shrink * SHRINK);
            shrunkAtNanos = nowNanos;
            grownAtNanos = nowNanos;
        }
        batchesSinceBroken = broken ? 0 : batchesSinceBroken + 1;
    }

    private void shrinkEvents(long delayNanos) {
        if (delayNanos < LONGEST_COMMIT_NANOS / 2) {
            eventShrink = Math.min(1, eventShrink * EVENT_GROWTH);
            longDelayNanos = 0;
            shrinksInVain = false;
        } else if (transactional && delayNanos > LONGEST_COMMIT_NANOS && shrinksOrGrewWorse(delayNanos)) {
            shrinksInVain = !shrinksInVain && longDelayNanos > 0 && delayNanos > NO_CAUSE * longDelayNanos;
            longDelayNanos = delayNanos;
            double part = Math.max(SHRINK / 4, COMMIT_AIM * LONGEST_COMMIT_NANOS / delayNanos);
            eventShrink = shrinksInVain ? 1 : Math.max(LEAST_EVENT_SHRINK, eventShrink * part);
        }
    }

    /** What was in vain is tried again when commits take far longer than then. */
    private boolean shrinksOrGrewWorse(long delayNanos) {
        return !shrinksInVain || delayNanos > 2 * longDelayNanos;
    }

    private void grow(long nowNanos) {
        long sinceNanos = nowNanos - grownAtNanos;
        if (shrink < 1 && sinceNanos >= 100_000_000L) {
            shrink = Math.min(1, shrink * Math.pow(GROWTH_PER_SEC, sinceNanos / 1e9));
            grownAtNanos = nowNanos;
            stale = true;
        }
    }
}
