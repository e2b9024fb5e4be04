package io.microbatch.connect.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.microbatch.testbed.InstalledProgram;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What {@code build/release --upload} refuses, in a repository that is made here. Nothing is built and nothing is sent:
 * there is no token. Skipped without Git or GnuPG.
 */
class ReleaseScriptTest {

    private static final Path SCRIPT = Path.of("..", "build", "release");
    private static final String REPOSITORY = "github.com/microbatch/kafka-connect-microbatch";
    private static final String ARCHIVE = "microbatch-kafka-connect-microbatch-0.1.0.zip";

    /** All that is asked of a checkout holds, and there is nothing to upload. */
    private static final String NO_RELEASE = "target/release has no signed release of version 0.1.0";

    private static final String NO_TOKEN = "CENTRAL_TOKEN is not set";

    @TempDir
    private Path checkout;

    /** Short, because the name of a socket may not be long. */
    @TempDir
    private Path keys;

    @BeforeEach
    void commitARelease() throws IOException, InterruptedException {
        assumeTrue(InstalledProgram.exists("git"), "git is not installed");
        assumeTrue(InstalledProgram.exists("gpg"), "gpg is not installed");
        Files.createDirectories(checkout.resolve("build"));
        Files.copy(SCRIPT, checkout.resolve("build/release"));
        write(".gitignore", "target/\n");
        write(
                "pom.xml",
                "<project>\n<version>0.1.0</version>\n<project.repository>" + REPOSITORY
                        + "</project.repository>\n<release.date>2026-12-01</release.date>\n</project>\n");
        write("CHANGELOG.md", "## [0.1.0] - 2026-12-01\n");
        newKey("Release");
        write("KEYS", gpg("--armor", "--export", "Release"));
        git("init", "-q");
        commit();
        git("remote", "add", "origin", "https://" + REPOSITORY);
    }

    @AfterEach
    void endTheAgent() throws IOException, InterruptedException {
        if (InstalledProgram.exists("gpgconf")) {
            run(List.of("gpgconf", "--kill", "gpg-agent"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://github.com/microbatch/kafka-connect-microbatch",
                "https://github.com/microbatch/kafka-connect-microbatch.git",
                "https://github.com/microbatch/kafka-connect-microbatch/",
                "https://somebody@github.com/microbatch/kafka-connect-microbatch.git",
                "ssh://git@github.com/microbatch/kafka-connect-microbatch.git",
                "git@github.com:microbatch/kafka-connect-microbatch.git",
                "github.com:microbatch/kafka-connect-microbatch",
            })
    void takesEachAddressOfTheProject(String address) throws IOException, InterruptedException {
        git("remote", "set-url", "origin", address);

        assertThat(upload()).contains(NO_RELEASE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://gitlab.example/notmicrobatch/kafka-connect-microbatch-fork.git",
                "https://gitlab.example/microbatch/kafka-connect-microbatch.git",
                "https://github.com/notmicrobatch/kafka-connect-microbatch.git",
                "https://github.com/microbatch/kafka-connect-microbatch-fork.git",
                "https://other.example/a@github.com/microbatch/kafka-connect-microbatch",
                "https://github.com.example/microbatch/kafka-connect-microbatch",
                "git@gitlab.example:microbatch/kafka-connect-microbatch.git",
                "git@other.example:github.com/microbatch/kafka-connect-microbatch.git",
                "http://github.com/microbatch/kafka-connect-microbatch",
                "/srv/github.com/microbatch/kafka-connect-microbatch",
                "/srv/somebody@github.com:microbatch/kafka-connect-microbatch",
                "github.com/microbatch/kafka-connect-microbatch",
            })
    void refusesEachOtherAddress(String address) throws IOException, InterruptedException {
        git("remote", "set-url", "origin", address);

        assertThat(upload()).contains("the remote origin is another one");
    }

    @Test
    void takesAReleaseThatAPublishedKeyHasSigned() throws IOException, InterruptedException {
        release("Release");

        assertThat(upload()).contains(NO_TOKEN);
    }

    /** The key of a dry run, or of anybody, is none that a reader could check. */
    @Test
    void refusesAReleaseThatAnotherKeyHasSigned() throws IOException, InterruptedException {
        newKey("Another");
        release("Another");

        assertThat(upload()).contains(NO_RELEASE);
    }

    @Test
    void refusesAReleaseWhoseArchiveAnotherKeyHasSigned() throws IOException, InterruptedException {
        release("Release");
        newKey("Another");
        Files.delete(checkout.resolve("target/release/" + ARCHIVE + ".asc"));
        sign("Another", ARCHIVE);

        assertThat(upload()).contains(NO_RELEASE);
    }

    @Test
    void refusesAReleaseThatHasChangedSinceItWasSigned() throws IOException, InterruptedException {
        release("Release");
        write("target/release/" + ARCHIVE, "changed");

        assertThat(upload()).contains(NO_RELEASE);
    }

    @Test
    void refusesAReleaseWithoutAPublishedKey() throws IOException, InterruptedException {
        release("Release");
        Files.delete(checkout.resolve("KEYS"));
        commit();

        assertThat(upload()).contains("no file KEYS");
    }

    private String upload() throws IOException, InterruptedException {
        Ended ended = run(List.of("bash", "build/release", "--upload"));
        assertThat(ended.status()).as(ended.output()).isEqualTo(1);
        return ended.output();
    }

    /** What {@code build/release --key} leaves, signed with this key. */
    private void release(String key) throws IOException, InterruptedException {
        write("target/release/" + ARCHIVE, "archive");
        write("target/release/sbom.cdx.json", "{}");
        Ended sums = run(List.of("sh", "-c", "cd target/release && sha512sum " + ARCHIVE + " sbom.cdx.json"));
        write("target/release/SHA512SUMS", sums.output());
        sign(key, ARCHIVE);
        sign(key, "SHA512SUMS");
    }

    private void sign(String key, String file) throws IOException, InterruptedException {
        gpg("--local-user", key, "--armor", "--detach-sign", "target/release/" + file);
    }

    private void newKey(String name) throws IOException, InterruptedException {
        gpg("--passphrase", "", "--quick-generate-key", name, "ed25519", "sign", "never");
    }

    private void commit() throws IOException, InterruptedException {
        git("add", ".");
        git("-c", "user.name=test", "-c", "user.email=test@localhost", "commit", "-q", "-m", "Release");
        git("tag", "-f", "v0.1.0");
    }

    private void write(String file, String text) throws IOException {
        Path path = checkout.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private void git(String... arguments) throws IOException, InterruptedException {
        Ended ended = run(concat(List.of("git"), arguments));
        assertThat(ended.status()).as(ended.output()).isZero();
    }

    private String gpg(String... arguments) throws IOException, InterruptedException {
        Ended ended = run(concat(List.of("gpg", "--batch", "--quiet"), arguments));
        assertThat(ended.status()).as(ended.output()).isZero();
        return ended.output();
    }

    private static List<String> concat(List<String> head, String... rest) {
        return Stream.concat(head.stream(), List.of(rest).stream()).toList();
    }

    /** What a program has printed, and how it ended. */
    private record Ended(int status, String output) {}

    private Ended run(List<String> command) throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(checkout.toFile()).redirectErrorStream(true);
        builder.environment().put("GNUPGHOME", keys.toString());
        builder.environment().put("GIT_CONFIG_NOSYSTEM", "1");
        builder.environment().remove("CENTRAL_TOKEN");
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return new Ended(process.exitValue(), output);
    }
}
