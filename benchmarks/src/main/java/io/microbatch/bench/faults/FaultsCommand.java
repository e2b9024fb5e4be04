package io.microbatch.bench.faults;

import io.microbatch.bench.BenchHome;
import io.microbatch.bench.QuickOrFull;
import io.microbatch.bench.VerifyingCommand;
import io.microbatch.bench.faults.Round.Source;
import io.microbatch.bench.load.Delivery;
import io.microbatch.testbed.FaultProxy;
import io.microbatch.testbed.PostgresServer;
import io.microbatch.testbed.WorkDirectory;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench faults}: exits with 0 when every promise held under every fault. */
@Command(
        name = "faults",
        sortOptions = false,
        description = {
            "Kills, freezes, cuts off and reconfigures everything around the connector and checks every event.",
            "",
            "Starts a broker (three with --full) behind a proxy and two workers, twice (exactly-once,"
                    + " at-least-once), and PostgreSQL. Ends by itself, kills only what it started, and leaves"
                    + " nothing. --quick is a few minutes, for every push; --full is at least"
                    + " " + FaultsCommand.FULL_WORKER_KILLS
                    + " worker kills"
                    + " and " + FaultsCommand.FULL_BROKER_KILLS + " broker kills on three brokers, more than an hour.",
            ""
        },
        footer = {"", "Exit codes: 0 verified, 1 not verified or failed, 2 wrong command line."})
public final class FaultsCommand extends VerifyingCommand {

    static final int FULL_WORKER_KILLS = 200;
    static final int FULL_BROKER_KILLS = 30;
    /** Bounds a run that goes wrong. A run that goes well needs less. */
    private static final long QUICK_LIMIT_SECONDS = 900;

    private static final long FULL_LIMIT_SECONDS = 4 * 3600;

    /** The events of a request in the rounds of {@link Source#HTTP_BATCHES}. */
    private static final int BATCH_EVENTS = 100;

    @ArgGroup(multiplicity = "1")
    private QuickOrFull extent;

    @Option(names = "--seed", paramLabel = "N", description = "repeats a schedule; a random one unless given")
    private Long seed;

    @Option(
            names = "--logs",
            paramLabel = "DIR",
            description = "keep the logs of all processes in DIR, which is to be empty")
    private Path logs;

    @Option(
            names = "--upstreams",
            paramLabel = "NAME",
            split = ",",
            description =
                    "only the rounds of these: synthetic, file, postgres, outbox, http, http_batches, http_unkeyed")
    private List<String> upstreams;

    private final List<RoundResult> results = new ArrayList<>();

    @Override
    protected Map<String, Object> measure() throws IOException {
        long startNanos = System.nanoTime();
        long chosen = seed == null ? ThreadLocalRandom.current().nextInt(1, 1_000_000) : seed;
        List<Source> sources = chosen(upstreams, List.of(Source.values()), Source::text);
        List<Round> rounds = (extent.isQuick()
                        ? Schedule.quick(chosen)
                        : Schedule.full(chosen, FULL_WORKER_KILLS, FULL_BROKER_KILLS))
                .stream().filter(round -> sources.contains(round.source())).toList();
        say("seed " + chosen + ", " + rounds.size() + " rounds");
        try (WorkDirectory temporary = WorkDirectory.createOnFreeDisk("microbatch-faults")) {
            Path work = logs == null ? temporary.path() : Files.createDirectories(logs.toAbsolutePath());
            List<Path> remains = run(work, rounds, chosen, startNanos);
            FaultsReport report = new FaultsReport(
                    chosen, List.copyOf(results), remains, results.size() == rounds.size(), seconds(startNanos));
            report.print(out());
            if (!note(report.isVerified()) && logs == null) {
                keepLogs(work, "faults-logs-" + chosen);
            }
            return report.toJson();
        }
    }

    private List<Path> run(Path work, List<Round> rounds, long chosen, long startNanos) throws IOException {
        long limitSeconds = extent.isQuick() ? QUICK_LIMIT_SECONDS : FULL_LIMIT_SECONDS;
        try (PostgresServer postgres = PostgresServer.start(work, OutboxFeed.SERVER);
                FaultProxy toPostgres = FaultProxy.listen();
                Arena arena = new Arena(work, BenchHome.archive(), !extent.isQuick())) {
            measuredOn(arena.bootstrapServers());
            Delivery mode = null;
            for (int i = 0; i < rounds.size() && seconds(startNanos) < limitSeconds; i++) {
                Round round = rounds.get(i);
                if (round.mode() != mode) {
                    mode = round.mode();
                    arena.enter(mode);
                }
                String timeoutMs =
                        Long.toString(round.transactionTimeoutMs(arena.brokers().size()));
                // The recovery of a killed task depends on it.
                configured(
                        round.source().text(),
                        "transaction timeout " + timeoutMs + " ms",
                        Map.of("producer.override.transaction.timeout.ms", timeoutMs));
                String name = "round-" + i;
                long run = chosen * 1_000 + i;
                say(mode.text() + ", " + round.source().text() + (round.planted() ? ", with planted bugs" : "") + " ("
                        + seconds(startNanos) + " s)");
                try (Feed feed = feed(round, name, run, work, arena.restAddresses(), postgres, toPostgres)) {
                    RoundRunner runner =
                            new RoundRunner(arena, round, name, feed, new SplittableRandom(run), work, out());
                    results.add(result(runner));
                }
                RoundResult last = results.get(results.size() - 1);
                say("  " + last.findings() + (last.isVerified() ? "" : "  NOT VERIFIED"));
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
            Round round,
            String name,
            long run,
            Path work,
            List<URI> workers,
            PostgresServer postgres,
            FaultProxy toPostgres) {
        return switch (round.source()) {
            case SYNTHETIC -> new SyntheticFeed(name, run);
            case FILE -> new FileFeed(name, run, work);
            case POSTGRES -> new PostgresFeed(name, run, postgres, toPostgres);
            case OUTBOX -> new OutboxFeed(name, run, postgres, toPostgres);
            case HTTP -> new HttpFeed(name, run, workers, true, 1);
            case HTTP_BATCHES -> new HttpFeed(name, run, workers, true, BATCH_EVENTS);
            case HTTP_UNKEYED -> new HttpFeed(name, run, workers, false, 1);
        };
    }

    private static long seconds(long startNanos) {
        return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNanos);
    }
}
