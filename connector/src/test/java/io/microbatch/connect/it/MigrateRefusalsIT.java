package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.connect.it.Migrating.Run;
import io.microbatch.connect.it.RestProxy.Effect;
import io.microbatch.connect.it.RestProxy.Fault;
import io.microbatch.testbed.ConnectRest;
import io.microbatch.testbed.ConnectWorker;
import io.microbatch.testbed.TestbedHome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What {@code microbatch migrate} does not move, and what it leaves as somebody else has put it. */
@ExtendWith(Cluster.Shared.class)
class MigrateRefusalsIT {

    private static final String FILE_SOURCE = Migrating.FILE_SOURCE;

    private final ObjectMapper json = new ObjectMapper();
    private final Cluster cluster;

    MigrateRefusalsIT(Cluster cluster) {
        this.cluster = cluster;
    }

    /** It is changed after this command has looked at it. What was put then is not for this command to replace. */
    @Test
    void leavesWhatSomebodyElseHasPutMeanwhile() throws Exception {
        String name = "migrate-meanwhile";
        ConnectRest rest = cluster.rest(Mode.AT_LEAST_ONCE);
        Path file = Migrating.fileSource(cluster, rest, name);
        Map<String, String> others = Map.of(
                "connector.class",
                FILE_SOURCE,
                "tasks.max",
                "1",
                "topic",
                name,
                "file",
                file.toString(),
                "batch.size",
                "50");
        for (String request : List.of("/stop", "/config")) {
            try (RestProxy proxy = new RestProxy(rest.address())) {
                // Before the first request, or after the new configuration is in force.
                Fault meanwhile = request.equals("/stop")
                        ? new Fault("", "/stop", Effect.PASS)
                        : new Fault("PUT /connectors/" + name + "/config", "/status", Effect.PASS);
                proxy.fail(meanwhile, null, () -> rest.put(name, others));
                Run run = Migrating.of(cluster, proxy.address(), name).run("--execute");

                assertThat(run.exitCode()).as(run.output()).isEqualTo(1);
                assertThat(run.output())
                        .contains("FAILED at the step", "Not undone: somebody else has put another configuration")
                        .contains("has the configuration of somebody else and is STOPPED")
                        .doesNotContain("Undone: ");
            }
            assertThat(Migrating.config(rest, name).path("batch.size").asText()).isEqualTo("50");
            rest.put(name, Map.of("connector.class", FILE_SOURCE, "topic", name, "file", file.toString()));
            rest.resume(name);
            rest.awaitRunning(name, 1);
        }
        rest.delete(name);
    }

    /** Neither a directory that cannot be written nor a file that is broken may interrupt the connector. */
    @Test
    void savesBeforeItStops() throws Exception {
        String name = "migrate-unsaved";
        ConnectRest rest = cluster.rest(Mode.AT_LEAST_ONCE);
        Path file = Migrating.fileSource(cluster, rest, name);
        try (RestProxy proxy = new RestProxy(rest.address())) {
            proxy.fail(new Fault("", "/stop", Effect.PASS), null, () -> {});
            Run run = new Migrating(proxy.address(), name, file.resolve("no-directory")).run("--execute");

            assertThat(run.exitCode()).as(run.output()).isEqualTo(1);
            assertThat(run.output()).contains("FAILED at the step 'save the configuration'", "Nothing was changed.");
            assertThat(proxy.isPending()).as("it is not stopped").isTrue();
        }
        Migrating command = Migrating.of(cluster, rest.address(), name);
        Path broken = Files.writeString(Migrating.saved(cluster, name).resolve(name + ".plain.json"), "{ half");
        Run run = command.run("--execute");
        assertThat(run.exitCode()).as(run.output()).isZero();
        assertThat(broken).hasContent("{ half");
        assertThat(Migrating.saved(cluster, name).resolve(name + ".plain.1.json"))
                .exists();
        rest.delete(name);
    }

