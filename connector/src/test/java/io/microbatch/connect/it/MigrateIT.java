package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.connect.it.Migrating.Run;
import io.microbatch.connect.it.RestProxy.Effect;
import io.microbatch.connect.it.RestProxy.Fault;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectRest;
import io.microbatch.testbed.ConnectWorker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * {@code microbatch migrate} on real workers: Debezium is hosted and runs plain again while rows are written, and
 * whatever cannot be moved is left alone.
 */
@ExtendWith(Cluster.Shared.class)
class MigrateIT {

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final int ROWS = 200;
    private static final String FILE_SOURCE = Migrating.FILE_SOURCE;

    private final ObjectMapper json = new ObjectMapper();
    private final Cluster cluster;
    private long last;

    MigrateIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void hostsDebeziumAndRunsItPlainAgainWhileRowsAreWritten(Mode mode) throws Exception {
        String name = "migrate_" + mode.suffix().replace('-', '_');
        ConnectWorker worker = cluster.worker(mode);
        ConnectRest rest = worker.rest();
        try (PostgresFixture table = new PostgresFixture(cluster.postgres(), name);
                RestProxy proxy = new RestProxy(rest.address())) {
            Migrating command = Migrating.of(cluster, proxy.address(), name);
            write(table);
            rest.create(name, table.plain());
            worker.awaitRunning(name, 1);
            awaitRows(table);
            JsonNode before = Migrating.config(rest, name);
            Set<String> slots = table.slots();

            // At least once the worker stores an offset some time after the rows, and perhaps one within the snapshot
            // before that. Migrate interrupts no snapshot.
            Await.until(
                    "an offset of " + name + " after the snapshot",
                    PATIENCE,
                    () -> isAfterSnapshot(rest.offsets(name).at("/offsets/0/offset")),
                    () -> rest.offsets(name).toString());

            write(table);
            Run shown = command.run("--set", "latency.target.ms=100");
            assertThat(shown.exitCode()).as(shown.output()).isZero();
            assertThat(shown.output())
                    .contains("- database.password = (hidden)", "+ upstream.connector.database.password = (hidden)")
                    .contains("+ latency.target.ms = 100", "Offsets now: 1", "Nothing was changed. Add --execute");
            assertThat(Migrating.config(rest, name)).as("after a dry run").isEqualTo(before);
            assertThat(rest.status(name).state()).isEqualTo("RUNNING");

            String directory = cluster.calibrationDirectory().toString();
            proxy.fail(new Fault("", "/config", Effect.PASS), null, () -> write(table));
            Run hosted = command.run(
                    "--execute", "--set", "latency.target.ms=100", "--set", "calibration.directory=" + directory);
            assertThat(hosted.exitCode()).as(hosted.output()).isZero();
            assertThat(proxy.isPending())
                    .as("rows were written while it was stopped")
                    .isFalse();
            assertThat(hosted.output()).contains("Offsets verified: 1 of 1 are as before.", "Done. " + name);
            write(table);
            worker.awaitRunning(name, 1);
            awaitRows(table);
            assertThat(Migrating.config(rest, name).path("connector.class").asText())
                    .isEqualTo(Cluster.CONNECTOR);
            assertThat(Migrating.config(rest, name).path("upstream.connector.database.password"))
                    .isEqualTo(before.path("database.password"));

            Path left = Migrating.saved(cluster, name).resolve(name + ".offsets.json");
            Files.writeString(left, "{}");
            Run looked = command.run();
            assertThat(looked.output()).contains("Nothing to do: it is hosted and runs.");
            assertThat(left).as("after a dry run").exists();
            Run again = command.run("--execute");
            assertThat(again.exitCode()).isZero();
            assertThat(again.output()).contains("Nothing to do: it is hosted and runs.");
            assertThat(left).doesNotExist();

            proxy.fail(new Fault("", "/config", Effect.PASS), null, () -> write(table));
            Run back = command.run("--back", "--execute");
            assertThat(back.exitCode()).as(back.output()).isZero();
            write(table);
            worker.awaitRunning(name, 1);
            awaitRows(table);
            assertThat(Migrating.config(rest, name)).isEqualTo(before);
            // Slots of other tests on this server may vanish meanwhile.
            assertThat(table.slots()).isSubsetOf(slots).contains(name);
            assertThat(json.readTree(Migrating.saved(cluster, name)
                            .resolve(name + ".plain.json")
                            .toFile()))
                    .isEqualTo(before);
            assertThat(Migrating.saved(cluster, name).resolve(name + ".offsets.json"))
                    .doesNotExist();

            rest.stop(name);
            rest.awaitState(name, "STOPPED");
            assertThat(table.ids(cluster.reader())).as("once, in order").isEqualTo(rows());
            rest.delete(name);
        }
    }

