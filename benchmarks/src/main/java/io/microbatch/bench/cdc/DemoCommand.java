package io.microbatch.bench.cdc;

import io.microbatch.bench.BenchHome;
import io.microbatch.bench.ResultFile;
import io.microbatch.bench.rows.LiveConsumer;
import io.microbatch.bench.rows.LoadPhase;
import io.microbatch.bench.rows.LoadWriters;
import io.microbatch.testbed.ShutdownGuard;
import io.microbatch.testbed.WorkDirectory;
import io.microbatch.testbed.oracle.Findings;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench demo}: exits with 0 when every row arrived once, unaltered and in order. */
@Command(
        name = "demo",
        sortOptions = false,
        description = {
            "Carries rows from PostgreSQL to Kafka at a rising rate and checks every one of them.",
            "",
            "Starts PostgreSQL, a Kafka broker and a Connect worker with exactly-once source support on free"
                    + " loopback ports, posts config-examples/postgres-cdc.json to the worker, writes rows, and then"
                    + " compares the table with what an independent read_committed consumer finds in the topic."
                    + " Leaves nothing running and nothing on disk.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  bench demo",
            "  bench demo --plain                            Debezium by itself",
            "  bench demo --plain --set poll.interval.ms=5   Debezium tuned by hand",
            "  bench demo --seconds 120 --rate-max 20000 --json demo.json",
            "",
            "Exit codes: 0 verified, 1 not verified or failed, 2 wrong command line."
        })
public final class DemoCommand implements Callable<Integer> {

    /** The worker then refuses a connector that cannot promise it. */
    private static final Map<String, String> EXACTLY_ONCE = Map.of("exactly.once.support", "required");

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "32",
            description = "load in all, without the burst; default ${DEFAULT-VALUE}")
    private int seconds;

    @Option(
            names = "--rate-max",
            paramLabel = "N",
            defaultValue = "5000",
            description = "the highest rate in rows/s; default ${DEFAULT-VALUE}")
    private int rateMax;

    @Option(
            names = "--plain",
            description = "Debezium's own connector with its default configuration instead of ours, for comparison")
    private boolean plain;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "a connector property that wins over the example's; may be repeated")
    private Map<String, String> overrides = new LinkedHashMap<>();

    @Mixin
    private ResultFile resultFile;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, SQLException {
        if (seconds < 1 || rateMax < 1) {
            throw new ParameterException(spec.commandLine(), "--seconds and --rate-max are at least 1");
        }
        PrintWriter out = spec.commandLine().getOut();
        ShutdownGuard.Registration interrupted = onInterrupt(out);
        try (WorkDirectory work = WorkDirectory.create("microbatch-demo")) {
            DemoReport report = run(work.path(), out);
            report.print(out);
            resultFile.write(report.toJson());
            return report.isVerified() ? 0 : 1;
        } finally {
            interrupted.close();
        }
    }

    private DemoReport run(Path work, PrintWriter out) throws IOException, SQLException {
        ConnectorConfig example = ConnectorConfig.example();
        ConnectorConfig connector = plain
                ? example.plain()
                : example.with(Map.of(
                        "calibration.directory", work.resolve("calibration").toString()));
        Optional<Path> archive = plain ? Optional.empty() : Optional.of(BenchHome.archive());
        List<LoadPhase> phases = LoadPhase.plan(seconds, rateMax);
        try (CdcStack stack = new CdcStack(out, false)) {
            stack.start(work, archive);
            resultFile.measuredOn(stack.bootstrapServers());
            stack.startConnector(connector.with(EXACTLY_ONCE).with(overrides));
            List<PhaseResult> results = load(stack, phases, out);
            stack.stopConnector();
            out.println("comparing the table with the topic");
            out.flush();
            Findings found =
                    TableCheck.of(EventTable.readAll(stack.postgres()), stack.bootstrapServers(), stack.topic());
            return new DemoReport(connector.config().get("connector.class"), results, found);
        }
    }

    private static List<PhaseResult> load(CdcStack stack, List<LoadPhase> phases, PrintWriter out) throws SQLException {
        int columns = Integer.getInteger("bench.columns", 0);
        try (LoadWriters writers = new LoadWriters(stack.postgres(), EventInsert::new);
                LiveConsumer consumer = new LiveConsumer(
                        stack.bootstrapServers(),
                        stack.topic(),
                        CdcStack.PARTITION_COUNT,
                        phases.size(),
                        ChangeEvent::origin)) {
            return new DemoRun(stack, writers, consumer, new LiveDisplay(out, columns, phases)).run(phases);
        }
    }

    // Registered first and so run last, when what it says is true.
    private static ShutdownGuard.Registration onInterrupt(PrintWriter out) {
        return ShutdownGuard.register(() -> {
            out.println();
            out.println("bench: interrupted; all processes are stopped and their files deleted");
            out.flush();
        });
    }
}