    /** The mark is one of Debezium's. Here it is in the offset of a file, so that no snapshot has to last. */
    @Test
    void interruptsNoSnapshot() throws Exception {
        String name = "migrate-snapshot";
        ConnectRest rest = cluster.rest(Mode.AT_LEAST_ONCE);
        Path file = Migrating.fileSource(cluster, rest, name);
        rest.stop(name);
        rest.awaitState(name, "STOPPED");
        ObjectNode marked = json.createObjectNode();
        ObjectNode entry = marked.putArray("offsets").addObject();
        entry.putObject("partition").put("filename", file.toString());
        entry.putObject("offset").put("position", 8).put("snapshot", "INITIAL").put("snapshot_completed", false);
        rest.alterOffsets(name, marked);
        rest.resume(name);
        rest.awaitRunning(name, 1);

        assertRefused(
                Migrating.of(cluster, rest.address(), name).run("--execute"),
                "has not ended. A stop would begin it again");
        assertThat(rest.status(name).state()).isEqualTo("RUNNING");
        rest.stop(name);
        rest.awaitState(name, "STOPPED");
        Run run = Migrating.of(cluster, rest.address(), name).run("--execute");
        assertThat(run.exitCode()).as(run.output()).isZero();
        rest.delete(name);
    }

    @Test
    void leavesAloneWhatItCannotMove() throws Exception {
        ConnectRest rest = cluster.rest(Mode.AT_LEAST_ONCE);
        assertRefused(Migrating.of(cluster, rest.address(), "nobody").run("--execute"), "There is no connector nobody");

        Map<String, String> sink = new HashMap<>(Map.of(
                "connector.class", "org.apache.kafka.connect.file.FileStreamSinkConnector",
                "tasks.max", "1",
                "topics", "migrate-sink",
                "file", cluster.directory().resolve("migrate-sink.txt").toString()));
        rest.create("migrate-sink", sink);
        rest.awaitRunning("migrate-sink", 1);
        assertRefused(
                Migrating.of(cluster, rest.address(), "migrate-sink").run("--execute"),
                "Only a source connector can be hosted");
        rest.delete("migrate-sink");

        String name = "migrate-refused";
        Path ignored = Migrating.fileSource(cluster, rest, name);
        assertRefused(
                Migrating.of(cluster, rest.address(), name).run("--execute", "--set", "latency.target.ms=soon"),
                "latency.target.ms: ");
        try (RestProxy old = new RestProxy(rest.address())) {
            old.fail(new Fault("", "/offsets", Effect.UNKNOWN), null, () -> {});
            assertRefused(
                    Migrating.of(cluster, old.address(), name).run("--execute"),
                    "The worker has no address for offsets");
        }
        rest.pause(name);
        rest.awaitState(name, "PAUSED");
        assertRefused(Migrating.of(cluster, rest.address(), name).run("--execute"), "It is paused");
        assertThat(Migrating.config(rest, name).path("connector.class").asText())
                .isEqualTo(FILE_SOURCE);
        assertThat(rest.status(name).state()).isEqualTo("PAUSED");
        rest.delete(name);
    }

    @Test
    void saysThatTheArchiveIsMissingOnTheWorker() throws Exception {
        String name = "migrate-bare";
        try (ConnectWorker worker = cluster.worker(Mode.AT_LEAST_ONCE, name)
                .property("config.storage.topic", name + "-config")
                .property("status.storage.topic", name + "-status")
                .pluginPath(TestbedHome.locate().plugins())
                .start()) {
            Path ignored = Migrating.fileSource(cluster, worker.rest(), name);
            assertRefused(
                    Migrating.of(cluster, worker.rest().address(), name).run("--execute"),
                    Cluster.CONNECTOR + " is not installed on this worker");
            assertThat(worker.rest().status(name).state()).isEqualTo("RUNNING");
        }
    }

    private static void assertRefused(Run run, String why) {
        assertThat(run.exitCode()).as(run.output()).isEqualTo(1);
        assertThat(run.output()).contains(why);
    }
}