    private static boolean isAfterSnapshot(JsonNode offset) {
        return offset.has("lsn")
                && (!offset.has("snapshot")
                        || offset.path("snapshot_completed").asBoolean()
                        || offset.path("last_snapshot_record").asBoolean());
    }

    private void write(PostgresFixture table) {
        table.insert(last + 1, last + ROWS);
        last += ROWS;
    }

    private List<Long> rows() {
        return LongStream.rangeClosed(1, last).boxed().toList();
    }

    private void awaitRows(PostgresFixture table) {
        Await.until(
                last + " rows in " + table.topic(),
                PATIENCE,
                () -> table.ids(cluster.reader()).size() >= last,
                () -> table.ids(cluster.reader()).size() + " seen");
    }

    /** The offsets are changed behind the command's back. It must not start the new tasks there. */
    @Test
    void doesNotResumeAtOtherOffsets() throws Exception {
        String name = "migrate-offsets";
        ConnectRest rest = cluster.rest(Mode.AT_LEAST_ONCE);
        Path file = Migrating.fileSource(cluster, rest, name);
        ObjectNode other = json.createObjectNode();
        ObjectNode entry = other.putArray("offsets").addObject();
        entry.putObject("partition").put("filename", file.toString());
        entry.putObject("offset").put("position", 2);
        try (RestProxy proxy = new RestProxy(rest.address())) {
            String configure = "PUT /connectors/" + name + "/config";
            proxy.fail(new Fault(configure, "/offsets", Effect.PASS), null, () -> rest.alterOffsets(name, other));
            Run run = Migrating.of(cluster, proxy.address(), name).run("--execute");

            assertThat(run.exitCode()).as(run.output()).isEqualTo(1);
            assertThat(run.output())
                    .contains("was at {\"position\":8} and is at {\"position\":2}")
                    .contains("FAILED at the step 'compare the offsets'", "Undone: " + name);
        }
        assertThat(Migrating.config(rest, name).path("connector.class").asText())
                .isEqualTo(FILE_SOURCE);
        rest.awaitRunning(name, 1);
        rest.delete(name);
    }

    /** A first run has put the configuration and has been killed. Then somebody deletes the offsets. */
    @Test
    void comparesWithTheOffsetsThatAKilledRunHasLeft() throws Exception {
        String name = "migrate-left";
        ConnectRest rest = cluster.rest(Mode.AT_LEAST_ONCE);
        Path ignored = Migrating.fileSource(cluster, rest, name);
        try (RestProxy proxy = new RestProxy(rest.address())) {
            Migrating command = Migrating.of(cluster, proxy.address(), name);
            Fault killed = new Fault("", "PUT /connectors/" + name + "/config", Effect.DIE_AFTER);
            proxy.fail(killed, Thread.currentThread(), () -> {});
            assertThat(command.run("--execute").exitCode()).isEqualTo(Migrating.KILLED);
            rest.awaitState(name, "STOPPED");
            rest.resetOffsets(name);

            Run run = command.run("--execute");
            assertThat(run.exitCode()).as(run.output()).isEqualTo(1);
            assertThat(run.output()).contains("has no offset any more", "delete that file and run this command again");
            assertThat(rest.status(name).state()).isEqualTo("STOPPED");
            for (String[] other :
                    new String[][] {{"--execute", "--set", "latency.target.ms=100"}, {"--execute", "--back"}}) {
                Run changing = command.run(other);
                assertThat(changing.exitCode()).as(changing.output()).isEqualTo(1);
                assertThat(changing.output()).contains("delete that file and run this command again");
                assertThat(rest.status(name).state()).isEqualTo("STOPPED");
            }
            assertThat(Migrating.saved(cluster, name).resolve(name + ".hosted.json"))
                    .as("the configuration before the latest runs")
                    .exists();
            assertThat(Migrating.saved(cluster, name).resolve(name + ".plain.1.json"))
                    .doesNotExist();
        }
        rest.delete(name);
    }

