package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.connect.it.Migrating.Run;
import io.microbatch.connect.it.RestProxy.Effect;
import io.microbatch.connect.it.RestProxy.Fault;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectRest;
import io.microbatch.testbed.ConnectWorker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * {@code microbatch migrate} with a failure at every step, in both directions: of the request, of its answer, of the
 * command itself, of the network and of the worker. The next run ends well each time, and in the end every line was
 * delivered once and in order.
 */
@ExtendWith(Cluster.Shared.class)
@Tag("long")
class MigrateFaultsIT {

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final String FILE_SOURCE = "org.apache.kafka.connect.file.FileStreamSourceConnector";

    private final Cluster cluster;
    private final List<String> written = new ArrayList<>();
    private Path file;
    private String name;

    MigrateFaultsIT(Cluster cluster) {
        this.cluster = cluster;
    }

    /** Every step and every effect, but not every pair of them. Every other one is a step of the way back. */
    private static List<Fault> faults(String connector) {
        String stop = "PUT /connectors/" + connector + "/stop";
        String configure = "PUT /connectors/" + connector + "/config";
        String resume = "PUT /connectors/" + connector + "/resume";
        String offsets = "/offsets";
        String status = "/status";
        return List.of(
                new Fault("", stop, Effect.REFUSE),
                new Fault("", configure, Effect.LOSE_ANSWER),
                new Fault("", resume, Effect.DIE_AFTER),
                new Fault("", stop, Effect.LOSE_ANSWER),
                new Fault("", configure, Effect.REFUSE),
                new Fault("", configure, Effect.DIE_BEFORE),
                new Fault("", resume, Effect.REFUSE),
                new Fault("", stop, Effect.DIE_AFTER),
                new Fault("", configure, Effect.DIE_AFTER),
                new Fault(stop, offsets, Effect.DIE_BEFORE),
                new Fault(configure, offsets, Effect.REFUSE),
                new Fault(resume, status, Effect.DIE_BEFORE),
                new Fault(configure, offsets, Effect.CUT),
                new Fault(resume, status, Effect.REFUSE),
                // A worker that gets the new configuration ends the connector and starts it again.
                new Fault(stop + RestProxy.THEN + offsets, status, Effect.UNASSIGNED),
                new Fault(configure, status, Effect.UNASSIGNED),
                new Fault("", configure, Effect.LATE),
                // A worker that is not the leader passes a stop on, and resumes without it.
                new Fault("", stop, Effect.OVERTAKEN));
    }

    @Test
    void theNextRunEndsWellAfterAFailureAtAnyStep() throws Exception {
        begin("migrate-faults");
        ConnectRest rest = cluster.rest(Mode.EXACTLY_ONCE);
        append();
        rest.create(name, plain());
        awaitLines();
        try (RestProxy proxy = new RestProxy(rest.address())) {
            Migrating command = new Migrating(
                    proxy.address(),
                    name,
                    Files.createDirectories(cluster.directory().resolve(name)));
            boolean back = false;
            for (Fault fault : faults(name)) {
                moveWithFault(command, proxy, fault, back);
                back = !back;
            }
        }
        awaitLines();
        rest.delete(name);
    }

    private void moveWithFault(Migrating command, RestProxy proxy, Fault fault, boolean back) {
        String[] arguments = back ? new String[] {"--back", "--execute"} : new String[] {"--execute"};
        String what = fault + (back ? " on the way back" : "");
        append();
        proxy.fail(fault, Thread.currentThread(), this::append);
        Run failed = command.run(arguments);
        assertThat(proxy.isPending()).as(what + " happens: " + failed.output()).isFalse();
        boolean killed = fault.effect() == Effect.DIE_BEFORE || fault.effect() == Effect.DIE_AFTER;
        boolean onlyAsked = fault.request().equals("/status") || fault.after().endsWith("/resume");
        if (killed) {
            assertThat(failed.exitCode()).as(what + ": " + failed.output()).isEqualTo(Migrating.KILLED);
        } else if (onlyAsked) {
            // Asked again.
            assertThat(failed.exitCode()).as(what + ": " + failed.output()).isZero();
        } else {
            assertThat(failed.exitCode()).as(what + ": " + failed.output()).isEqualTo(1);
            assertThat(failed.output())
                    .as(what)
                    .contains("FAILED at the step", "What stands", "To go on, repair the cause")
                    .contains(fault.effect() == Effect.CUT ? "could not be undone" : "Undone: " + name + " has its");
            if (fault.effect() != Effect.CUT) {
                assertThat(isHosted()).as(what + ": undone").isEqualTo(back);
                assertThat(state()).as(what + ": undone").isEqualTo("RUNNING");
            }
        }
        proxy.fail(null, null, () -> {});
        append();
        Run next = command.run(arguments);
        assertThat(next.exitCode()).as("after " + what + ": " + next.output()).isZero();
        assertThat(isHosted()).as("after " + what).isEqualTo(!back);
        assertThat(state()).as("after " + what).isEqualTo("RUNNING");
        append();
        awaitLines();
    }

