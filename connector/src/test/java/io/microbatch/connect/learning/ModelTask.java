package io.microbatch.connect.learning;

import io.microbatch.connect.ack.AckLatency;
import io.microbatch.connect.control.AdaptiveController;
import io.microbatch.connect.control.BatchTarget;
import io.microbatch.connect.control.ControlSettings;
import io.microbatch.connect.control.Decision;
import io.microbatch.connect.control.LevelTargets;
import io.microbatch.connect.poll.ReadyRule;
import io.microbatch.connect.pressure.ArrivalGauge;
import io.microbatch.connect.pressure.LatencyBudgets;
import io.microbatch.connect.pressure.Margin;
import io.microbatch.connect.pressure.Objective;
import io.microbatch.connect.pressure.PressureLevel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;

/**
 * The real controller, observer and learner with a task and a broker in model time, in steps of 100 µs. A commit takes
 * a fixed time and a time per event. Under exactly-once, a commit that begins too soon after the last one waits for its
 * markers and takes longer by the phase's back-off. Others do so by chance. In at-least-once mode only the events make
 * the task busy. One thread.
 */
final class ModelTask {

    private static final long MS = 1_000_000;
    private static final long STEP = MS / 10;

    private static final long DRIFT_NANOS = 7_000 * MS;

    private final Random noise = new Random(42);
    private final LevelTargets targets;
    private final AdaptiveController controller;
    private final WindowObserver observer;
    private final Learner learner;
    private final boolean transactional;
    private final ArrivalGauge gauge = new ArrivalGauge(500, 0, 0);
    private final AckLatency latency = new AckLatency();
    private final ArrayDeque<Arrivals> buffered = new ArrayDeque<>();
    private final Map<PressureLevel, LevelBest> bests = new EnumMap<>(PressureLevel.class);
    private final List<Observation> windows = new ArrayList<>();

    private long nowNanos;
    private double due;
    private long offered;
    private long waiting;
    private long committedNanos = Long.MIN_VALUE / 2;
    private Decision decision;
    private double lingerMs;
    private double drift = 1;
    private long driftedNanos;

    /** Events that arrived in one step. */
    private record Arrivals(long atNanos, int events) {}

    /** The results of a period. The linger is that of the best known setting, never of a trial. */
    record Seen(Decision decision, double lingerMs, Histogram latencies, double serviceRatePerSec, int changes) {}

    ModelTask(Objective objective, LatencyBudgets budgets, boolean transactional, long windowMs, long seed) {
        ControlSettings settings = new ControlSettings(50_000, 16 << 20, 0, budgets, Margin.DEFAULT, false, false);
        this.transactional = transactional;
        targets = new LevelTargets(settings, objective);
        controller = new AdaptiveController(settings, targets);
        observer = new WindowObserver(windowMs, 0, () -> 1 + nowNanos / MS);
        learner = new Learner(targets, new LearnerSettings(settings, objective, windowMs), new SplittableRandom(seed));
    }

    long regressions() {
        return learner.regressionTotal();
    }

    Map<PressureLevel, LevelBest> bests() {
        return bests;
    }

    /** All finished windows, oldest first. */
    List<Observation> windows() {
        return windows;
    }

    /** The target that is in force now. */
    BatchTarget target() {
        return targets.of(decision.level());
    }

    void resume(Map<PressureLevel, LevelBest> known) {
        learner.opened(known);
    }

    /** Advances model time by the phase. Returns the results of its last third. */
    Seen run(Phase phase) {
        long untilNanos = nowNanos + phase.seconds() * 1_000 * MS;
        long settledNanos = nowNanos + phase.seconds() * 667 * MS;
        long begunNanos = nowNanos;
        Histogram latencies = AckLatency.total();
        long events = 0;
        double busyMs = 0;
        int changes = 0;
        while (nowNanos < untilNanos) {
            nowNanos += STEP;
            arrive(phase.ratePerSec((nowNanos - begunNanos) / 1e9));
            changes += learn();
            Histogram interval = null;
            gauge.update(nowNanos, offered);
            decision = controller.decide(nowNanos, gauge);
            if (!decision.target().trial()) {
                lingerMs = decision.setting().lingerMs();
            }
            if (observer.isDue(nowNanos, decision)) {
                interval = latency.interval();
                observer.tick(nowNanos, decision, interval);
            }
            if (interval != null && nowNanos > settledNanos) {
                latencies.add(interval);
            }
            if (isReady()) {
                long batch = Math.min(waiting, decision.setting().maxEvents());
                double ms = commit(batch, phase);
                if (nowNanos > settledNanos) {
                    events += batch;
                    busyMs += ms;
                }
            }
        }
        return new Seen(decision, lingerMs, latencies, events * 1_000 / Math.max(0.001, busyMs), changes);
    }

