package io.microbatch.bench.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InstalledJavaTest {

    @TempDir
    private Path directory;

    @Test
    void readsTheVersionOfTheRunningJava() {
        InstalledJava running = InstalledJava.of(Path.of(System.getProperty("java.home")));
        assertThat(running.feature()).isEqualTo(Runtime.version().feature());
        assertThat(running.version()).startsWith(Integer.toString(running.feature()));
    }

    @Test
    void choosesTheOldestFrom17OnAndTheNewest() throws IOException {
        Path older = java("11.0.2");
        Path newest = java("99");
        List<InstalledJava> chosen = InstalledJava.oldestAndNewest(List.of(older, newest));
        assertThat(chosen).hasSize(2);
        assertThat(chosen.get(0).feature())
                .isGreaterThanOrEqualTo(17)
                .isLessThanOrEqualTo(Runtime.version().feature());
        assertThat(chosen.get(1)).isEqualTo(new InstalledJava(99, "99", newest));
    }

    @Test
    void knowsADirectoryWithoutJava() throws IOException {
        assertThat(InstalledJava.of(directory)).isNull();
        Path written = Files.writeString(directory.resolve("release"), "JAVA_VERSION=\"21\"\n");
        assertThat(written).exists();
        assertThat(InstalledJava.of(directory)).as("no program").isNull();
    }

    private Path java(String version) throws IOException {
        Path home = Files.createDirectories(directory.resolve(version));
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
        Path program =
                Files.createFile(Files.createDirectories(home.resolve("bin")).resolve("java"));
        assertThat(program.toFile().setExecutable(true)).isTrue();
        return home;
    }
}
