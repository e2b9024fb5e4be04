package io.microbatch.connect.it;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What Prometheus has of one task over an hour and more, a value each minute, and the alerts that fire at its end.
 *
 * @param name what has happened
 * @param series the values of each series, in promtool's notation
 * @param firing the alerts
 */
record AlertScenario(String name, Map<String, String> series, Set<String> firing) {

    private static final int MINUTES = 90;
    private static final String TASK = "{job=\"connect\", connector=\"a\", task=\"0\"}";
    private static final String NOT_KNOWN = String.join(" ", Collections.nCopies(MINUTES, "NaN"));

    /** A fault of the last minutes: a count that was 0 for 57 minutes. */
    private static final String HAS_GROWN = "0x57 3x33";

    @Override
    public String toString() {
        return name;
    }

    private static AlertScenario fires(String alert, String name, Changes changes) {
        return new AlertScenario(name, changes.series, Set.of(alert));
    }

    private static AlertScenario silent(String name, Changes changes) {
        return new AlertScenario(name, changes.series, Set.of());
    }

    /** The series of a healthy task, and what differs. */
    private static final class Changes {

        private final Map<String, String> series = new LinkedHashMap<>();

        private Changes put(String metric, String labels, String values) {
            series.put(metric + labels, values);
            return this;
        }

        /** A metric of the task without further labels. */
        private Changes with(String metric, String values) {
            return put(metric, TASK, values);
        }

        private Changes with(String metric, double value) {
            return with(metric, value + "x" + MINUTES);
        }

        private Changes with(String metric, String label, String values) {
            return put(metric, TASK.replace("}", ", " + label + "}"), values);
        }

        private Changes connector(String status) {
            series.keySet().removeIf(name -> name.startsWith("kafka_connect_connector_status"));
            return put(
                    "kafka_connect_connector_status",
                    "{job=\"connect\", connector=\"a\", status=\"" + status + "\"}",
                    "1x" + MINUTES);
        }

        private Changes task(String status) {
            series.keySet().removeIf(name -> name.startsWith("kafka_connect_task_status"));
            return with("kafka_connect_task_status", "status=\"" + status + "\"", "1x" + MINUTES);
        }

        /** A task that does not run publishes nothing. */
        private Changes withoutMetrics() {
            series.keySet().removeIf(name -> name.startsWith("microbatch_") || name.startsWith("kafka_connect_s"));
            return this;
        }

        private Changes withoutTask() {
            series.keySet().removeIf(name -> name.startsWith("kafka_connect_t"));
            return withoutMetrics();
        }
    }

    private static Changes healthy() {
        return new Changes()
                .put("up", "{job=\"connect\", instance=\"w\"}", "1x" + MINUTES)
                .connector("running")
                .task("running")
                .with("kafka_connect_task_offset_commit_failure_ratio", 0)
                .with("kafka_connect_source_record_write_rate", 1_000)
                .with("kafka_connect_transaction_size_avg", 50)
                .with("microbatch_connector_tasks", 1)
                .with("microbatch_pressure_level", 5)
                .with("microbatch_budget_seconds", 0.05)
                .with("microbatch_budget_attainable", 1)
                .with("microbatch_latency_target_seconds", NOT_KNOWN)
                .with("microbatch_ack_latency_minute_p99_seconds", 0.04)
                .with("microbatch_ledger_depth", 30)
                .with("microbatch_acknowledged_total", "0+60000x" + MINUTES)
                .with("microbatch_skipped_total", 0)
                .with("microbatch_dead_letter_total", 0)
                .with("microbatch_regression_total", 0)
                .with("microbatch_filtered_kept_bytes", 0)
                .with("microbatch_busy_ratio", 0.4)
                .with("microbatch_reader_blocked_seconds_total", "stripe=\"0\"", "0+1x" + MINUTES)
                .with("microbatch_upstream_lag_seconds", 0.2)
                .with("microbatch_upstream_silent_seconds", 0.1)
                .with("microbatch_upstream_heartbeat_seconds", 10)
                .with("microbatch_upstream_connected", 1)
                .with("microbatch_http_ready", 1)
                .with("microbatch_http_request_total", "status=\"200\"", "0+1000x" + MINUTES)
                .with("microbatch_http_refused_total", "reason=\"full\"", "0x" + MINUTES)
                .with("microbatch_http_unknown_total", 0)
                .with("microbatch_outbox_undeleted_rows", 100)
                .with("microbatch_outbox_oldest_transaction_seconds", 2)
                .with("microbatch_outbox_reconnect_total", 1);
    }

