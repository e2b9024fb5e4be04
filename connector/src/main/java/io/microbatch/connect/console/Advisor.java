package io.microbatch.connect.console;

import java.util.List;
import java.util.Optional;

/**
 * Says what to change at a task, if anything, so that its events are committed within a goal and no more transactions
 * are made than that needs. Pure: the same figures and settings give the same advice. Stateless; any thread.
 */
final class Advisor {

    /** The p99 that is looked for unless the operator names another one. */
    static final double GOAL_MS_DEFAULT = 100;

    private Advisor() {}

    /**
     * Advises.
     *
     * @param task the task's figures
     * @param settings the connector's settings
     * @param state the task's state in Connect's words, such as {@code RUNNING}
     * @param goalMs the p99 of the delay in the worker that the operator accepts
     */
    static Advice advise(TaskSnapshot task, ConnectorSettings settings, String state, double goalMs) {
        Load load = Load.of(task);
        Evidence.Collector collected = new Evidence.Collector().add("events a second", load.rate(), "/s");
        OwnUpstream.addTo(collected, task);
        List<Evidence> rate = collected.list();
        switch (state) {
            case "RUNNING":
                break;
            case "FAILED":
                return Advice.without(
                        Verdict.LOOK_AT_TASK,
                        "The task has failed. GET "
                                + RestPath.ofConnector(task.key().connector(), "/status")
                                + " shows why. Restart it when the cause is removed.",
                        rate,
                        Estimate.UNKNOWN);
            case "PAUSED", "STOPPED":
                return Advice.without(Verdict.LEAVE, "The connector is paused or stopped.", rate, Estimate.UNKNOWN);
            default:
                return wait("The task is " + state + ".", rate);
        }
        if (!settings.isKnown()) {
            return wait("The connector's configuration could not be read.", rate);
        }
        // This project's tasks know it themselves. During a snapshot Debezium does not stream yet.
        if (!settings.isMicrobatch()
                && task.get(Figure.DEBEZIUM_CONNECTED) == 0
                && task.get(Figure.DEBEZIUM_SNAPSHOT_RUNNING) != 1) {
            return Advice.without(
                    Verdict.LOOK_AT_SOURCE,
                    "Debezium is not connected to its database. Look at the database, the network and the worker's "
                            + "log.",
                    rate,
                    Estimate.UNKNOWN);
        }
        Optional<OwnUpstream.Problem> problem = OwnUpstream.problem(task)
                .or(() -> load.isIdle() ? Optional.empty() : OwnUpstream.slowRequests(task, goalMs));
        if (problem.isPresent()) {
            return Advice.without(problem.get().verdict(), problem.get().summary(), rate, Estimate.UNKNOWN);
        }
        if (load.isIdle()) {
            return wait(
                    "There were too few events in the last minute to say anything."
                            + OwnUpstream.silence(task, settings),
                    rate);
        }
        if (settings.isMicrobatch()) {
            return MicrobatchAdvisor.advise(task, settings, goalMs);
        }
        return task.isExactlyOnce()
                ? PlainAdvisor.advise(task, settings, goalMs)
                : AtLeastOnceAdvisor.advise(task, settings, goalMs);
    }

    private static Advice wait(String summary, List<Evidence> evidence) {
        return Advice.without(Verdict.WAIT, summary, evidence, Estimate.UNKNOWN);
    }
}
