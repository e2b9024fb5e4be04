package io.microbatch.bench.cdc;

import io.microbatch.bench.BenchHome;
import io.microbatch.bench.Comparison;
import io.microbatch.bench.QuickOrFull;
import io.microbatch.bench.Table;
import io.microbatch.bench.VerifyingCommand;
import io.microbatch.bench.load.ThreadClock;
import io.microbatch.bench.rows.LoadWriters;
import io.microbatch.testbed.WorkDirectory;
import io.microbatch.testbed.oracle.Findings;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench cdc}: exits with 0 when every row of every contender was verified. */
@Command(
        name = "cdc",
        sortOptions = false,
        description = {
            "Debezium by itself, with its defaults and with settings tuned by hand, and hosted with each"
                    + " batch.objective.",
            "",
            "Rows of PostgreSQL, synchronous_commit on, through one exactly-once worker, the same converter for all, in"
                    + " rotated turns. Latency from a row's commit to a read_committed consumer at 50 and 1,000 rows/s,"
                    + " rows/s of a backlog that was written while the connector was stopped, CPU of worker and broker."
                    + " Every row is compared with the table. Figures are medians.",
            "",
            "tuned has a queue of 65,536, small of 512, mid of 2,048. iN is Connect's"
                    + " transaction.boundary=interval with N ms, lN a producer's linger.ms as long,"
                    + " which saves produce requests and delays no committed row. default is hosted with"
                    + " neither objective nor latency target, hosted-30 without an objective and with"
                    + " latency.target.ms=30; adaptive has the objective latency, efficiency the objective efficiency,"
                    + " both with latency.target.ms=100. engine-1 and engine-2 are Debezium's engine in a process of"
                    + " its own, at least once, with one and two threads that convert, and a producer that waits for"
                    + " each batch.",
            "",
            "--quick compares tuned, tuned-i20, tuned-i50-l50, small, small-i20, small-i50, mid-i20-l20, mid-i50,"
                    + " mid-i50-l50, mid-i30-l30, mid-i40-l40, mid-i80-l80, default, hosted-30, adaptive and"
                    + " efficiency in five rounds, --full all of them in five longer ones and at 5,000 rows/s, too,"
                    + " each rate after half a minute that does not count.",
            ""
        },
        footer = {"", "Exit codes: 0 verified, 1 not verified or failed, 2 wrong command line."})
public final class CdcCommand extends VerifyingCommand {

    private static final String NUMBER = "%,.1f";
    private static final CdcRun.Size QUICK = new CdcRun.Size(1, 3, 4, 5, 0, 100_000);

    /** Half a minute is what a hosted contender needs to try its first settings at a rate, with windows of 2 s. */
    private static final CdcRun.Size FULL = new CdcRun.Size(5, 30, 15, 20, 10, 200_000);

    private static final int QUICK_ROUNDS = 5;
    private static final int FULL_ROUNDS = 5;
    private static final int MAX_ROUNDS = 20;

    /** What the worker's JVM takes to compile what it runs, in all turns of the warm-up together. */
    private static final int WARM_UP_ROWS = 450_000;

    private static final int MIN_WARM_UP_ROWS = 50_000;

    @ArgGroup(multiplicity = "1")
    private QuickOrFull extent;

    @Option(
            names = "--contenders",
            paramLabel = "NAME",
            split = ",",
            description = "what is compared, separated by commas, instead of what the preset compares")
    private List<String> names;

    @Option(names = "--rounds", paramLabel = "N", description = "medians of this many rounds, 1 to 20")
    private Integer rounds;

    private final Map<CdcContender, List<CdcFigures>> measured = new EnumMap<>(CdcContender.class);
    private final Map<CdcContender, List<Object>> eachRound = new EnumMap<>(CdcContender.class);
    /** Turns in which the rows were written late, and at which rates. */
    private final List<String> late = new ArrayList<>();

    private ConnectorConfig example;
    private int turns;

