package io.microbatch.bench.matrix;

import io.microbatch.testbed.ConfigValidation;
import io.microbatch.testbed.PostgresServer;
import io.microbatch.testbed.oracle.Findings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Tries the packaged connector in one cell, from the REST interface to the last event. One thread. */
final class CellRun {

    private static final String TRANSFORM = "io.microbatch.connect.transforms.StampPressure";
    private static final String OF_PLUGIN_METRICS = "io.microbatch.connect.transforms.ObservePressure";
    private static final String MISSPELT = "batch.max.record";
    private static final String NEEDED_BY_DEBEZIUM = "upstream.connector.database.hostname";

    private final CellServers servers;
    private final Cell cell;
    private final PostgresServer postgres;
    private final TakeOverCheck takeOver;
    private final GeneratorCheck generator;
    private final GeneratorCheck bulk;
    private final List<String> passed = new ArrayList<>();
    private int metrics;

    private CellRun(CellServers servers, Cell cell, PostgresServer postgres, String name) {
        this.servers = servers;
        this.cell = cell;
        this.postgres = postgres;
        takeOver = new TakeOverCheck(servers, postgres, name);
        generator = new GeneratorCheck(servers, false);
        bulk = new GeneratorCheck(servers, true);
    }

    /**
     * Starts the servers of the cell, tries the connector, and stops them. A failure is a result.
     *
     * @param work the directory of the cell
     * @param plugins the directory with our unpacked archive
     * @param name a name for the table, the slot and the connector, which no other cell has
     */
    static CellResult run(Cell cell, Path work, Path plugins, ReleaseFiles files, Databases databases, String name) {
        try (CellServers servers = new CellServers(work, plugins, cell, files)) {
            CellRun run = new CellRun(servers, cell, databases.of(cell.postgres()), name);
            try {
                return run.result();
            } catch (RuntimeException e) {
                return CellResult.failed(cell, run.passed, firstLine(e));
            }
        } catch (RuntimeException e) {
            return CellResult.failed(cell, List.of(), firstLine(e));
        }
    }

    private static String firstLine(RuntimeException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }

    private CellResult result() {
        step("versions", this::checkVersions);
        step("plugins", this::checkPlugins);
        step("validation", this::checkValidation);
        List<Findings> found = new ArrayList<>();
        step("generator and transform", generator::run);
        step("metrics", () -> metrics = generator.metrics().size());
        step("offsets", () -> found.add(generator.check()));
        step("bulk", () -> {
            bulk.run();
            found.add(bulk.check());
        });
        step("hosted PostgreSQL, taken over and back", () -> found.add(takeOver.run()));
        step("same API", this::checkApi);
        return new CellResult(cell, found.stream().reduce(Findings.NONE, Findings::plus), metrics, passed, "");
    }

    private void step(String what, Runnable check) {
        try {
            check.run();
        } catch (RuntimeException e) {
            throw new IllegalStateException(what + ": " + e.getMessage(), e);
        }
        passed.add(what);
    }

    private void checkPlugins() {
        List<String> installed = servers.rest().plugins();
        require(installed.contains(GeneratorCheck.CONNECTOR), "the connector is not installed");
        require(installed.contains(TRANSFORM), "the transforms are not installed");
        require(
                installed.contains(OF_PLUGIN_METRICS) == cell.worker().hasPluginMetrics(),
                OF_PLUGIN_METRICS + " is installed: " + installed.contains(OF_PLUGIN_METRICS));
    }

    private void checkVersions() {
        String debezium =
                servers.rest().connectorVersion(TakeOverCheck.DEBEZIUM).orElse("not installed");
        require(debezium.equals(cell.debezium().version() + ".Final"), "Debezium is " + debezium);
        String server = postgres.version();
        require(server.equals(cell.postgres().version()), "PostgreSQL is " + server);
    }

    private void checkValidation() {
        ConfigValidation sound = servers.rest().validate(GeneratorCheck.CONNECTOR, generator.config());
        require(sound.isValid(), "a sound configuration is refused: " + sound.errors());
        Map<String, String> misspelt = new HashMap<>(generator.config());
        misspelt.put(MISSPELT, "7");
        require(
                errors(misspelt, MISSPELT).contains("did you mean batch.max.records"),
                "a misspelt key is not explained");
        Map<String, String> incomplete = new HashMap<>(takeOver.hosted());
        incomplete.remove(NEEDED_BY_DEBEZIUM);
        require(!errors(incomplete, NEEDED_BY_DEBEZIUM).isEmpty(), "the hosted connector's errors are not shown");
    }

    private String errors(Map<String, String> config, String key) {
        return String.join(
                " ",
                servers.rest()
                        .validate(GeneratorCheck.CONNECTOR, config)
                        .errors()
                        .getOrDefault(key, List.of()));
    }

    private void checkApi() {
        List<String> lines = servers.linesOfAnotherApi();
        require(lines.isEmpty(), "the worker's log has " + lines);
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalStateException(otherwise);
        }
    }
}
