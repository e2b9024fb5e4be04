package io.microbatch.bench.cdc;

import io.microbatch.bench.BenchHome;
import io.microbatch.bench.Comparison;
import io.microbatch.bench.QuickOrFull;
import io.microbatch.bench.Table;
import io.microbatch.bench.VerifyingCommand;
import io.microbatch.bench.load.ThreadClock;
import io.microbatch.testbed.WorkDirectory;
import io.microbatch.testbed.oracle.Findings;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;

/** {@code bench cdc}: exits with 0 when every row of every contender was verified. */
@Command(
        name = "cdc",
        sortOptions = false,
        description = {
            "Debezium by itself with its defaults, by itself and tuned by hand, and hosted with each batch.objective.",
            "",
            "Rows of PostgreSQL, synchronous_commit on, through one exactly-once worker, the same converter for all, in"
                    + " turns. Latency from a row's commit to a read_committed consumer at 50 and 1,000 rows/s,"
                    + " rows/s of a backlog that was written while the connector was stopped, CPU of the worker."
                    + " Every row is compared with the table. --quick is medians of five turns each, --full of three"
                    + " longer turns and half of the backlog rate, too.",
            ""
        },
        footer = {"", "Exit codes: 0 verified, 1 not verified or failed, 2 wrong command line."})
public final class CdcCommand extends VerifyingCommand {

    private static final String NUMBER = "%,.1f";
    private static final CdcRun.Size WARM_UP = new CdcRun.Size(2, 1, 1, 150_000, 0);
    private static final CdcRun.Size QUICK = new CdcRun.Size(1, 4, 5, 100_000, 0);
    private static final CdcRun.Size FULL = new CdcRun.Size(5, 15, 20, 200_000, 10);
    private static final int QUICK_ROUNDS = 5;
    private static final int FULL_ROUNDS = 3;

    @ArgGroup(multiplicity = "1")
    private QuickOrFull extent;

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
                say("warm-up finished: it counts for the check only");
                CdcRun run = new CdcRun(stack, writers, extent.isQuick() ? QUICK : FULL);
                for (int round = 0; round < (extent.isQuick() ? QUICK_ROUNDS : FULL_ROUNDS); round++) {
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

    private void turn(CdcRun run, CdcContender contender, ConnectorConfig example, Path work) {
        String name = contender.text() + "_" + turns;
        CdcRun.Turn turn = run.run(contender.config(example, name, work), turns++ * CdcRun.PHASES);
        Findings found = turn.found();
        boolean verified = note(TableCheck.isVerified(found));
        CdcFigures figures = turn.figures();
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
        Table table = new Table()
                .text(12, "", "name")
                .number(10, "p50 50/s", "p50_ms_50", NUMBER)
                .number(10, "p99 50/s", "p99_ms_50", NUMBER)
                .number(10, "p50 1,000", "p50_ms_1000", NUMBER)
                .number(10, "p99 1,000", "p99_ms_1000", NUMBER)
                .number(10, "p99 half", "p99_ms_half", NUMBER)
                .number(12, "backlog/s", "backlog_per_s", NUMBER)
                .number(10, "CPU s/M", "cpu_s_per_million", NUMBER)
                .number(14, "CPU s/M 1,000", "cpu_s_per_million_1000", NUMBER);
        Table parts = new Table().text(12, "", "name");
        for (ThreadClock.Part part : ThreadClock.Part.values()) {
            parts.number(10, Comparison.key(part), Comparison.key(part), NUMBER);
        }
        print(table, json, figures -> figures);
        say("");
        say("p99 half: at half of the contender's own backlog rate. CPU s/M: CPU seconds of the worker per"
                + " million rows,");
        say("of the backlog and at 1,000 rows/s.");
        say("");
        say("CPU of the worker in microseconds for a row of the backlog, by what its threads do:");
        print(parts, json, figures -> (Map<?, ?>) figures.get("cpu_us_per_row"));
    }

    private void print(Table table, Map<String, Object> json, UnaryOperator<Map<?, ?>> cells) {
        say("");
        say(table.header());
        json.forEach((name, figures) -> {
            Map<String, Object> row = new LinkedHashMap<>(Map.of("name", name));
            cells.apply((Map<?, ?>) figures).forEach((key, value) -> row.put((String) key, value));
            say(table.row(row));
        });
    }
}
