package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.testbed.PluginArchive;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Runs what a page shows for the shell, with this Java and with the programs of {@code programs} in the working
 * directory before those of the machine. One thread.
 *
 * @param directory the working directory
 */
record PageShell(Path directory) {

    static PageShell in(Path directory) {
        return new PageShell(directory);
    }

    /**
     * Unpacks the packaged archive and returns the directory that it contains. A reader's program for archives keeps
     * which file is a program.
     */
    static Path unpackedArchive(Path directory) throws IOException {
        PluginArchive.unpack(Path.of(System.getProperty("plugin.archive")), directory);
        try (Stream<Path> files = Files.list(directory)) {
            Path archive = files.filter(Files::isDirectory).findFirst().orElseThrow();
            assertThat(archive.resolve("bin/microbatch").toFile().setExecutable(true))
                    .isTrue();
            return archive;
        }
    }

    /** Runs it to its end, which has to come in time and with status 0. Returns what it printed. */
    String run(String command, Duration limit) throws IOException, InterruptedException {
        Process process = start(command);
        try {
            assertThat(process.waitFor(limit.toSeconds(), TimeUnit.SECONDS))
                    .as("%s ends", command)
                    .isTrue();
        } finally {
            kill(process);
        }
        String output = output();
        assertThat(process.exitValue()).as(command + "\n" + output).isZero();
        return output.strip();
    }

    /** Starts it. What it prints is in {@link #output}. */
    Process start(String command) throws IOException {
        Path java = Path.of(System.getProperty("java.home"));
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", "set -o pipefail\n" + command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(printed().toFile());
        builder.environment().put("JAVA_HOME", java.toString());
        builder.environment()
                .merge(
                        "PATH",
                        "",
                        (path, ignored) -> String.join(
                                File.pathSeparator,
                                directory.resolve("programs").toString(),
                                java.resolve("bin").toString(),
                                path));
        return builder.start();
    }

    String output() throws IOException {
        return Files.readString(printed());
    }

    static void kill(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        Process ignored = process.destroyForcibly();
    }

    private Path printed() {
        return directory.resolve("printed");
    }
}