    static List<AlertScenario> all() {
        List<AlertScenario> all = new ArrayList<>();
        all.add(silent("a healthy task", healthy()));
        addTasks(all);
        addCommits(all);
        addLatency(all);
        addUpstream(all);
        addLoad(all);
        addHttpAndOutbox(all);
        return all;
    }

    private static void addTasks(List<AlertScenario> all) {
        all.add(fires(
                "MicrobatchWorkerDown",
                "a worker is down",
                healthy().put("up", "{job=\"connect\", instance=\"w\"}", "0x" + MINUTES)));
        all.add(fires(
                "MicrobatchTaskFailed",
                "a task has failed",
                healthy().task("failed").withoutMetrics()));
        all.add(fires(
                "MicrobatchTaskUnassigned",
                "a task does not begin to run",
                healthy().task("unassigned").withoutMetrics()));
        all.add(fires("MicrobatchTasksAbsent", "no worker has a task", healthy().withoutTask()));
        all.add(fires(
                "MicrobatchTasksAbsent",
                "no worker has the second task",
                healthy().with("microbatch_connector_tasks", 2)));
        all.add(silent(
                "the second task is gone because fewer are asked for",
                healthy()
                        .with("microbatch_connector_tasks", "2x50 1x40")
                        .put(
                                "kafka_connect_task_status",
                                TASK.replace("task=\"0\"", "task=\"1\", status=\"running\""),
                                "1x50")));
        all.add(silent(
                "a task waits for the return of its worker",
                healthy().withoutMetrics().with("kafka_connect_task_status", "status=\"running\"", "1x53 stale")));
        all.add(silent("a connector is stopped", healthy().withoutTask().connector("stopped")));
        all.add(silent(
                "a connector is paused, with full buffers",
                healthy()
                        .connector("paused")
                        .task("paused")
                        .with("microbatch_ledger_depth", 5_000)
                        .with("microbatch_acknowledged_total", 700)
                        .with("microbatch_ack_latency_minute_p99_seconds", NOT_KNOWN)));
        all.add(silent(
                "a connector is paused after a slow minute",
                healthy()
                        .connector("paused")
                        .task("paused")
                        .with("microbatch_acknowledged_total", 700)
                        .with("microbatch_ack_latency_minute_p99_seconds", 1.5)));
    }

    private static void addCommits(List<AlertScenario> all) {
        all.add(fires(
                "MicrobatchNothingCommitted",
                "a commit does not return",
                healthy()
                        .with("microbatch_acknowledged_total", "0+60000x50 3000000x40")
                        .with("microbatch_ack_latency_minute_p99_seconds", NOT_KNOWN)));
        all.add(silent(
                "every event is filtered in at-least-once mode",
                healthy()
                        .with("microbatch_acknowledged_total", 0)
                        .with("microbatch_skipped_total", "0+60000x" + MINUTES)));
        all.add(silent("nothing arrives", idle().with("microbatch_upstream_silent_seconds", 5)));
        all.add(fires(
                "MicrobatchCommitFailures",
                "a tenth of the commits fail",
                healthy().with("kafka_connect_task_offset_commit_failure_ratio", 0.1)));
        all.add(fires(
                "MicrobatchTransactions",
                "a transaction for every other event",
                healthy().with("kafka_connect_transaction_size_avg", 2)));
        all.add(silent(
                "no transactions in at-least-once mode",
                healthy()
                        .with("kafka_connect_transaction_size_avg", NOT_KNOWN)
                        .with("kafka_connect_source_record_write_rate", 50_000)));
    }

    private static Changes idle() {
        return healthy()
                .with("microbatch_acknowledged_total", 700)
                .with("microbatch_ledger_depth", 0)
                .with("microbatch_ack_latency_minute_p99_seconds", NOT_KNOWN);
    }

    /** At 100 to 500 events/s, where the default budget is 30 ms. */
    private static Changes slow() {
        return healthy()
                .with("microbatch_pressure_level", 3)
                .with("microbatch_budget_seconds", 0.03)
                .with("microbatch_ack_latency_minute_p99_seconds", 0.044);
    }