    private boolean isHosted() {
        return cluster.rest(Mode.EXACTLY_ONCE)
                .call("GET", "/connectors/" + name + "/config", null)
                .path("connector.class")
                .asText()
                .equals(Cluster.CONNECTOR);
    }

    private String state() {
        return cluster.rest(Mode.EXACTLY_ONCE).status(name).state();
    }

    @Test
    void theNextRunEndsWellAfterTheWorkerDied() throws Exception {
        begin("migrate-killed");
        try (ConnectWorker worker = cluster.member(Mode.EXACTLY_ONCE, name, 1)) {
            append();
            worker.rest().create(name, plain());
            awaitLines();
            try (RestProxy proxy = new RestProxy(worker.rest().address())) {
                Migrating command = new Migrating(
                        proxy.address(),
                        name,
                        Files.createDirectories(cluster.directory().resolve(name)));
                boolean back = false;
                for (String request : List.of("/stop", "/config", "/resume")) {
                    String[] arguments = back ? new String[] {"--execute", "--back"} : new String[] {"--execute"};
                    Fault kill = new Fault("", "PUT /connectors/" + name + request, Effect.PASS);
                    proxy.fail(kill, null, worker::kill);
                    Run failed = command.run(arguments);
                    assertThat(failed.exitCode()).as(failed.output()).isEqualTo(1);
                    assertThat(failed.output()).contains("could not be undone", "What stands is not known");

                    append();
                    worker.restart();
                    Await.until(
                            name + " is as the killed worker left it",
                            PATIENCE,
                            () -> settled(worker.rest()),
                            () -> worker.rest().status(name).toString());
                    Run next = command.run(arguments);
                    assertThat(next.exitCode()).as(next.output()).isZero();
                    worker.awaitRunning(name, 1);
                    append();
                    awaitLines();
                    back = !back;
                }
            }
        }
    }

    /** After a restart the worker first shows the states of the killed process. */
    private boolean settled(ConnectRest rest) {
        String state = rest.status(name).state();
        return state.equals("STOPPED") || rest.status(name).isRunningWith(1);
    }

    private void begin(String connector) {
        name = connector;
        file = cluster.directory().resolve(name + ".txt");
    }

    private void append() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 20; i++) {
            String line = "line " + written.size();
            written.add(line);
            text.append(line).append('\n');
        }
        try {
            Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void awaitLines() {
        Await.until(
                written.size() + " lines in " + name,
                PATIENCE,
                () -> lines().size() >= written.size(),
                () -> lines().size() + " seen");
        assertThat(lines()).isEqualTo(written);
    }

    private List<String> lines() {
        return cluster.reader().readCommitted(name).stream()
                .map(record -> new String(record.value(), StandardCharsets.UTF_8))
                .toList();
    }

    private Map<String, String> plain() {
        Map<String, String> config = new HashMap<>();
        config.put("connector.class", FILE_SOURCE);
        config.put("tasks.max", "1");
        config.put("topic", name);
        config.put("file", file.toString());
        config.put("value.converter", "org.apache.kafka.connect.storage.StringConverter");
        // The hosted connector does not know this key, and the worker does not read it.
        config.put("batch.size", "100");
        return config;
    }
}
