package io.microbatch.connect.console;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What the console's JSON says of a task. Stateless; any thread. */
final class TaskReport {

    /** The settings that are shown: those that have to do with speed. */
    private static final List<String> SHOWN = List.of(
            "tasks.max",
            "transaction.boundary",
            "transaction.boundary.interval.ms",
            "exactly.once.support",
            "key.converter",
            "value.converter",
            "transforms",
            "producer.override.linger.ms",
            "producer.override.batch.size",
            "producer.override.compression.type",
            "upstream.type",
            "upstream.http.threads",
            "upstream.http.request.timeout.ms",
            "upstream.http.max.inflight.requests",
            "upstream.outbox.poll.interval.ms",
            "upstream.outbox.shards",
            "latency.target.ms",
            "batch.objective",
            "batch.mode",
            "batch.max.records",
            "batch.linger.ms",
            "poll.interval.ms",
            "heartbeat.interval.ms",
            "max.batch.size",
            "max.queue.size",
            "upstream.connector.poll.interval.ms",
            "upstream.connector.heartbeat.interval.ms",
            "upstream.connector.max.batch.size",
            "upstream.connector.max.queue.size");

    private TaskReport() {}

    /** A task of which only the place is known, because its worker has not answered. */
    static Map<String, Object> placed(ClusterView.Placed placed) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("connector", placed.key().connector());
        json.put("task", placed.key().task());
        json.put("worker", placed.worker());
        json.put("state", placed.state());
        return json;
    }

    /** Adds the figures. */
    static void addFigures(Map<String, Object> json, TaskSnapshot task, ConnectorSettings settings) {
        Secrets secrets = new Secrets(Set.of());
        Map<String, String> shown = new LinkedHashMap<>();
        SHOWN.forEach(key -> settings.text(key)
                .filter(value -> !secrets.hides(key, value))
                .ifPresent(value -> shown.put(key, value)));
        Map<String, Double> figures = new LinkedHashMap<>();
        task.figures().forEach((figure, value) -> figures.put(figure.label(), value));
        Load load = Load.of(task);
        json.put("class", settings.className());
        json.put("source", settings.source());
        json.put("microbatch", settings.isMicrobatch());
        json.put("delivery", task.isExactlyOnce() ? "exactly-once" : "at-least-once");
        json.put("upstream", OwnUpstream.state(task));
        json.put("settings", shown);
        json.put("figures", figures);
        json.put("transactions-per-sec", task.isExactlyOnce() ? load.transactionsPerSec() : null);
        json.put("time-in-poll", load.inPoll());
        json.put("time-in-commit", task.isExactlyOnce() ? load.inCommit() : null);
        json.put("waterfall", stages(task, settings));
    }

    private static List<Map<String, Object>> stages(TaskSnapshot task, ConnectorSettings settings) {
        return Waterfall.of(task, settings).entrySet().stream()
                .map(stage -> fields("stage", stage.getKey(), "ms", stage.getValue()))
                .toList();
    }

    /**
     * The advice in JSON.
     *
     * @param passwords the keys that the connector defines as passwords; empty if they are not known, and then there is
     *     no body of a whole configuration
     */
    static Map<String, Object> of(Advice advice, ConnectorSettings settings, Optional<Set<String>> passwords) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("verdict", advice.verdict().label());
        json.put("summary", advice.summary());
        json.put(
                "evidence",
                advice.evidence().stream()
                        .map(each -> fields("what", each.what(), "value", each.value(), "unit", each.unit()))
                        .toList());
        json.put("now", of(advice.now()));
        json.put("then", of(advice.then()));
        json.put("error_factor", DelayModel.ERROR_FACTOR);
        json.put("change", of(advice.change(), settings, passwords));
        json.put(
                "alternatives",
                advice.alternatives().stream()
                        .map(each -> fields(
                                "summary", each.summary(),
                                "then", of(each.then()),
                                "change", of(each.change(), settings, passwords)))
                        .toList());
        return json;
    }

    private static Map<String, Object> of(Estimate estimate) {
        return fields(
                "p50_ms", estimate.p50Ms(),
                "p99_ms", estimate.p99Ms(),
                "transactions_per_s", estimate.transactionsPerSec(),
                "transaction_cores", estimate.transactionCores());
    }

    private static Map<String, Object> of(Change change, ConnectorSettings settings, Optional<Set<String>> passwords) {
        Map<String, Object> json = fields("set", change.set(), "remove", change.removed(), "wrap", change.wraps());
        if (change.isNone()) {
            return json;
        }
        ConfigBody body = ConfigBody.of(settings, change, new Secrets(passwords.orElse(Set.of())));
        json.put("patch", body.patch());
        json.put("put", passwords.isPresent() ? body.put() : null);
        json.put("hidden", passwords.isPresent() ? body.hidden() : List.of());
        return json;
    }

    private static Map<String, Object> fields(Object... namesAndValues) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.put(namesAndValues[i].toString(), namesAndValues[i + 1]);
        }
        return fields;
    }
}