    @Override
    protected Map<String, Object> measure() throws IOException {
        List<CdcContender> all = List.of(CdcContender.values());
        List<CdcContender> contenders =
                names == null && extent.isQuick() ? CdcContender.QUICK : chosen(names, all, CdcContender::text);
        int last = rounds != null ? rounds : extent.isQuick() ? QUICK_ROUNDS : FULL_ROUNDS;
        if (last < 1 || last > MAX_ROUNDS) {
            throw wrong("--rounds is 1 to " + MAX_ROUNDS);
        }
        repeated(last);
        example = ConnectorConfig.example();
        try (WorkDirectory work = WorkDirectory.createOnFreeDisk("microbatch-cdc");
                CdcStack stack = new CdcStack(out(), true)) {
            stack.start(work.path(), Optional.of(BenchHome.archive()));
            measuredOn(stack.bootstrapServers());
            try (LoadWriters writers = new LoadWriters(stack.postgres(), EventInsert::new)) {
                int warmUpRows = Math.max(MIN_WARM_UP_ROWS, WARM_UP_ROWS / contenders.size());
                CdcRun warmUp = new CdcRun(stack, writers, new CdcRun.Size(2, 3, 1, 1, 0, warmUpRows));
                for (CdcContender contender : contenders) {
                    turn(warmUp, 0, contender, work.path());
                }
                say("warm-up finished: it counts for the check only");
                CdcRun run = new CdcRun(stack, writers, extent.isQuick() ? QUICK : FULL);
                for (int round = 1; round <= last; round++) {
                    for (CdcContender contender : Comparison.order(contenders, round - 1)) {
                        turn(run, round, contender, work.path());
                    }
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException("PostgreSQL refused", e);
        }
        return result(contenders);
    }

    /** Round 0 is the warm-up, which counts for nothing but the check. */
    private void turn(CdcRun run, int round, CdcContender contender, Path work) {
        int turn = turns++;
        CdcRun.Turn outcome = run.run(contender.config(example, turn, work), turn * CdcRun.PHASES);
        Findings found = outcome.found();
        boolean verified = note(TableCheck.isVerified(found));
        CdcFigures figures = outcome.figures();
        say(String.format(
                Locale.ROOT,
                "%d %s: p99 %.0f ms at 50/s, %.0f ms at 1,000/s; backlog %,.0f/s; CPU %.1f s/M, %.0f at 1,000/s;"
                        + " lost %d, duplicated %d, reordered %d, foreign %d%s",
                round,
                contender.text(),
                figures.p99Ms50(),
                figures.p99Ms1000(),
                figures.backlogPerSec(),
                figures.backlogCpu().total(),
                figures.cpu1000().total(),
                found.lost(),
                found.duplicated(),
                found.reordered(),
                found.foreign(),
                verified ? "" : "  NOT VERIFIED"));
        if (round == 0) {
            return;
        }
        if (!outcome.missedRates().isEmpty()) {
            late.add("round " + round + ", " + contender.text() + ": " + String.join(", ", outcome.missedRates()));
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("round", round);
        json.put("turn", turn);
        json.put("verified", verified);
        if (verified) {
            json.putAll(figures.json());
            measured.computeIfAbsent(contender, c -> new ArrayList<>()).add(figures);
        }
        eachRound.computeIfAbsent(contender, c -> new ArrayList<>()).add(json);
    }

    private Map<String, Object> result(List<CdcContender> contenders) {
        Map<CdcContender, CdcFigures> medians = new EnumMap<>(CdcContender.class);
        measured.forEach((contender, runs) -> medians.put(contender, CdcFigures.median(runs)));
        Map<String, Object> json = new LinkedHashMap<>();
        medians.forEach((contender, median) -> {
            List<CdcFigures> runs = measured.get(contender);
            Map<String, Object> own = new LinkedHashMap<>(median.json());
            own.put("runs", runs.size());
            own.put("spread", CdcFigures.spread(runs));
            own.put("each_round", eachRound.get(contender));
            json.put(contender.text(), own);
        });
        print(json);
        late.forEach(turn -> say("The database did not take the rows in time in " + turn));
        // One that was never verified has its rounds and no figures.
        eachRound.forEach(
                (contender, each) -> json.putIfAbsent(contender.text(), Map.of("runs", 0, "each_round", each)));
        CdcGoals goals = new CdcGoals(medians);
        if (!goals.verdicts().isEmpty()) {
            say("");
            say("Hosted versus the stock setting that is hardest to beat at its latency, and at its rate:");
            goals.verdicts().forEach(verdict -> say(verdict.text()));
            json.put("goals", goals.json());
        }
        contenders.forEach(contender -> configured(contender.text(), contender.settings(example)));
        return json;
    }

    private void print(Map<String, Object> json) {
        Table table = new Table()
                .text(14, "", "name")
                .number(10, "p50 50/s", "p50_ms_50", NUMBER)
                .number(10, "p99 50/s", "p99_ms_50", NUMBER)
                .number(10, "p50 1,000", "p50_ms_1000", NUMBER)
                .number(10, "p99 1,000", "p99_ms_1000", NUMBER)
                .number(10, "p99 5,000", "p99_ms_5000", NUMBER)
                .number(14, "CPU s/M 1,000", "cpu_s_per_million_1000", NUMBER)
                .number(8, "worker", "cpu_worker_s_per_million_1000", NUMBER)
                .number(8, "broker", "cpu_broker_s_per_million_1000", NUMBER)
                .number(14, "CPU s/M 5,000", "cpu_s_per_million_5000", NUMBER)
                .number(10, "CPU s/M", "cpu_s_per_million", NUMBER)
                .number(8, "worker", "cpu_worker_s_per_million", NUMBER)
                .number(8, "broker", "cpu_broker_s_per_million", NUMBER)
                .number(12, "backlog/s", "backlog_per_s", NUMBER);
        Table parts = new Table().text(14, "", "name");
        for (ThreadClock.Part part : ThreadClock.Part.values()) {
            parts.number(10, Comparison.key(part), Comparison.key(part), NUMBER);
        }
        print(table, json, figures -> figures);
        say("");
        say("CPU s/M: CPU seconds of worker and broker per million rows, at 1,000 and 5,000 rows/s, and of the"
                + " backlog.");
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
