package io.microbatch.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CodeVersionTest {

    @TempDir
    private Path directory;

    @Test
    void isTheCommitAndSaysWhatWasChangedSince() throws IOException, InterruptedException {
        Path file = repository();
        String commit = CodeVersion.of(directory);
        assertThat(commit).matches("[0-9a-f]{7,40}");

        Files.writeString(file, "changed");
        assertThat(CodeVersion.of(directory)).isEqualTo(commit + "-dirty");
    }

    @Test
    void isNotThatOfARepositoryAroundTheCheckout() throws IOException, InterruptedException {
        Path ignored = repository();
        Path inside = Files.createDirectory(directory.resolve("unpacked"));

        assertThat(CodeVersion.of(inside)).isEqualTo("unknown");
    }

    @Test
    void isUnknownWithoutARepositoryWithoutADirectoryAndWithoutGit() {
        assertThat(CodeVersion.of(directory)).isEqualTo("unknown");
        assertThat(CodeVersion.of(directory.resolve("missing"))).isEqualTo("unknown");
        assertThat(CodeVersion.of(directory, directory.resolve("no-git").toString()))
                .isEqualTo("unknown");
    }

    @Test
    void isWhatTheEnvironmentNamesWhereThereIsNoRepository() {
        assertThat(CodeVersion.named(Map.of("BENCH_CODE", "v0.1.0-3-gabc1234-dirty")))
                .isEqualTo("v0.1.0-3-gabc1234-dirty");
        assertThat(CodeVersion.named(Map.of("BENCH_CODE", "not a name"))).isEqualTo("unknown");
        assertThat(CodeVersion.named(Map.of())).isEqualTo("unknown");
    }

    /** Answers its only file, which is committed. */
    private Path repository() throws IOException, InterruptedException {
        Path file = Files.writeString(directory.resolve("file"), "committed");
        assumeTrue(git("init", "-q") == 0, "there is no git");
        assertThat(git("add", "file")).isZero();
        assertThat(git("-c", "user.name=test", "-c", "user.email=test@localhost", "commit", "-q", "-m", "test"))
                .isZero();
        return file;
    }

    private int git(String... arguments) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of("git", "-c", "commit.gpgSign=false"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(directory.toFile()).inheritIO();
        builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
        try {
            return builder.start().waitFor();
        } catch (IOException e) {
            return -1;
        }
    }
}
