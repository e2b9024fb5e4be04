package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectRestException;
import io.microbatch.testbed.ConnectWorker;
import io.microbatch.testbed.FaultProxy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What a new operator does with docs/console.md: a plain Debezium and a hosted one on one worker, the advice for the
 * plain one is followed twice, and then the database of the hosted one hangs.
 */
@Tag("long")
@ExtendWith(Cluster.Shared.class)
class ConsoleDebeziumIT {

    /** A configuration is read again after half a minute, and averages are those of up to a minute. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private static final String GROUP = "console-debezium";
    private static final long EACH_MS = 50;
    private static final long OFTEN_MS = 10;

    /** Less than the delay of Debezium's own poll interval, and far more than that of commits on a busy machine. */
    private static final int GOAL_MS = 300;

    /** For an interval with far fewer transactions than a busy machine makes without one. */
    private static final int LONGER_GOAL_MS = 3_000;

    private static final String TASKS = "/microbatch/v1/tasks?p99=";

    private final Cluster cluster;
    private int goalMs = GOAL_MS;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();

    ConsoleDebeziumIT(Cluster cluster) {
        this.cluster = cluster;
    }

    private JsonNode await(ConnectWorker worker, String connector, String what, Predicate<JsonNode> condition) {
        JsonNode[] last = new JsonNode[1];
        Await.until(
                connector + ": " + what,
                PATIENCE,
                () -> {
                    last[0] = task(worker, connector);
                    assertThat(worker.rest().status(connector).failure())
                            .as(connector + " has failed")
                            .isEmpty();
                    return last[0] != null && condition.test(last[0]);
                },
                () -> String.valueOf(last[0]));
        return last[0];
    }

    /** Null where there is none, or while the worker rebalances. */
    private JsonNode task(ConnectWorker worker, String connector) {
        try {
            for (JsonNode task : worker.rest().call("GET", TASKS + goalMs, null).path("tasks")) {
                if (task.path("connector").asText().equals(connector)) {
                    return task;
                }
            }
        } catch (ConnectRestException e) {
            if (e.status() != 503) {
                throw e;
            }
        }
        return null;
    }

    private ScheduledFuture<?> insertRows(PostgresFixture table, AtomicLong next, long eachMs) {
        return thread.scheduleAtFixedRate(
                () -> {
                    long id = next.getAndIncrement();
                    table.insert(id, id);
                },
                0,
                eachMs,
                TimeUnit.MILLISECONDS);
    }

    /** A hosted Debezium with heartbeats, whose connection a test can let hang. */
    private Map<String, String> hosted(PostgresFixture table, FaultProxy proxy) {
        Map<String, String> config = table.hosted(cluster);
        config.put("upstream.connector.database.port", Integer.toString(proxy.port()));
        config.put("upstream.connector.heartbeat.interval.ms", "500");
        config.put("upstream.connector.status.update.interval.ms", "1000");
        return config;
    }

    @Test
    void advisesAPlainDebeziumNextToAHostedOneAndTheAdviceHolds() throws SQLException {
        try (FaultProxy proxy = FaultProxy.listen();
                PostgresFixture plain = new PostgresFixture(cluster.postgres(), "console_plain");
                PostgresFixture hosted = new PostgresFixture(cluster.postgres(), "console_hosted");
                ConnectWorker worker = cluster.worker(Mode.EXACTLY_ONCE, GROUP)
                        .property("group.id", GROUP)
                        .property("rest.extension.classes", "io.microbatch.connect.console.ConsoleExtension")
                        // Averages of some seconds, so that the test need not wait for those of a minute.
                        .property("metrics.sample.window.ms", "5000")
                        // Kafka's default. No worker is killed here, so that no short timeout is needed, and a busy
                        // machine may take longer for a transaction than the other tests allow.
                        .property("producer.transaction.timeout.ms", "60000")
                        .start()) {
            proxy.forwardTo(cluster.postgres().port());
            worker.rest().create(plain.name(), plain.plain());
            worker.rest().create(hosted.name(), hosted(hosted, proxy));
            worker.awaitRunning(plain.name(), 1);
            worker.awaitRunning(hosted.name(), 1);
            AtomicLong nextOfPlain = new AtomicLong(1);
            ScheduledFuture<?> plainRows = insertRows(plain, nextOfPlain, EACH_MS);
            ScheduledFuture<?> hostedRows = insertRows(hosted, new AtomicLong(1), EACH_MS);

            seesBoth(worker, plain, hosted);
            followsTheAdviceForTheDelay(worker, plain);
            ScheduledFuture<?> moreRows = insertRows(plain, nextOfPlain, OFTEN_MS);
            followsTheAdviceForTheTransactions(worker, plain);
            assertThat(plainRows.isDone() || hostedRows.isDone() || moreRows.isDone())
                    .as("an insert failed")
                    .isFalse();
            seesThatTheDatabaseHangs(worker, hosted, proxy);
            assertThat(worker.logLines())
                    .as("warnings of MBeans about what the console asks for")
                    .noneMatch(line -> line.contains("Error getting JMX attribute"));
            worker.rest().delete(plain.name());
            worker.rest().delete(hosted.name());
        } finally {
            List<Runnable> ignored = thread.shutdownNow();
        }
    }

