package io.microbatch.bench.cdc;

import io.microbatch.bench.BenchHome;
import io.microbatch.bench.VerifyingCommand;
import io.microbatch.bench.load.ThreadClock;
import io.microbatch.testbed.WorkDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench cdc}: exits with 0 when every row of every contender was verified. */
@Command(
        name = "cdc",
        sortOptions = false,
        description = {
            "Debezium by itself with its defaults, by itself and tuned by hand, and hosted with each batch.objective.",
            "",
            "Rows of PostgreSQL, synchronous_commit on, through one exactly-once worker, the same converter for all, in"
                    + " turns. Latency from a row's commit to a read_committed consumer at 50 and 1,000 rows/s, rows/s of"
                    + " a backlog that was written while the connector was stopped, CPU of the worker. Every row is"
                    + " compared with the table.",
            ""
        },
        footer = {"", "Exit codes: 0 verified, 1 not verified or failed, 2 wrong command line."})
public final class CdcCommand extends VerifyingCommand {

    private static final CdcRun.Extent WARM_UP = new CdcRun.Extent(2, 1, 1, 150_000, 0);
    private static final CdcRun.Extent QUICK = new CdcRun.Extent(1, 4, 5, 100_000, 0);
    private static final CdcRun.Extent FULL = new CdcRun.Extent(5, 15, 20, 200_000, 10);
    private static final int QUICK_ROUNDS = 5;
    private static final int FULL_ROUNDS = 3;

    @ArgGroup(multiplicity = "1")
    private Preset preset;

    /** One of the two. */
    private static final class Preset {
        @Option(names = "--quick", required = true, description = "medians of five turns each, eleven minutes")
        private boolean quick;

        @Option(
                names = "--full",
                required = true,
                description = "medians of three turns each, half of the backlog rate too; half an hour")
        private boolean unusedFull; // what is not quick is full
    }

    private final Map<CdcContender, List<CdcFigures>> measured = new EnumMap<>(CdcContender.class);
    private int turns;

    @Override
    protected Map<String, Object> measure() throws IOException {
        ConnectorConfig example = ConnectorConfig.example();
        try (WorkDirectory work = WorkDirectory.create("microbatch-cdc");
                CdcStack stack = new CdcStack(out(), true)) {
            stack.start(work.path(), Optional.of(BenchHome.archive()));
            measuredOn(stack.bootstrapServers());
            try (LoadWriters writers = new LoadWriters(stack.postgres())) {
                for (CdcContender contender : List.of(CdcContender.PLAIN, CdcContender.TUNED, CdcContender.ADAPTIVE)) {
                    turn(new CdcRun(stack, writers, WARM_UP), contender, example, work.path());
                }
                measured.clear();
                say("that was the warm-up, which counts for nothing but the check");
                CdcRun run = new CdcRun(stack, writers, preset.quick ? QUICK : FULL);
                for (int round = 0; round < (preset.quick ? QUICK_ROUNDS : FULL_ROUNDS); round++) {
                    List<CdcContender> order = new ArrayList<>(List.of(CdcContender.values()));
                    if (round % 2 == 1) {
                        Collections.reverse(order);
                    }
                    for (CdcContender contender : order) {
                        turn(run, contender, example, work.path());
                    }
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException("PostgreSQL refused", e);
        }
        Map<String, Object> json = new LinkedHashMap<>();
        measured.forEach((contender, runs) -> json.put(contender.text(), CdcFigures.median(runs)));
        print(json);
        return json;
    }

    private void turn(CdcRun run, CdcContender contender, ConnectorConfig example, Path work) throws SQLException {
        String name = contender.text() + "_" + turns;
        CdcRun.Outcome outcome = run.run(contender.config(example, name, work), turns++ * CdcRun.PHASES);
        Verification found = outcome.verification();
        boolean verified = note(found.isVerified());
        CdcFigures figures = outcome.figures();
        say(String.format(
                Locale.ROOT,
                "%s: p99 %.0f ms at 50/s, %.0f ms at 1,000/s; backlog %,.0f/s; CPU %.1f s/M; lost %d, duplicated %d,"
                        + " reordered %d, foreign %d%s",
                contender.text(),
                figures.p99Ms50(),
                figures.p99Ms1000(),
                figures.backlogPerSec(),
                figures.cpuSecPerMillion(),
                found.lost(),
                found.duplicated(),
                found.reordered(),
                found.foreign(),
                verified ? "" : "  NOT VERIFIED"));
        if (verified) {
            measured.computeIfAbsent(contender, c -> new ArrayList<>()).add(figures);
        }
    }

    private void print(Map<String, Object> json) {
        say("");
        say(String.format(
                Locale.ROOT,
                "%-12s %10s %10s %10s %10s %10s %12s %10s %14s",
                "",
                "p50 50/s",
                "p99 50/s",
                "p50 1,000",
                "p99 1,000",
                "p99 half",
                "backlog/s",
                "CPU s/M",
                "CPU s/M 1,000"));
        json.forEach((name, figures) -> say(row(name, (Map<?, ?>) figures)));
        say("");
        say(
                "p99 half: at half of the contender's own backlog rate. CPU s/M: CPU seconds of the worker per million rows,");
        say("of the backlog and at 1,000 rows/s.");
        say("");
        say("CPU of the worker in microseconds for a row of the backlog, by what its threads do:");
        say(String.format(Locale.ROOT, "%-12s", "") + cells(part -> part.name().toLowerCase(Locale.ROOT)));
        json.forEach((name, figures) -> {
            Map<?, ?> byPart = (Map<?, ?>) ((Map<?, ?>) figures).get("cpu_us_per_row");
            say(String.format(Locale.ROOT, "%-12s", name)
                    + cells(part -> number(byPart.get(part.name().toLowerCase(Locale.ROOT)))));
        });
    }

    private static String cells(Function<ThreadClock.Part, String> cell) {
        return Arrays.stream(ThreadClock.Part.values())
                .map(part -> String.format(Locale.ROOT, " %10s", cell.apply(part)))
                .collect(Collectors.joining());
    }

    private static String row(String name, Map<?, ?> figures) {
        return String.format(
                Locale.ROOT,
                "%-12s %10s %10s %10s %10s %10s %12s %10s %14s",
                name,
                number(figures.get("p50_ms_50")),
                number(figures.get("p99_ms_50")),
                number(figures.get("p50_ms_1000")),
                number(figures.get("p99_ms_1000")),
                number(figures.get("p99_ms_half")),
                number(figures.get("backlog_per_s")),
                number(figures.get("cpu_s_per_million")),
                number(figures.get("cpu_s_per_million_1000")));
    }

    private static String number(Object value) {
        return value == null ? "-" : String.format(Locale.ROOT, "%,.1f", (Double) value);
    }
}
