package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectRestException;
import io.microbatch.testbed.ConnectWorker;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The console on two real workers that load it from the packaged archive, with a plain connector and one of this
 * project's.
 */
@ExtendWith(Cluster.Shared.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConsoleIT {

    /** A configuration is read again after half a minute, and a rebalance of a busy machine takes as long. */
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    private static final String GROUP = "console";
    private static final String PLAIN = "console plain";
    private static final String OURS = "console-ours";
    private static final String LITERAL = "literal-secret-4711";
    private static final String REFERENCE = "${env:CONSOLE_ENTRY_CODE}";
    private static final String TASKS = "/microbatch/v1/tasks?rates=true";

    private static final String ADVICE = "/microbatch/v1/advice?p99=2000";

    private final Cluster cluster;
    private ConnectWorker first;
    private ConnectWorker second;

    ConsoleIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @BeforeAll
    void start() {
        first = worker(1);
        second = worker(2);
        first.rest().create(PLAIN, plain(LITERAL));
        first.rest()
                .create(
                        OURS,
                        Map.of(
                                "connector.class", Cluster.CONNECTOR,
                                "tasks.max", "1",
                                "upstream.type", "synthetic",
                                "upstream.synthetic.topic", OURS,
                                "upstream.synthetic.rate", "200",
                                "calibration.directory",
                                        cluster.calibrationDirectory()
                                                .resolve(OURS)
                                                .toString(),
                                "key.converter", "org.apache.kafka.connect.converters.ByteArrayConverter",
                                "value.converter", "org.apache.kafka.connect.converters.ByteArrayConverter"));
        first.rest().awaitRunning(PLAIN, 1);
        first.rest().awaitRunning(OURS, 1);
    }

    private ConnectWorker worker(int number) {
        ConnectWorker.Builder builder = cluster.worker(Mode.EXACTLY_ONCE, GROUP)
                .name(GROUP + "-" + number)
                .property("group.id", GROUP)
                .property("rest.extension.classes", "io.microbatch.connect.console.ConsoleExtension")
                .property("config.providers", "env")
                .property("config.providers.env.class", "org.apache.kafka.common.config.provider.EnvVarConfigProvider")
                .environment("CONSOLE_ENTRY_CODE", LITERAL);
        for (String kind : new String[] {"config", "status"}) {
            builder.property(kind + ".storage.topic", GROUP + "-" + kind);
        }
        return builder.start();
    }

    private static Map<String, String> plain(String code) {
        Map<String, String> config = new HashMap<>(Map.of(
                "connector.class", "io.microbatch.connect.it.steady.SteadyConnector",
                "tasks.max", "1",
                "topic", "console-plain",
                "entry.code", code,
                "value.converter", "org.apache.kafka.connect.storage.StringConverter"));
        config.put("transaction.boundary", "interval");
        config.put("transaction.boundary.interval.ms", "5000");
        return config;
    }

    @AfterAll
    void stop() {
        first.close();
        second.close();
    }

    private static JsonNode task(JsonNode answer, String connector) {
        for (JsonNode task : answer.path("tasks")) {
            if (task.path("connector").asText().equals(connector)) {
                return task;
            }
        }
        return answer.path("absent");
    }

    /** An empty answer while the worker's herder is busy with a rebalance. */
    private static JsonNode ask(ConnectWorker worker, String path) {
        try {
            return worker.rest().call("GET", path, null);
        } catch (ConnectRestException e) {
            if (e.status() != 503) {
                throw e;
            }
            return MissingNode.getInstance();
        }
    }

    private static JsonNode awaitFigures(ConnectWorker worker, String connector, String... figures) {
        JsonNode[] last = new JsonNode[1];
        Await.until(
                connector + " has figures",
                PATIENCE,
                () -> {
                    last[0] = task(ask(worker, TASKS), connector);
                    for (String figure : figures) {
                        if (!last[0].path("figures").path(figure).isNumber()) {
                            return false;
                        }
                    }
                    return true;
                },
                () -> String.valueOf(last[0]));
        return last[0];
    }

    /** The figures are read when somebody asks, and the rates by the sampler: its first sample may come later. */
    private static JsonNode awaitRates(ConnectWorker worker, String connector) {
        JsonNode[] last = new JsonNode[1];
        Await.until(
                "the worker of " + connector + " has taken a sample",
                PATIENCE,
                () -> {
                    last[0] = task(ask(worker, TASKS), connector);
                    return !last[0].path("rates").isEmpty();
                },
                () -> String.valueOf(last[0]));
        return last[0].path("rates");
    }

    /** Both tasks with these figures, on two workers, as this worker shows them. */
    private static JsonNode awaitBoth(ConnectWorker worker) {
        JsonNode[] last = new JsonNode[1];
        Await.until(
                "the two tasks have figures, on two workers",
                PATIENCE,
                () -> {
                    last[0] = ask(worker, TASKS);
                    JsonNode plain = task(last[0], PLAIN);
                    JsonNode ours = task(last[0], OURS);
                    return plain.path("figures").path("rate").isNumber()
                            && ours.path("figures").path("rate").isNumber()
                            && !plain.path("worker").equals(ours.path("worker"));
                },
                () -> String.valueOf(last[0]));
        return last[0];
    }

    @Test
    void showsTheFiguresOfEveryTaskWhicheverWorkerIsAsked() {
        for (ConnectWorker worker : new ConnectWorker[] {first, second}) {
            JsonNode ignored = awaitBoth(worker);
            JsonNode plain = awaitFigures(
                    worker,
                    PLAIN,
                    "rate",
                    "batch-records-avg",
                    "transaction-records-avg",
                    "commit-avg-ms",
                    "poll-avg-ms",
                    "producer-request-avg-ms",
                    "producer-brokers",
                    "retries-total");
            assertThat(plain.path("figures").path("rate").asDouble()).isPositive();
            assertThat(plain.path("figures").path("producer-brokers").asInt()).isEqualTo(1);
            assertThat(plain.path("delivery").asText()).isEqualTo("exactly-once");
            assertThat(plain.path("state").asText()).isEqualTo("RUNNING");
            JsonNode ours = awaitFigures(
                    worker,
                    OURS,
                    "pressure-level",
                    "linger-ms",
                    "ack-latency-minute-p99-ms",
                    "stripe-remaining-events");
            assertThat(ours.path("microbatch").asBoolean()).isTrue();
            assertThat(ours.path("source").asText()).isEqualTo("synthetic");
            assertThat(ours.path("waterfall")).isNotEmpty();
            assertThat(awaitRates(worker, OURS)).hasSize(120);
        }
    }

    @Test
    void showsTheHistoryOfATaskWhicheverWorkerIsAsked() {
        JsonNode both = awaitBoth(first);
        assertThat(both.path("tasks")).hasSize(2);
        for (ConnectWorker worker : new ConnectWorker[] {first, second}) {
            for (String connector : new String[] {PLAIN, OURS}) {
                JsonNode[] last = new JsonNode[1];
                Await.until(
                        "a rate in the history of " + connector,
                        PATIENCE,
                        () -> {
                            String path = "/microbatch/v1/history?connector=" + connector.replace(" ", "%20");
                            last[0] = ask(worker, path + "&task=0");
                            JsonNode rates = last[0].path("series").path("rate");
                            boolean known = false;
                            for (JsonNode rate : rates) {
                                known |= rate.isNumber();
                            }
                            return known && last[0].path("state").asText().equals("ok");
                        },
                        () -> String.valueOf(last[0]));
                assertThat(last[0].path("series").path("rate")).hasSize(120);
            }
        }
        assertThatThrownBy(() -> first.rest().call("GET", "/microbatch/v1/history?task=0", null))
                .isInstanceOfSatisfying(
                        ConnectRestException.class, e -> assertThat(e.status()).isEqualTo(400));
    }

    @Test
    void advisesWithoutASecretInAnyBody() {
        awaitFigures(first, PLAIN, "transaction-records-avg");
        JsonNode[] last = new JsonNode[1];
        Await.until(
                "advice for the plain connector",
                PATIENCE,
                () -> {
                    last[0] = ask(first, ADVICE);
                    JsonNode advice = task(last[0], PLAIN).path("advice");
                    return advice.path("verdict").asText().equals("set")
                            && advice.path("change").path("hidden").size() == 1;
                },
                () -> String.valueOf(last[0]));
        JsonNode change = task(last[0], PLAIN).path("advice").path("change");
        assertThat(change.path("patch").path("transaction.boundary.interval.ms").asInt())
                .isBetween(20, 2_000);
        assertThat(change.path("put").path("topic").asText()).isEqualTo("console-plain");
        assertThat(change.path("hidden").path(0).asText()).isEqualTo("entry.code");
        assertThat(last[0].toString()).doesNotContain(LITERAL);
        assertThat(task(last[0], OURS).path("advice").path("verdict").asText()).isNotEmpty();
    }

    @Test
    void servesThePageWithItsFilesAndNothingElse() {
        assertThat(first.rest().call("GET", "/microbatch/", null).asText()).contains("<title>Connect tasks</title>");
        assertThat(first.rest().call("GET", "/microbatch/console.js", null).asText())
                .contains("use strict");
        assertThat(first.rest().call("GET", "/microbatch/console.css", null).asText())
                .contains("prefers-color-scheme");
        assertThatThrownBy(() -> first.rest().call("GET", "/microbatch/v1/advice?p99=-1", null))
                .isInstanceOfSatisfying(
                        ConnectRestException.class, e -> assertThat(e.status()).isEqualTo(400));
    }

    @Test
    void isAbsentFromAWorkerThatDoesNotNameIt() {
        assertThatThrownBy(() -> cluster.rest(Mode.EXACTLY_ONCE).call("GET", "/microbatch/", null))
                .isInstanceOfSatisfying(
                        ConnectRestException.class, e -> assertThat(e.status()).isEqualTo(404));
    }

    /** A worker that does not answer costs its own figures, and neither the answer nor the other worker. */
    @Test
    void answersWhileAnotherWorkerIsFrozen() {
        JsonNode ignored = awaitBoth(first);
        second.freeze();
        try {
            JsonNode[] last = new JsonNode[1];
            // Another question than before: answers are used again for a second.
            Await.until(
                    "an answer without the frozen worker",
                    PATIENCE,
                    () -> {
                        last[0] = ask(first, TASKS + "&p99=77");
                        return last[0].path("other_workers")
                                .path(0)
                                .path("state")
                                .asText()
                                .equals("no answer");
                    },
                    () -> String.valueOf(last[0]));
            assertThat(last[0].path("tasks").size()).isEqualTo(2);
            assertThat(first.rest().call("GET", "/connectors", null)).hasSize(2);
        } finally {
            second.thaw();
        }
    }

    @Test
    void keepsReferencesToSecretsInABody() {
        first.rest().call("PUT", "/connectors/console%20plain/config", plain(REFERENCE));
        JsonNode[] last = new JsonNode[1];
        Await.until(
                "a body with the reference",
                PATIENCE,
                () -> {
                    last[0] = ask(first, ADVICE);
                    return task(last[0], PLAIN)
                            .path("advice")
                            .path("change")
                            .path("put")
                            .path("entry.code")
                            .asText()
                            .equals(REFERENCE);
                },
                () -> String.valueOf(last[0]));
        assertThat(last[0].toString()).doesNotContain(LITERAL);
        JsonNode ignored = first.rest().call("PUT", "/connectors/console%20plain/config", plain(LITERAL));
    }
}