    private static void addLatency(List<AlertScenario> all) {
        all.add(fires(
                "MicrobatchBudgetBroken",
                "a budget is broken",
                healthy().with("microbatch_ack_latency_minute_p99_seconds", 0.08)));
        all.add(fires(
                "MicrobatchBudgetBroken",
                "a target is broken under 500 events/s",
                slow().with("microbatch_latency_target_seconds", 0.03)));
        all.add(silent("a slow cluster under 500 events/s without a target", slow()));
        all.add(fires(
                "MicrobatchBudgetUnattainable",
                "commits take the budget",
                healthy()
                        .with("microbatch_budget_attainable", 0)
                        .with("microbatch_ack_latency_minute_p99_seconds", 0.08)));
        all.add(fires(
                "MicrobatchBudgetUnattainable",
                "commits take a target under 500 events/s",
                slow().with("microbatch_budget_attainable", 0).with("microbatch_latency_target_seconds", 0.03)));
        all.add(silent(
                "commits take the default budget under 500 events/s", slow().with("microbatch_budget_attainable", 0)));
        all.add(fires(
                "MicrobatchLate",
                "rare events are late",
                slow().with("microbatch_pressure_level", 1).with("microbatch_ack_latency_minute_p99_seconds", 1.5)));
        all.add(silent(
                "a target of five seconds is used",
                healthy()
                        .with("microbatch_latency_target_seconds", 5)
                        .with("microbatch_budget_seconds", 5)
                        .with("microbatch_ack_latency_minute_p99_seconds", 4.5)));
    }

    private static void addUpstream(List<AlertScenario> all) {
        String growing = "0+60x" + MINUTES;
        all.add(fires(
                "MicrobatchUpstreamLag",
                "events are read late",
                healthy().with("microbatch_upstream_lag_seconds", 90)));
        all.add(fires(
                "MicrobatchUpstreamSilent",
                "Debezium hangs",
                idle().with("microbatch_upstream_lag_seconds", NOT_KNOWN)
                        .with("microbatch_upstream_silent_seconds", growing)));
        all.add(silent(
                "a database is idle, and Debezium has no heartbeats",
                idle().with("microbatch_upstream_lag_seconds", NOT_KNOWN)
                        .with("microbatch_upstream_silent_seconds", growing)
                        .with("microbatch_upstream_heartbeat_seconds", NOT_KNOWN)));
        all.add(silent(
                "heartbeats come every minute",
                idle().with("microbatch_upstream_silent_seconds", 100)
                        .with("microbatch_upstream_heartbeat_seconds", 60)));
        all.add(fires(
                "MicrobatchUpstreamDisconnected",
                "the connection to the database is lost",
                idle().with("microbatch_upstream_silent_seconds", growing).with("microbatch_upstream_connected", 0)));
        all.add(silent("the upstream cannot tell", healthy().with("microbatch_upstream_connected", NOT_KNOWN)));
    }

    private static void addLoad(List<AlertScenario> all) {
        all.add(fires(
                "MicrobatchSaturated",
                "the task thread is always busy",
                healthy().with("microbatch_busy_ratio", 0.99)));
        all.add(fires(
                "MicrobatchReaderBlocked",
                "a reader waits for room",
                healthy().with("microbatch_reader_blocked_seconds_total", "stripe=\"0\"", "0+45x" + MINUTES)));
        all.add(fires(
                "MicrobatchDeadLetters",
                "an event cannot be delivered",
                healthy().with("microbatch_dead_letter_total", HAS_GROWN)));
        all.add(fires(
                "MicrobatchFilteredKept",
                "every event is filtered under exactly-once",
                healthy().with("microbatch_acknowledged_total", 0).with("microbatch_filtered_kept_bytes", 2e8)));
        all.add(fires(
                "MicrobatchRegressed",
                "a level is slower than before",
                healthy().with("microbatch_regression_total", HAS_GROWN)));
    }

    private static void addHttpAndOutbox(List<AlertScenario> all) {
        all.add(fires(
                "MicrobatchHttpNotReady", "a task takes no requests", healthy().with("microbatch_http_ready", 0)));
        all.add(fires(
                "MicrobatchHttpFull",
                "more requests than Kafka takes",
                healthy().with("microbatch_http_refused_total", "reason=\"full\"", "0+100x" + MINUTES)));
        all.add(fires(
                "MicrobatchHttpUnknown",
                "a client was told unknown",
                healthy().with("microbatch_http_unknown_total", HAS_GROWN)));
        all.add(fires(
                "MicrobatchOutboxUndeleted",
                "deletions are slower than deliveries",
                healthy().with("microbatch_outbox_undeleted_rows", 60_000)));
        all.add(fires(
                "MicrobatchOutboxOldTransaction",
                "a transaction of the database stays open",
                healthy().with("microbatch_outbox_oldest_transaction_seconds", 700)));
        all.add(fires(
                "MicrobatchOutboxReconnects",
                "the connection does not last",
                healthy().with("microbatch_outbox_reconnect_total", "0x54 1 2 3 4 5x30")));
    }
}
