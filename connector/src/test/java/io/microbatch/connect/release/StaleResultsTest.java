package io.microbatch.connect.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.microbatch.testbed.InstalledProgram;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The check of which stored results are of older code, in a repository that is made here. Skipped without Python. */
class StaleResultsTest {

    private static final Path SCRIPT = Path.of("..", "build", "stale-results");
    private static final String LAYOUT = "connector/src/main/assembly/archive.xml";
    private static final String SOURCES = "connector/src/main/java/io/microbatch/connect/";

    @TempDir
    private Path checkout;

    /** What the script has printed, and how it ended. */
    private record Ended(int status, String output) {}

    @BeforeEach
    void commitAResultOfTheCode() throws IOException, InterruptedException {
        assumeTrue(InstalledProgram.exists("python3"), "python3 is not installed");
        assumeTrue(InstalledProgram.exists("git"), "git is not installed");
        Files.createDirectories(checkout.resolve("build"));
        Files.copy(SCRIPT, checkout.resolve("build/stale-results"));
        write(SOURCES + "poll/Poll.java", "class Poll {}");
        write(SOURCES + "console/Console.java", "class Console {}");
        write(LAYOUT, "<assembly/>");
        git("init", "-q");
        git("add", ".");
        git("-c", "user.name=test", "-c", "user.email=test@localhost", "commit", "-q", "-m", "Code");
        write("README.md", "| [rate](benchmarks/results/compare.md#rate) | [all](benchmarks/results/README.md) |");
        write("benchmarks/results/README.md", "[JSON](compare.json), [JSON](old.json)");
        write("benchmarks/results/compare.md", "[JSON](compare.json)");
        result("compare", git("rev-parse", "--short", "HEAD").strip());
    }

    @Test
    void aResultOfTheSameSourcesIsNotStale() throws IOException, InterruptedException {
        write("docs/guide.md", "Something else has changed.");
        write(SOURCES + "console/Console.java", "class Console { int changed; }");
        write(LAYOUT, "<assembly><files/></assembly>");

        Ended ended = run();

        assertThat(ended.output()).contains("compare.md: compare.json: ").contains("1 results, 0 stale");
        assertThat(ended.status()).isZero();
    }

    @Test
    void aResultIsStaleOnceASourceHasChanged() throws IOException, InterruptedException {
        write(SOURCES + "poll/Poll.java", "class Poll { int changed; }");

        Ended ended = run();

        assertThat(ended.output())
                .contains("compare.md: compare.json: STALE: ")
                .contains("1 files have changed since, such as " + SOURCES + "poll/Poll.java")
                .contains("1 results, 1 stale");
        assertThat(ended.status()).isEqualTo(1);
    }

    /** The code of an upstream runs only where this upstream is used, and bench micro runs one part alone. */
    @ParameterizedTest
    @CsvSource({
        "http --quick, upstream/http/Exchange.java, 1",
        "http --quick, config/HttpLimits.java, 1",
        "http --quick, upstream/outbox/OutboxTable.java, 0",
        "'outbox --contenders outbox-1,relay', upstream/outbox/OutboxTable.java, 1",
        "compare --full, upstream/http/Exchange.java, 0",
        "compare --full, config/OutboxConfig.java, 0",
        "cluster --connect http://127.0.0.1:1, upstream/http/Exchange.java, 0",
        "compare --full, upstream/Intake.java, 1",
        "compare --full, config/BatchConfig.java, 1",
        "compare --full, calibration/CalibrationStore.java, 1",
        "'faults --full --upstreams file,http_unkeyed', upstream/http/Exchange.java, 1",
        "'faults --full --upstreams file,postgres', upstream/http/Exchange.java, 0",
        "faults --full, upstream/http/Exchange.java, 1",
        "'', upstream/http/Exchange.java, 1",
        "micro rings, stripe/SpscRing.java, 1",
        "micro rings, upstream/Intake.java, 0",
        "micro letters --rounds 1, convert/Conversion.java, 1",
        "micro letters --rounds 1, upstream/DeadLetterRecord.java, 1",
        "micro letters --rounds 1, upstream/Intake.java, 0",
        "micro bulk, convert/Conversion.java, 0",
        "micro transforms, ack/EventRecord.java, 1",
        "micro transforms, poll/Poll.java, 0",
        "micro, upstream/Intake.java, 1",
        "micro another, upstream/Intake.java, 1"
    })
    void aResultIsStaleOnceASourceThatItRunsHasChanged(String command, String source, int status)
            throws IOException, InterruptedException {
        String code = git("rev-parse", "--short", "HEAD").strip();
        write("benchmarks/results/compare.json", """
                {"environment": {"code": "%s", "command": "%s"}}
                """.formatted(code, command));
        write(SOURCES + source, "class New {}");
        git("add", ".");

        assertThat(run().status()).isEqualTo(status);
    }

