package io.microbatch.connect.console;

import java.util.Optional;

/**
 * What the HTTP and the outbox upstream of this project's connector tell of themselves. Their tasks measure no age of
 * an event, because a client or a row has none before it is read. Stateless; any thread.
 */
final class OwnUpstream {

    /** As many delivered rows that are not deleted keep an outbox task from reading. */
    private static final double MAX_UNDELETED_ROWS = 100_000;

    private static final double POLL_INTERVAL_DEFAULT_MS = 20;

    /** By this factor clients wait longer than the task works before the requests themselves are slow. */
    private static final double SLOW_REQUESTS = 3;

    /** A silence that is shorter than this is no sign, whatever the interval of heartbeats. The alert has the same. */
    private static final double LONG_SILENCE_MS = 60_000;

    /** As many heartbeats have to be missing before the upstream hangs. The alert has the same. */
    private static final double MISSED_HEARTBEATS = 3;

    private OwnUpstream() {}

    /**
     * Why the upstream delivers nothing or little, whatever the batches are.
     *
     * @param verdict where to look
     * @param summary what is wrong, in one or two sentences
     */
    record Problem(Verdict verdict, String summary) {}

    /** The problem, if there is one. Also of a task without events. */
    static Optional<Problem> problem(TaskSnapshot task) {
        if (task.get(Figure.HTTP_READY) == 0) {
            return Optional.of(new Problem(
                    Verdict.LOOK_AT_TASK,
                    "The task takes no requests. It has just started, it stops, or Connect has not polled it for a "
                            + "while, as when Kafka takes nothing. The worker's log says more."));
        }
        if (task.get(Figure.UPSTREAM_CONNECTED) == 0) {
            return Optional.of(new Problem(
                    Verdict.LOOK_AT_SOURCE,
                    "The upstream is not connected to its system, and tries again, or its start has not returned. Look "
                            + "at that system, the network and the worker's log."));
        }
        if (hangs(task)) {
            return Optional.of(new Problem(
                    Verdict.LOOK_AT_SOURCE,
                    "The upstream hangs: nothing was heard from it for "
                            + Texts.number(task.get(Figure.UPSTREAM_SILENT_MS) / 1_000)
                            + " s, although it makes a heartbeat every "
                            + Texts.number(task.get(Figure.UPSTREAM_HEARTBEAT_MS) / 1_000)
                            + " s. Look at the database, at its load and locks, and at the network and firewalls "
                            + "before it."));
        }
        if (task.get(Figure.OUTBOX_UNDELETED_ROWS) >= MAX_UNDELETED_ROWS) {
            return Optional.of(new Problem(
                    Verdict.LOOK_AT_SOURCE,
                    "Reading waits, because " + Texts.number(task.get(Figure.OUTBOX_UNDELETED_ROWS))
                            + " delivered rows are not deleted yet. Look at the database: at locks on the table, and "
                            + "at how long a statement takes that deletes."));
        }
        return Optional.empty();
    }

    /**
     * Whether clients wait for something else than the task and Kafka. Only of a task with events: without any, the
     * time of an answer stays that of the last ones. What the records take is that of the last minute. In the last
     * second there may have been other ones than those that clients were answered for.
     */
    static Optional<Problem> slowRequests(TaskSnapshot task, double goalMs) {
        double answerMs = task.get(Figure.HTTP_ANSWER_P99_MS);
        double acknowledgedMs = task.get(Figure.ACK_LATENCY_MINUTE_P99_MS);
        double requestMs = requestMs(answerMs, acknowledgedMs);
        if (requestMs > goalMs && requestMs > SLOW_REQUESTS * acknowledgedMs) {
            return Optional.of(new Problem(
                    Verdict.LOOK_AT_SOURCE,
                    "Clients wait " + Texts.ms(answerMs) + " for an answer (p99), of which " + Texts.ms(acknowledgedMs)
                            + " are the task's and Kafka's. The rest is the requests' own: look at how fast their "
                            + "bodies arrive, and at upstream.http.threads."));
        }
        return Optional.empty();
    }