    private void arrive(double perSec) {
        due += perSec * STEP / 1e9;
        int arrived = (int) Math.min(due, (double) room());
        if (arrived > 0) {
            due -= arrived;
            offered += arrived;
            waiting += arrived;
            buffered.addLast(new Arrivals(nowNanos, arrived));
        }
    }

    /** The number of events that the stripe can take. The others wait in the upstream and have not arrived. */
    private long room() {
        return decision == null ? Decision.WHOLE_STRIPE : Math.max(0, decision.stripeLimitEvents() - waiting);
    }

    private int learn() {
        int changes = 0;
        for (Observation window : observer.take()) {
            windows.add(window);
            LevelBest news = learner.learn(window).orElse(null);
            if (news != null) {
                LevelBest old = bests.put(news.level(), news);
                changes += old != null
                                && old.setting().lingerNanos() != news.setting().lingerNanos()
                        ? 1
                        : 0;
            }
        }
        return changes;
    }

    private boolean isReady() {
        Arrivals oldest = buffered.peekFirst();
        if (oldest == null) {
            return false;
        }
        return ReadyRule.isReady(
                decision, waiting, oldest.atNanos(), buffered.peekLast().atNanos(), committedNanos, nowNanos);
    }

    /** Advances time by the whole commit. Events arrive in the meantime. */
    private double commit(long batch, Phase phase) {
        double markersMs = phase.markersMs()
                * (phase.markersNoise() > 0 ? Math.exp(phase.markersNoise() * noise.nextGaussian()) : 1);
        boolean tooSoon = transactional && nowNanos - committedNanos < markersMs * MS;
        double eventsMs = batch * phase.microsPerEvent() / 1_000;
        boolean stalls = phase.stalls() > 0 && noise.nextDouble() < phase.stalls();
        double costMs = (phase.commitMs() + (tooSoon || stalls ? phase.backOffMs() : 0) + eventsMs)
                * Math.exp(phase.noise() * noise.nextGaussian());
        double busyMs = transactional ? costMs : 0.05 + eventsMs;
        observer.returned((int) batch, decision, 0, false);
        controller.returned((int) batch, 0);
        long returnedNanos = nowNanos;
        long endNanos = nowNanos + (long) (busyMs * MS);
        ArrayDeque<Arrivals> sent = new ArrayDeque<>();
        for (long left = batch; left > 0; ) {
            Arrivals head = buffered.removeFirst();
            int taken = (int) Math.min(left, head.events());
            sent.addLast(new Arrivals(head.atNanos(), taken));
            if (taken < head.events()) {
                buffered.addFirst(new Arrivals(head.atNanos(), head.events() - taken));
            }
            left -= taken;
        }
        waiting -= batch;
        while (nowNanos < endNanos) {
            nowNanos += STEP;
            arrive(phase.steadyRatePerSec());
        }
        long ackedNanos = returnedNanos + (long) (costMs * MS);
        sent.forEach(arrivals -> {
            for (int i = 0; i < arrivals.events(); i++) {
                latency.record(ackedNanos - arrivals.atNanos(), 1);
            }
        });
        // What the task sees of its busy time changes from window to window, and no event is later for it.
        if (nowNanos - driftedNanos > DRIFT_NANOS) {
            driftedNanos = nowNanos;
            drift = Math.exp(phase.drift() * noise.nextGaussian());
        }
        observer.busy((long) ((nowNanos - returnedNanos) * drift));
        if (transactional) {
            observer.committed();
        }
        committedNanos = nowNanos;
        controller.acknowledged(
                nowNanos,
                ackedNanos - returnedNanos,
                0,
                ackedNanos - sent.getFirst().atNanos(),
                transactional);
        return busyMs;
    }
}
