package io.microbatch.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs a program of the machine, such as Maven or git, to its end. Stateless. */
public final class ExternalCommand {

    private static final int TAIL_LINES = 20;

    private ExternalCommand() {}

    /**
     * Waits until the program has ended, for some minutes at most, and kills it otherwise.
     *
     * @param directory where it runs
     * @param log the file for what it prints
     * @throws IllegalStateException if it cannot be run, does not end or fails: with the end of what it printed
     */
    public static void run(List<String> command, Path directory, Path log, long limitMinutes) {
        try {
            Process process = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            try {
                if (!process.waitFor(limitMinutes, TimeUnit.MINUTES) || process.exitValue() != 0) {
                    throw new IllegalStateException(String.join(" ", command) + " failed. " + tail(log));
                }
            } finally {
                Process ignored = process.destroyForcibly();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static String tail(Path log) throws IOException {
        List<String> lines = Files.readAllLines(log);
        try (Stream<String> last = lines.stream().skip(Math.max(0, lines.size() - TAIL_LINES))) {
            return "End of " + log + ":\n" + String.join("\n", last.toList());
        }
    }
}