    /**
     * Whether the upstream's heartbeats are missing. It may be connected all the same, and has no lag, because nothing
     * is read.
     */
    static boolean hangs(TaskSnapshot task) {
        double silentMs = task.get(Figure.UPSTREAM_SILENT_MS);
        return silentMs > LONG_SILENCE_MS && silentMs > MISSED_HEARTBEATS * task.get(Figure.UPSTREAM_HEARTBEAT_MS);
    }

    /** The upstream in a word: connected, disconnected, or hangs. Null if nothing is known. */
    static String state(TaskSnapshot task) {
        if (task.get(Figure.UPSTREAM_CONNECTED) == 0) {
            return "disconnected";
        }
        if (hangs(task)) {
            return "hangs";
        }
        return task.has(Figure.UPSTREAM_CONNECTED) ? "connected" : null;
    }

    /** What to say of a task without events: how to tell silence from an upstream that hangs. Empty if it is told. */
    static String silence(TaskSnapshot task, ConnectorSettings settings) {
        double silentMs = task.get(Figure.UPSTREAM_SILENT_MS);
        boolean untold = settings.isMicrobatch() && settings.isDebezium() && !task.has(Figure.UPSTREAM_HEARTBEAT_MS);
        return untold && silentMs > LONG_SILENCE_MS
                ? " Nothing was heard from the upstream for " + Texts.number(silentMs / 1_000)
                        + " s. Only with heartbeats (" + settings.sourceKey("heartbeat.interval.ms")
                        + ") can a database that hangs be told from one that changes nothing."
                : "";
    }

    /** The time of a request that is not its records' time in the task: its body arrives, its answer leaves. */
    static double requestMs(double answerMs, double acknowledgedMs) {
        return Math.max(0, answerMs - acknowledgedMs);
    }

    /** How long a row waits on average for the next statement that reads. Not known where writers announce rows. */
    static double rowWaitMs(ConnectorSettings settings) {
        return settings.text("upstream.outbox.notify.channel").isPresent()
                ? Double.NaN
                : settings.number("upstream.outbox.poll.interval.ms").orElse(POLL_INTERVAL_DEFAULT_MS) / 2;
    }

    /** How several tasks share the source, where one is saturated. */
    static String moreTasks(ConnectorSettings settings) {
        if (settings.hasUpstream(ConnectorSettings.HTTP)) {
            return "Let more tasks share the clients (tasks.max), or use cheaper transforms and converters.";
        }
        if (settings.hasUpstream(ConnectorSettings.OUTBOX)) {
            return "Divide the keys among more tasks (upstream.outbox.shards, while the table is empty), or use "
                    + "cheaper transforms and converters.";
        }
        return "Divide the source among more tasks or connectors, or use cheaper transforms and converters.";
    }

    static void addTo(Evidence.Collector evidence, TaskSnapshot task) {
        evidence.add("time since the upstream was heard", task.get(Figure.UPSTREAM_SILENT_MS) / 1_000, "s")
                .add("interval of its heartbeats", task.get(Figure.UPSTREAM_HEARTBEAT_MS) / 1_000, "s")
                .add("p99 of an answer to a client", task.get(Figure.HTTP_ANSWER_P99_MS), "ms")
                .add("requests whose clients wait", task.get(Figure.HTTP_INFLIGHT_REQUESTS), "")
                .add("refused requests since the start", task.get(Figure.HTTP_REFUSED_TOTAL), "")
                .add("connections that were closed at once since the start", task.get(Figure.HTTP_CLOSED_TOTAL), "")
                .add("requests with an unknown outcome since the start", task.get(Figure.HTTP_UNKNOWN_TOTAL), "")
                .add("time of a statement that reads rows", task.get(Figure.OUTBOX_POLL_MS), "ms")
                .add("time of a statement that deletes rows", task.get(Figure.OUTBOX_DELETE_MS), "ms")
                .add("delivered rows that are not deleted yet", task.get(Figure.OUTBOX_UNDELETED_ROWS), "")
                .add("oldest writing transaction of the database", task.get(Figure.OUTBOX_OLDEST_TRANSACTION_S), "s");
    }
}
