package io.microbatch.connect.console;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** The advice for a task of this project's connector. Its own figures say what it does. One advice; one thread. */
final class MicrobatchAdvisor {

    private static final double SATURATED = 0.9;
    private static final double HALF = 0.5;
    private static final double LATE_MS = 1_000;
    private static final double LATE_FACTOR = 10;
    private final TaskSnapshot task;
    private final ConnectorSettings settings;
    private final double goalMs;
    private final Load load;
    private final ProducerLoad producer;
    private final double p99Ms;
    private final double commitMs;

    private MicrobatchAdvisor(TaskSnapshot task, ConnectorSettings settings, double goalMs) {
        this.task = task;
        this.settings = settings;
        this.goalMs = goalMs;
        this.load = Load.of(task);
        this.producer = ProducerLoad.of(task, settings);
        this.p99Ms = task.get(Figure.ACK_LATENCY_MINUTE_P99_MS);
        this.commitMs = task.get(Figure.SEND_AND_COMMIT_MINUTE_P50_MS, load.commitMs());
    }

    static Advice advise(TaskSnapshot task, ConnectorSettings settings, double goalMs) {
        return new MicrobatchAdvisor(task, settings, goalMs).advise();
    }

    private Advice advise() {
        if (settings.hasOwnBoundaries() && task.isExactlyOnce()) {
            return only(Verdict.LEAVE, ConnectorSettings.OWN_BOUNDARIES);
        }
        if (settings.hasInterval() && task.isExactlyOnce()) {
            return change(
                    "Connect's interval ends the transactions, and not this connector's linger. Remove it: the "
                            + "connector then keeps its budget by itself.",
                    Change.removing(Set.of(ConnectorSettings.BOUNDARY, ConnectorSettings.BOUNDARY_INTERVAL_MS)),
                    target(settings.number(ConnectorSettings.TARGET_MS).orElse(goalMs)));
        }
        if (task.get(Figure.BUSY_RATIO) >= SATURATED) {
            return producer.smallerBatches(evidence(), now()).orElseGet(this::saturated);
        }
        double lagMs = task.get(Figure.UPSTREAM_LAG_MS);
        if (lagMs > Math.max(LATE_MS, LATE_FACTOR * p99Ms)) {
            return only(
                    Verdict.LOOK_AT_SOURCE,
                    "Events are " + Texts.ms(lagMs) + " old when they are read, and the task is not busy. Look at the "
                            + "database, at the hosted connector's poll interval, and at the network.");
        }
        if (task.get(Figure.BUDGET_ATTAINABLE, 1) == 0) {
            return unattainable();
        }
        return ofGoal();
    }

    private Advice saturated() {
        if (load.inCommit() >= HALF || producer.isLimit()) {
            if (producer.gainsByLargerBatches() && !producer.mayResize()) {
                return only(
                        Verdict.LOOK_AT_BROKER,
                        "The task is saturated, and waits for produce requests that are full. "
                                + ProducerLoad.LARGER_REFUSED);
            }
            return producer.gainsByLargerBatches()
                    ? change(
                            "The task is saturated, and waits for produce requests that are full. Make them larger.",
                            Change.setting(producer.larger()),
                            Estimate.UNKNOWN)
                    : only(
                            Verdict.LOOK_AT_BROKER,
                            "The task is saturated, and waits for the broker for most of the time. Look at the "
                                    + "brokers, or let more tasks share the work.");
        }
        return only(
                Verdict.LOOK_AT_TASK,
                "The task is saturated by transforming, converting and sending. " + OwnUpstream.moreTasks(settings));
    }

    private Advice unattainable() {
        double longer = Math.ceil(DelayModel.COMMITS_PER_TARGET * commitMs / 10) * 10;
        double targetMs = Math.min(AdviceLimits.MAX_GOAL_MS, Math.max(goalMs, longer));
        double slowestMs = task.get(Figure.SEND_AND_COMMIT_MINUTE_P99_MS);
        String slowest = Double.isFinite(slowestMs) ? ", and " + Texts.ms(slowestMs) + " for one in a hundred" : "";
        // The budget in force was just found to be too short, whether somebody has named it or not.
        double present =
                Math.max(settings.number(ConnectorSettings.TARGET_MS).orElse(0), task.get(Figure.BUDGET_MS, 0));
        if (present >= targetMs || clientsWait() || prefersLatency()) {
            return only(
                    Verdict.LOOK_AT_BROKER,
                    "The budget cannot be kept: sending and committing a batch takes " + Texts.ms(commitMs) + slowest
                            + ". Look at the brokers' disks, replication and transaction "
                            + "coordinator.");
        }
        return change(
                "The budget of " + Texts.ms(task.get(Figure.BUDGET_MS))
                        + " cannot be kept: sending and committing a batch takes " + Texts.ms(commitMs) + slowest
                        + ". Name a target that can.",
                Change.setting(Map.of(ConnectorSettings.TARGET_MS, Texts.setting(targetMs))),
                target(targetMs));
    }

