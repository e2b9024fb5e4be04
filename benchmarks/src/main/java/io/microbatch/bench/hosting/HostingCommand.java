package io.microbatch.bench.hosting;

import io.microbatch.bench.VerifyingCommand;
import io.microbatch.bench.load.Delivery;
import io.microbatch.testbed.PostgresServer;
import io.microbatch.testbed.TopicReader;
import io.microbatch.testbed.WorkDirectory;
import io.microbatch.testbed.reference.QueueServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench hosting}: exits with 0 when hosting a connector was never worse than running it plain. */
@Command(
        name = "hosting",
        sortOptions = false,
        description = {
            "Runs connectors plain and hosted on the same worker, kills it, and compares what is in Kafka with the"
                    + " source.",
            "",
            "Starts a broker, a worker (twice: exactly-once, at-least-once), a queue server and PostgreSQL. Ends by"
                    + " itself, kills only what it started, and leaves nothing.",
            ""
        },
        footer = {"", "Exit codes: 0 verified, 1 not verified or failed, 2 wrong command line."})
public final class HostingCommand extends VerifyingCommand {

    @ArgGroup(multiplicity = "1")
    private Chosen chosen;

    /** One of the three. */
    private static final class Chosen {
        @Option(names = "--smoke", required = true, description = "a handful of connectors, one kill: a minute")
        private boolean smoke;

        @Option(names = "--quick", required = true, description = "every connector, both modes: about ten minutes")
        private boolean quick;

        @Option(names = "--full", required = true, description = "the same with more kills: about half an hour")
        private boolean unusedFull; // what is neither is full

        Matrix matrix() {
            return smoke ? Matrix.SMOKE : quick ? Matrix.QUICK : Matrix.FULL;
        }
    }

    @Option(names = "--seed", paramLabel = "N", description = "when the worker is killed; a random one unless given")
    private Long seed;

    @Option(names = "--only", paramLabel = "NAME", split = ",", description = "leave out all connectors but these")
    private List<String> only = List.of();

    private final List<MemberResult> results = new ArrayList<>();

    @Override
    protected Map<String, Object> measure() throws IOException {
        long startNanos = System.nanoTime();
        long run = seed == null ? ThreadLocalRandom.current().nextInt(1, 1_000_000) : seed;
        Matrix matrix = chosen.matrix();
        requireKnown(matrix);
        List<String> secrets;
        try (WorkDirectory temporary = WorkDirectory.createOnFreeDisk("microbatch-hosting")) {
            Path work = temporary.path();
            Canary canary = new Canary(work);
            try (Stage stage = new Stage(work, canary);
                    QueueServer queues = QueueServer.start();
                    PostgresServer postgres = PostgresServer.start(work)) {
                measuredOn(stage.bootstrapServers());
                for (Delivery mode : matrix.modes()) {
                    SplittableRandom random = new SplittableRandom(run);
                    for (int i = 0; i < matrix.waves().size(); i++) {
                        String prefix = mode == Delivery.EXACTLY_ONCE ? "eos-" : "alo-";
                        List<Member> wave = new ArrayList<>();
                        if (i == 0) {
                            String version = stage.versionOf("debezium-connector-postgres");
                            wave.add(new PostgresMember(prefix, version, run, postgres, stage, canary));
                            wave.add(new FileMember(prefix, run, work, canary));
                            wave.add(new MirrorMember(prefix, run, stage, canary));
                        }
                        matrix.waves()
                                .get(i)
                                .forEach(family -> wave.add(new QueueMember(family, prefix, run, queues, canary)));
                        wave.removeIf(member -> !only.isEmpty() && !only.contains(member.name));
                        if (!wave.isEmpty()) {
                            run(mode, matrix.kills(), wave, stage, canary, random);
                        }
                    }
                }
            }
            secrets = canary.found();
            note(secrets.isEmpty());
            secrets.forEach(where -> say("secret found: " + where));
            if (!secrets.isEmpty() || !results.stream().allMatch(MemberResult::isVerified)) {
                keepLogs(work, "hosting-logs-" + run);
            }
        }
        return figures(run, secrets, TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNanos));
    }

    private void requireKnown(Matrix matrix) {
        List<String> known = new ArrayList<>(List.of(PostgresMember.NAME, FileMember.NAME, MirrorMember.NAME));
        matrix.waves().forEach(wave -> wave.forEach(family -> known.add(family.text())));
        if (!known.containsAll(only)) {
            throw wrong("--only names connectors of this run: " + String.join(", ", known));
        }
    }

    private void run(Delivery mode, int kills, List<Member> wave, Stage stage, Canary canary, SplittableRandom random) {
        say(mode.text() + ": " + wave.size() + " connectors, plain and hosted");
        try {
            // A new process for each wave: threads that never end disturb no other wave.
            stage.enter(mode);
            Wave running = new Wave(stage, mode, kills, canary, random, this::say);
            running.run(wave).forEach(this::add);
        } catch (RuntimeException e) {
            // The other waves still run.
            String problem = "the wave did not come to its end: "
                    + String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            wave.forEach(member -> add(MemberResult.failed(member, mode, kills, problem)));
        } finally {
            wave.forEach(Member::close);
        }
        stage.leave();
        lookForSecrets(stage, canary);
    }

    private void lookForSecrets(Stage stage, Canary canary) {
        try {
            new TopicReader(stage.bootstrapServers()).readUncommitted(stage.configTopic(), canary::lookAt);
        } catch (RuntimeException e) {
            boolean ignored = note(false);
            say("cannot look for secrets in " + stage.configTopic() + ": " + e);
        }
    }

    private void add(MemberResult result) {
        results.add(result);
        boolean verified = note(result.isVerified());
        say(String.format(
                Locale.ROOT,
                "  %-40s %7d events  lost %d (plain %d)  duplicated %d (%d)  reordered %d (%d)  altered %d (%d)%s",
                result.name(),
                result.hosted().events(),
                result.hosted().lost(),
                result.plain().lost(),
                result.hosted().duplicated(),
                result.plain().duplicated(),
                result.hosted().reordered(),
                result.plain().reordered(),
                result.hosted().altered(),
                result.plain().altered(),
                verified ? "" : "  NOT VERIFIED: " + String.join("; ", result.complaints())));
        explain("hosted", result.hosted());
        explain("plain", result.plain());
    }

    private void explain(String side, MemberResult.OneSide outcome) {
        if (!outcome.incomplete().isEmpty()) {
            say("    " + side + " lacks events of: " + String.join(", ", outcome.incomplete()));
        }
        if (!outcome.hasEnded()) {
            say("    " + side + ": " + outcome.problem());
        }
    }

    private Map<String, Object> figures(long run, List<String> secrets, long seconds) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("secrets_found", secrets.size());
        figures.put("seed", run);
        figures.put("seconds", seconds);
        figures.put("connectors", results.stream().map(MemberResult::toJson).toList());
        return figures;
    }
}
