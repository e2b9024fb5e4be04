package io.microbatch.bench.upgrade;

import io.microbatch.bench.BenchHome;
import io.microbatch.bench.BuiltArchive;
import io.microbatch.bench.QuickOrFull;
import io.microbatch.bench.VerifyingCommand;
import io.microbatch.bench.faults.VerifiedStream;
import io.microbatch.testbed.FaultProxy;
import io.microbatch.testbed.PostgresServer;
import io.microbatch.testbed.WorkDirectory;
import io.microbatch.testbed.oracle.Findings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench upgrade}: exits with 0 when every event was delivered exactly once through all exchanges. */
@Command(
        name = "upgrade",
        sortOptions = false,
        description = {
            "Exchanges the archive of an older commit and today's on two exactly-once workers, one worker after the"
                    + " other, while the generator and a hosted Debezium for PostgreSQL run: an upgrade, then a"
                    + " rollback. Checks every event, and says what is left of the learned values.",
            "",
            "Maven builds the archive of the commit the first time, which needs the repository's history and may need a"
                    + " network. --quick is an upgrade and a rollback, --full is each of them twice, after more has"
                    + " been learned.",
            ""
        },
        footer = {"", "Exit codes: 0 verified, 1 not verified or failed, 2 wrong command line."})
public final class UpgradeCommand extends VerifyingCommand {

    /** The first commit whose changelog has the learner and says that the faults run in CI, with a verified run. */
    private static final String FIRST_USABLE = "067791e81a5ff6026ee8d0890fa3611b7901444a";

    /** The first commit in this history whose learned values belong to a meaning and not to a version. */
    private static final String FIRST_WITH_MEANING = "9f1f50192f3014c98a2b90cdc04e3f727490e995";

    private static final int QUICK_WINDOWS = 8;
    private static final int FULL_WINDOWS = 20;
    private static final long RUN = 20_000;

    @ArgGroup(multiplicity = "1")
    private QuickOrFull extent;

    @Option(
            names = "--from",
            paramLabel = "COMMIT",
            split = ",",
            description = "older commits; the first usable one, and the first whose learned values are kept across"
                    + " versions, unless given")
    private List<String> commits = List.of(FIRST_USABLE, FIRST_WITH_MEANING);

    @Override
    protected Map<String, Object> measure() throws IOException {
        BuiltArchive built = new BuiltArchive();
        Map<String, Path> archives = new LinkedHashMap<>();
        for (String commit : commits) {
            say("the archive of " + commit);
            archives.put(commit, built.of(commit));
        }
        List<Map<String, Object>> results = new ArrayList<>();
        try (WorkDirectory work = WorkDirectory.createOnFreeDisk("microbatch-upgrade")) {
            try (PostgresServer postgres = PostgresServer.start(work.path());
                    FaultProxy toPostgres = FaultProxy.listen()) {
                for (Map.Entry<String, Path> from : archives.entrySet()) {
                    String name = "upgrade_" + (results.size() + 1);
                    say("from " + from.getKey());
                    results.add(between(
                            from.getKey(),
                            from.getValue(),
                            Files.createDirectories(work.path().resolve(name)),
                            name,
                            postgres,
                            toPostgres));
                }
                if (results.stream().anyMatch(result -> !Boolean.TRUE.equals(result.get("verified")))) {
                    keepLogs(work.path(), "upgrade-logs");
                }
            }
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("histories", results);
        return json;
    }

    /** The exchanges between the archive of one commit and today's. A failure is a result. */
    private Map<String, Object> between(
            String commit, Path older, Path work, String name, PostgresServer postgres, FaultProxy toPostgres)
            throws IOException {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("from", commit);
        Path scratch = Files.createDirectories(work.resolve("scratch"));
        try (UpgradeServers servers = new UpgradeServers(work, older);
                VerifiedStream generated =
                        VerifiedStream.generated(servers.bootstrapServers(), name + "_generated", RUN);
                VerifiedStream hosted = VerifiedStream.hosted(
                        servers.bootstrapServers(), name + "_postgres", RUN + 1, postgres, toPostgres)) {
            measuredOn(servers.bootstrapServers());
            int windows = extent.isQuick() ? QUICK_WINDOWS : FULL_WINDOWS;
            UpgradeRun run = new UpgradeRun(servers, List.of(generated, hosted), scratch, windows, this::say);
            run.begin();
            for (int pair = 0; pair < (extent.isQuick() ? 1 : 2); pair++) {
                run.exchange("upgrade", BenchHome.archive());
                run.exchange("rollback", older);
            }
            UpgradeRun.Result result = run.end();
            boolean verified = note(result.isVerified());
            Findings sum = result.findings().values().stream().reduce(Findings.NONE, Findings::plus);
            say("  " + (verified ? "verified: " : "NOT VERIFIED: ") + sum.events() + " events, " + sum);
            json.put("verified", verified);
            json.putAll(sum.toJson());
            json.put("settings_left_out", result.leftOut());
            json.put(
                    "exchanges",
                    result.exchanges().stream().map(Exchange::toJson).toList());
        } catch (RuntimeException e) {
            boolean verified = note(false);
            say("  FAILED: " + e.getMessage());
            json.put("verified", verified);
            json.put(
                    "failure",
                    String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
        }
        return json;
    }
}