    @Test
    void aCommitThatIsListedWithItsReasonMakesNoResultStale() throws IOException, InterruptedException {
        write(SOURCES + "poll/Poll.java", "class Poll { int checkedOnce; }");
        write("build/not-measured", "# Commits and why.\n\n" + commit("Check once") + " runs once when a task starts");

        assertThat(run().output()).contains("1 results, 0 stale");

        write(SOURCES + "poll/Poll.java", "class Poll { int changed; }");
        assertThat(run().output()).as("not committed").contains("1 results, 1 stale");

        String other = commit("Change");
        assertThat(run().output()).as("another commit").contains("1 results, 1 stale");

        write("build/not-measured", other + " is the only one that is listed");
        assertThat(run().output()).contains("1 results, 1 stale");
    }

    @Test
    void aCommandThatCannotBeReadIsAnError() throws IOException, InterruptedException {
        String code = git("rev-parse", "--short", "HEAD").strip();
        write("benchmarks/results/compare.json", """
                {"environment": {"code": "%s", "command": "compare 'x"}}
                """.formatted(code));

        Ended ended = run();

        assertThat(ended.output()).contains("cannot be read");
        assertThat(ended.status()).isEqualTo(2);
    }

    private String commit(String message) throws IOException, InterruptedException {
        git("add", SOURCES);
        git("-c", "user.name=test", "-c", "user.email=test@localhost", "commit", "-q", "-m", message);
        return git("rev-parse", "--short", "HEAD").strip();
    }

    @Test
    void aResultOfUnknownOrUncommittedCodeIsStale() throws IOException, InterruptedException {
        String commit = git("rev-parse", "--short", "HEAD").strip();
        for (String code : List.of("unknown", "0123456789", commit + "-dirty")) {
            result("compare", code);

            Ended ended = run();

            assertThat(ended.output()).contains("STALE: " + code + ": is no commit of this repository");
            assertThat(ended.status()).isEqualTo(1);
        }
    }

    @Test
    void otherPagesCountOnlyWhenAllAreAskedFor() throws IOException, InterruptedException {
        write("benchmarks/results/old.md", "[JSON](old.json)");
        result("old", "unknown");

        assertThat(run().status()).isZero();
        Ended all = run("--all");

        assertThat(all.output()).contains("old.md: old.json: STALE: unknown").contains("2 results, 1 stale");
        assertThat(all.status()).isEqualTo(1);
    }

    @Test
    void printsTheCommandsThatMeasureAgain() throws IOException, InterruptedException {
        write("benchmarks/results/compare.md", "[JSON](compare.json), [JSON](docker.json), [JSON](old.json)");
        write("benchmarks/results/compare.json", """
                {"environment": {"code": "unknown", "command": "bulk --logs TMP/l --heap 'a=-Xms1g b' --json x"}}
                """);
        write("benchmarks/results/docker.json", """
                {"environment": {"code": "unknown", "command": "cluster --connect http://127.0.0.1:1 --json x"}}
                """);
        result("old", git("rev-parse", "--short", "HEAD").strip());

        Ended ended = run("--commands");

        assertThat(ended.output().lines())
                .containsExactly(
                        "benchmarks/bench bulk --heap 'a=-Xms1g b' --json benchmarks/target/results/compare.json",
                        "docker/bench --json benchmarks/target/results/docker.json");
        assertThat(ended.status()).isEqualTo(1);
    }

    @Test
    void aFirstPageWithoutResultsIsAnError() throws IOException, InterruptedException {
        write("README.md", "No table.");

        Ended ended = run();

        assertThat(ended.output()).contains("nothing was checked");
        assertThat(ended.status()).isEqualTo(2);
    }

    private void result(String name, String code) throws IOException {
        write("benchmarks/results/" + name + ".json", "{\"environment\": {\"code\": \"" + code + "\"}}");
    }

    private void write(String name, String text) throws IOException {
        Path file = checkout.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text + "\n");
    }

    private String git(String... arguments) throws IOException, InterruptedException {
        Ended ended = ended(Stream.concat(Stream.of("git"), Stream.of(arguments)));
        assertThat(ended.status()).as(ended.output()).isZero();
        return ended.output();
    }

    private Ended run(String... options) throws IOException, InterruptedException {
        return ended(Stream.concat(Stream.of("python3", "build/stale-results"), Stream.of(options)));
    }

    private Ended ended(Stream<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command.toList())
                .directory(checkout.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), output);
    }
}