    @Test
    void goesBackWhenTheHostedTaskFails() throws Exception {
        String name = "migrate-fails";
        ConnectRest rest = cluster.rest(Mode.AT_LEAST_ONCE);
        Path file = Migrating.fileSource(cluster, rest, name);
        try (RestProxy proxy = new RestProxy(rest.address())) {
            Fault configured = new Fault("", "PUT /connectors/" + name + "/config", Effect.PASS);
            proxy.fail(configured, null, () -> append(file));
            // No topic can have this name, which the task learns when it sends the new line.
            Run run = Migrating.of(cluster, proxy.address(), name)
                    .run("--execute", "--set", "upstream.connector.topic=in valid", "--watch", "90");

            assertThat(run.exitCode()).as(run.output()).isEqualTo(1);
            assertThat(run.output())
                    .contains("FAILED at the step 'wait for its tasks': Task 0 has failed")
                    .contains("Undone: " + name + " has its former configuration and runs.");
        }
        assertThat(Migrating.config(rest, name).path("connector.class").asText())
                .isEqualTo(FILE_SOURCE);
        rest.awaitRunning(name, 1);
        rest.delete(name);
    }

    /** The task has moved on before it failed, so that its offsets are not those which the run has saved. */
    @Test
    void goesOnWhenTheHostedTaskOfAStoppedConnectorHasFailed() throws Exception {
        String name = "migrate-stopped-fails";
        ConnectRest rest = cluster.rest(Mode.AT_LEAST_ONCE);
        Path file = Migrating.fileSource(cluster, rest, name);
        rest.stop(name);
        rest.awaitState(name, "STOPPED");
        Files.writeString(file, "5\nfive\n", StandardOpenOption.APPEND);
        Migrating command = Migrating.of(cluster, rest.address(), name);
        String cast = "org.apache.kafka.connect.transforms.Cast$Value";

        Run failed = command.run(
                "--execute",
                "--set",
                "transforms=cast",
                "--set",
                "transforms.cast.type=" + cast,
                "--set",
                "transforms.cast.spec=int32",
                "--watch",
                "90");

        assertThat(failed.exitCode()).as(failed.output()).isEqualTo(1);
        assertThat(failed.output()).contains("Undone: " + name + " has its former configuration and is stopped.");
        assertThat(rest.offsets(name).at("/offsets/0/offset/position").asLong())
                .as("position after the line that could be cast")
                .isEqualTo(10);

        Run repaired = command.run("--execute");

        assertThat(repaired.exitCode()).as(repaired.output()).isZero();
        rest.awaitRunning(name, 1);
        rest.delete(name);
    }

    private static void append(Path file) {
        try {
            Files.writeString(file, "e\n", StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void showsNoSecret() throws Exception {
        String name = "migrate_secret";
        ConnectRest rest = cluster.rest(Mode.AT_LEAST_ONCE);
        try (PostgresFixture table = new PostgresFixture(cluster.postgres(), name)) {
            Map<String, String> plain = table.plain();
            rest.create(name, plain);
            rest.awaitRunning(name, 1);
            // The worker repeats the value of a number that is none.
            Run run = Migrating.of(cluster, rest.address(), name)
                    .run(
                            "--set", "upstream.connector.database.password=canary-4711",
                            "--set", "upstream.connector.database.user=nobody",
                            "--set", "value.converter.schema.registry.basic.auth.user.info=canary-0815",
                            "--set", "errors.retry.timeout=canary-4711");

            assertThat(run.exitCode()).as(run.output()).isEqualTo(1);
            assertThat(run.output())
                    .contains("errors.retry.timeout: ", "user.info = (hidden)", "database.password = (hidden)")
                    .doesNotContain("canary-0815");
            String problems = run.output().substring(run.output().indexOf("Nothing was changed:"));
            assertThat(problems).contains("(hidden)").doesNotContain("canary");
            rest.delete(name);
        }
    }
}
