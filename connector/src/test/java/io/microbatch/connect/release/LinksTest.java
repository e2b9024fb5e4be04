package io.microbatch.connect.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.microbatch.testbed.InstalledProgram;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The check of the pages' links, on pages that are written here. Skipped without Python. */
class LinksTest {

    private static final Path SCRIPT = Path.of("..", "build", "links");

    @TempDir
    private Path checkout;

    /** What the script has printed, and how it ended. */
    private record Ended(int status, String output) {}

    @BeforeEach
    void copyScript() throws IOException {
        assumeTrue(InstalledProgram.exists("python3"), "python3 is not installed");
        Files.createDirectories(checkout.resolve("build"));
        Files.copy(SCRIPT, checkout.resolve("build/links"));
        page("README.md", "[guide](docs/guide.md#first-step)");
        page("docs/guide.md", "## First step");
    }

    @Test
    void findsThePagesOfAnUnpackedArchive() throws IOException, InterruptedException {
        page("docs/wrong.md", "[nothing](nothing.md)\n\n[elsewhere](guide.md#second-step)");
        // Neither is a page of the project.
        page("module/target/generated.md", "[nothing](nothing.md)");
        page(".cache/kept.md", "[nothing](nothing.md)");

        Ended ended = run();

        assertThat(ended.output())
                .contains("docs/wrong.md:1: nothing.md: no such file")
                .contains("docs/wrong.md:3: guide.md#second-step: no such heading")
                .contains("3 files, 2 broken links");
        assertThat(ended.status()).isEqualTo(1);
    }

    @Test
    void needsNoGit() throws IOException, InterruptedException {
        Files.createDirectories(checkout.resolve(".git"));

        // Python itself needs the path where it is a script.
        ProcessBuilder builder = new ProcessBuilder("python3", "-c", """
                import os, runpy
                os.environ["PATH"] = os.getcwd()
                runpy.run_path("build/links", run_name="__main__")
                """);
        Ended ended = ended(builder);

        assertThat(ended.output()).contains("2 files, 0 broken links");
        assertThat(ended.status()).isZero();
    }

    @Test
    void checksTheTreeWhereGitRefusesToListIt() throws IOException, InterruptedException {
        assumeTrue(InstalledProgram.exists("git"), "git is not installed");
        // No repository, as one of another user is none to git.
        Files.createDirectories(checkout.resolve(".git"));

        Ended ended = run();

        assertThat(ended.output()).contains("2 files, 0 broken links");
        assertThat(ended.status()).isZero();
    }

    @Test
    void checksOnlyWhatGitTracks() throws IOException, InterruptedException {
        assumeTrue(InstalledProgram.exists("git"), "git is not installed");
        for (List<String> command : List.of(List.of("git", "init", "-q"), List.of("git", "add", "README.md", "docs"))) {
            assertThat(ended(new ProcessBuilder(command)).status()).isZero();
        }
        page("notes.md", "[nothing](nothing.md)");

        Ended ended = run();

        assertThat(ended.output()).contains("2 files, 0 broken links");
        assertThat(ended.status()).isZero();
    }

    private void page(String name, String text) throws IOException {
        Path file = checkout.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text + "\n");
    }

    private Ended run() throws IOException, InterruptedException {
        return ended(new ProcessBuilder("python3", "build/links"));
    }

    private Ended ended(ProcessBuilder builder) throws IOException, InterruptedException {
        Process process =
                builder.directory(checkout.toFile()).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), output);
    }
}
