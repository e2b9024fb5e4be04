package io.microbatch.bench.faults;

import io.microbatch.bench.BenchHome;
import io.microbatch.bench.ResultFile;
import io.microbatch.testbed.FaultProxy;
import io.microbatch.testbed.PostgresServer;
import io.microbatch.testbed.WorkDirectory;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bench faults}: exits with 0 when every promise held under every fault. */
@Command(
        name = "faults",
        sortOptions = false,
        description = {
            "Kills, freezes, cuts off and reconfigures everything around the connector and checks every event.",
            "",
            "Starts a broker (three with --full) behind a proxy and two workers, twice (exactly-once, at-least-once), and PostgreSQL."
                    + " Ends by itself, kills only what it started, and leaves nothing.",
            ""
        },
        footer = {"", "Exit codes: 0 verified, 1 not verified or failed, 2 wrong command line."})
public final class FaultsCommand implements Callable<Integer> {

    private static final int FULL_WORKER_KILLS = 200;
    private static final int FULL_BROKER_KILLS = 30;
    /** What keeps a run that goes wrong from going on; a run that goes well needs less. */
    private static final long QUICK_LIMIT_SECONDS = 600;

    private static final long FULL_LIMIT_SECONDS = 4 * 3600;

    @ArgGroup(multiplicity = "1")
    private Extent extent;

    /** One of the two. */
    private static final class Extent {
        @Option(names = "--quick", required = true, description = "a few minutes, for every push")
        private boolean quick;

        @Option(
                names = "--full",
                required = true,
                description = "at least " + FULL_WORKER_KILLS + " worker kills and " + FULL_BROKER_KILLS
                        + " broker kills on three brokers, more than an hour")
        private boolean unusedFull; // what is not quick is full
    }

    @Option(names = "--seed", paramLabel = "N", description = "repeats a schedule; a random one unless given")
    private Long seed;

    @Option(
            names = "--logs",
            paramLabel = "DIR",
            description = "keep the logs of all processes in DIR, which is to be empty")
    private Path logs;

    @Mixin
    private ResultFile resultFile;

    @Spec
    private CommandSpec spec;

    private final List<RoundResult> results = new ArrayList<>();

    @Override
    public Integer call() throws IOException {
        long startNanos = System.nanoTime();
        long chosen = seed == null ? ThreadLocalRandom.current().nextInt(1, 1_000_000) : seed;
        List<Round> rounds =
                extent.quick ? Schedule.quick(chosen) : Schedule.full(chosen, FULL_WORKER_KILLS, FULL_BROKER_KILLS);
        PrintWriter out = spec.commandLine().getOut();
        out.println("seed " + chosen + ", " + rounds.size() + " rounds");
        out.flush();
        FaultsReport report;
        try (WorkDirectory temporary = WorkDirectory.create("microbatch-faults")) {
            Path work = logs == null ? temporary.path() : Files.createDirectories(logs.toAbsolutePath());
            List<Path> remains = run(work, rounds, chosen, startNanos, out);
            report = new FaultsReport(
                    chosen, List.copyOf(results), remains, results.size() == rounds.size(), seconds(startNanos));
            report.print(out);
            if (logs == null && !report.isVerified()) {
                Path kept = BenchHome.root().resolve("benchmarks/target/faults-logs-" + chosen);
                Logs.keep(work, kept);
                out.println("logs of all processes: " + kept);
            }
        }
        resultFile.write(report.toJson());
        return report.isVerified() ? 0 : 1;
    }

    private List<Path> run(Path work, List<Round> rounds, long chosen, long startNanos, PrintWriter out)
            throws IOException {
        long limitSeconds = extent.quick ? QUICK_LIMIT_SECONDS : FULL_LIMIT_SECONDS;
        try (PostgresServer postgres = PostgresServer.start(work);
                FaultProxy toPostgres = FaultProxy.listen();
                Arena arena = new Arena(work, BenchHome.archive(), !extent.quick)) {
            resultFile.measuredOn(arena.bootstrapServers());
            Mode mode = null;
            for (int i = 0; i < rounds.size() && seconds(startNanos) < limitSeconds; i++) {
                Round round = rounds.get(i);
                if (round.mode() != mode) {
                    mode = round.mode();
                    arena.enter(mode);
                }
                String name = "round-" + i;
                long run = chosen * 1_000 + i;
                out.printf(
                        "%s, %s%s (%d s)%n",
                        mode.text(),
                        round.source().text(),
                        round.planted() ? ", with planted bugs" : "",
                        seconds(startNanos));
                out.flush();
                try (Feed feed = feed(round, name, run, work, postgres, toPostgres)) {
                    RoundRunner runner =
                            new RoundRunner(arena, round, name, feed, new SplittableRandom(run), work, out);
                    results.add(result(runner));
                }
                RoundResult last = results.get(results.size() - 1);
                out.println("  " + last.findings() + (last.isVerified() ? "" : "  NOT VERIFIED"));
                out.flush();
                if (!last.problem().isEmpty()) {
                    break;
                }
            }
            return arena.remains();
        }
    }

    private static RoundResult result(RoundRunner runner) {
        try {
            return runner.run();
        } catch (RuntimeException e) {
            return runner.failed(e);
        }
    }

    private static Feed feed(
            Round round, String name, long run, Path work, PostgresServer postgres, FaultProxy toPostgres) {
        return switch (round.source()) {
            case SYNTHETIC -> new SyntheticFeed(name, run);
            case FILE -> new FileFeed(name, run, work);
            case POSTGRES -> new PostgresFeed(name, run, postgres, toPostgres);
        };
    }

    private static long seconds(long startNanos) {
        return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNanos);
    }
}