    private void seesBoth(ConnectWorker worker, PostgresFixture plain, PostgresFixture hosted) {
        JsonNode ours = await(
                worker,
                hosted.name(),
                "figures of the hosted one",
                task -> task.path("figures").path("debezium-connected").asInt() == 1
                        && task.path("figures").has("ack-latency-minute-p99-ms")
                        && task.path("figures").has("upstream-silent-ms")
                        && task.path("figures").has("upstream-lag-ms"));
        assertThat(ours.path("source").asText()).contains("PostgresConnector");
        assertThat(ours.path("upstream").asText()).isEqualTo("connected");
        assertThat(stages(ours)).contains("upstream", "linger", "commit");
        JsonNode theirs = await(
                worker,
                plain.name(),
                "figures of the plain one",
                task -> task.path("figures").has("commit-avg-ms"));
        assertThat(stages(theirs)).contains("poll interval", "commit");
    }

    private void followsTheAdviceForTheDelay(ConnectWorker worker, PostgresFixture plain) {
        // The first figures are those of the start, whose commits keep no goal.
        JsonNode slow = await(
                worker,
                plain.name(),
                "an advice that keeps the goal",
                task -> patch(task).has("poll.interval.ms") && p99Ms(task, "then") <= GOAL_MS);
        JsonNode advice = slow.path("advice");
        assertThat(advice.path("verdict").asText()).isEqualTo("set");
        assertThat(advice.path("change").path("hidden").toString()).contains("database.password");
        double nowMs = p99Ms(slow, "now");
        assertThat(nowMs).isGreaterThan(GOAL_MS);

        int advised = patch(slow).path("poll.interval.ms").asInt();
        apply(worker, plain, patch(slow));
        JsonNode better = await(
                worker,
                plain.name(),
                "what was advised is in force",
                task -> task.path("settings").path("poll.interval.ms").asInt() == advised
                        && !patch(task).has("poll.interval.ms")
                        && task.path("figures").path("poll-max-ms").asDouble() < nowMs);
        assertThat(better.path("advice").path("verdict").asText()).isNotEqualTo("wrap");
    }

    /** Transactions a second fall to what was predicted, within the factor that the advice names. */
    private void followsTheAdviceForTheTransactions(ConnectWorker worker, PostgresFixture plain) {
        goalMs = LONGER_GOAL_MS;
        Map<String, String> eachPoll = new HashMap<>(Map.of("poll.interval.ms", "10"));
        for (String key : List.of("boundary", "boundary.interval.ms")) {
            eachPoll.put("transaction." + key, null);
        }
        eachPoll.put("producer.override.linger.ms", null);
        apply(worker, plain, eachPoll);
        JsonNode costly = await(
                worker,
                plain.name(),
                "an interval with fewer transactions is advised",
                task -> patch(task).has("transaction.boundary.interval.ms")
                        && transactions(task.path("advice").path("then")) < perSec(task) / factor(task));
        double predicted = transactions(costly.path("advice").path("then"));

        apply(worker, plain, patch(costly));
        int intervalMs = patch(costly).path("transaction.boundary.interval.ms").asInt();
        JsonNode ignored = await(
                worker,
                plain.name(),
                "about " + predicted + " transactions/s in place of " + perSec(costly),
                task -> task.path("settings")
                                        .path("transaction.boundary.interval.ms")
                                        .asInt()
                                == intervalMs
                        && perSec(task) > predicted / factor(costly)
                        && perSec(task) < predicted * factor(costly));
    }

    private void seesThatTheDatabaseHangs(ConnectWorker worker, PostgresFixture hosted, FaultProxy proxy) {
        proxy.mode(FaultProxy.Mode.BLACK_HOLE);
        JsonNode hung = await(
                worker,
                hosted.name(),
                "its database hangs",
                task -> task.path("upstream").asText().equals("hangs"));
        assertThat(hung.path("state").asText()).isEqualTo("RUNNING");
        assertThat(hung.path("advice").path("verdict").asText()).isEqualTo("look-at-source");
        assertThat(hung.path("advice").path("summary").asText()).contains("Look at the database");
        proxy.mode(FaultProxy.Mode.PASS);
        proxy.cut();
    }

    private static void apply(ConnectWorker worker, PostgresFixture table, Object patch) {
        JsonNode ignored = worker.rest().call("PATCH", "/connectors/" + table.name() + "/config", patch);
    }

    private static double perSec(JsonNode task) {
        return task.path("transactions-per-sec").asDouble();
    }

    private static double transactions(JsonNode estimate) {
        return estimate.path("transactions_per_s").asDouble(Double.NaN);
    }

    private static double factor(JsonNode task) {
        return task.path("advice").path("error_factor").asDouble();
    }

    /** Not a number if it is not known. */
    private static double p99Ms(JsonNode task, String when) {
        return task.path("advice").path(when).path("p99_ms").asDouble(Double.NaN);
    }

    private static JsonNode patch(JsonNode task) {
        return task.path("advice").path("change").path("patch");
    }

    private static List<String> stages(JsonNode task) {
        return task.path("waterfall").findValuesAsText("stage");
    }
}