    private Advice ofGoal() {
        boolean fixed = settings.text("batch.mode").orElse("adaptive").equalsIgnoreCase("fixed");
        if (fixed) {
            return only(Verdict.LEAVE, "The batch is fixed by the configuration (batch.mode=fixed).");
        }
        Estimate then = target(goalMs);
        Change goal = Change.setting(Map.of(ConnectorSettings.TARGET_MS, Texts.setting(goalMs)));
        boolean isLate = p99Ms > goalMs * AdviceLimits.TOLERANCE;
        if (isLate && !DelayModel.isTargetPossible(goalMs, commitMs)) {
            return only(
                    Verdict.LOOK_AT_BROKER,
                    "Sending and committing a batch takes " + Texts.ms(commitMs) + ". No target keeps the goal of "
                            + Texts.ms(goalMs) + " with that. Look at the brokers, or accept a longer goal.");
        }
        if (!task.isExactlyOnce()) {
            return isLate && task.get(Figure.BUDGET_MS) > goalMs * AdviceLimits.TOLERANCE
                    ? change(
                            "The present budget is longer than the goal.",
                            goal,
                            new Estimate(then.p50Ms(), then.p99Ms(), 0))
                    : only(Verdict.LEAVE, "In at-least-once mode a batch costs no transaction.");
        }
        if (isLate) {
            return task.get(Figure.BUDGET_MS) <= goalMs * AdviceLimits.TOLERANCE
                    ? only(
                            Verdict.WAIT,
                            "The p99 is over its budget, which can be kept. The task learns its linger in the first "
                                    + "minutes, and after a disturbance.")
                    : change("The present budget is longer than the goal.", goal, then);
        }
        if (!clientsWait()
                && !prefersLatency()
                && goalMs > task.get(Figure.BUDGET_MS) * AdviceLimits.TOLERANCE
                && now().transactionCores() - then.transactionCores() >= AdviceLimits.WORTH_CORES) {
            return change("The goal leaves room for a longer budget, which costs fewer transactions.", goal, then);
        }
        return only(Verdict.LEAVE, "The budget is kept" + whyNoLonger());
    }

    private String whyNoLonger() {
        if (clientsWait()) {
            return ". A longer one would let clients wait for longer.";
        }
        return prefersLatency()
                ? ". The configuration prefers a low latency to few transactions (batch.objective=latency)."
                : ", and a longer one would save little.";
    }

    /** A client that waits for its answer sends nothing meanwhile: a longer budget would cost events. */
    private boolean clientsWait() {
        return settings.hasUpstream(ConnectorSettings.HTTP);
    }

    /** With this objective a longer target changes no budget of a low level. */
    private boolean prefersLatency() {
        return settings.text("batch.objective").orElse("").equalsIgnoreCase("latency");
    }

    private Estimate target(double targetMs) {
        return DelayModel.target(load.rate(), targetMs, commitMs);
    }

    private Estimate now() {
        return new Estimate(task.get(Figure.ACK_LATENCY_MINUTE_P50_MS), p99Ms, load.transactionsPerSec());
    }

    private Advice change(String summary, Change change, Estimate then) {
        return new Advice(Verdict.SET, summary, evidence(), now(), then, change, List.of());
    }

    private Advice only(Verdict verdict, String summary) {
        return Advice.without(verdict, summary, evidence(), now());
    }

    private List<Evidence> evidence() {
        Evidence.Collector evidence = new Evidence.Collector()
                .add("events a second", load.rate(), "/s")
                .add("events a batch", load.eventsPerPoll(), "")
                .add("transactions a second", load.transactionsPerSec(), "/s")
                .add("p99 from arrival to acknowledgement, over a minute", p99Ms, "ms")
                .add("budget", task.get(Figure.BUDGET_MS), "ms")
                .add("linger (T)", task.get(Figure.LINGER_MS), "ms")
                .add("sending and committing a batch, median of a minute", commitMs, "ms")
                .add("busy part of the task's time", task.get(Figure.BUSY_RATIO), "")
                .add("service rate", task.get(Figure.CAPACITY), "/s")
                .add("age of an event when it is read", task.get(Figure.UPSTREAM_LAG_MS), "ms")
                .add("goal for the p99", goalMs, "ms");
        OwnUpstream.addTo(evidence, task);
        producer.addTo(evidence);
        return evidence.list();
    }
}
