package io.microbatch.testbed;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * One server process with its log file: started, awaited, stopped or killed, and started again with the same command.
 * Used by one thread at a time; only the shutdown guard reaches in from another.
 */
final class ServerProcess {

    private static final int TAIL_LINES = 40;

    private final String name;
    private final List<String> command;
    private final Path directory;
    private final Path log;
    private volatile Process process;
    private ShutdownGuard.Registration registration;

    ServerProcess(String name, List<String> command, Path directory) {
        this.name = name;
        this.command = List.copyOf(command);
        this.directory = directory;
        this.log = directory.resolve(name + ".log");
    }

    /** Starts and waits until {@code ready}; a process that ends first, or is too late, is stopped and reported. */
    void start(Duration limit, BooleanSupplier ready) {
        if (isAlive()) {
            throw new IllegalStateException(name + " is running already");
        }
        process = ShutdownGuard.startGuarded(this::launch);
        boolean answered = Await.reached(limit, () -> !isAlive() || ready.getAsBoolean());
        if (!answered || !isAlive()) {
            String outcome =
                    isAlive() ? "was not ready within " + limit.toMillis() + " ms" : "ended with code " + code();
            kill();
            throw new IllegalStateException(name + " " + outcome + ". " + tail());
        }
    }

    private Process launch() {
        try {
            Process launched = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectInput(new File("/dev/null"))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            registration = ShutdownGuard.register(() -> end(launched));
            return launched;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a short-lived command to its end. */
    void run(Duration limit) {
        start(limit, () -> true);
        boolean ended = Await.reached(limit, () -> !isAlive());
        if (!ended || code() != 0) {
            kill();
            throw new IllegalStateException(
                    name + (ended ? " ended with code " + code() : " did not end") + ". " + tail());
        }
        registration.close();
    }

    boolean isAlive() {
        Process current = process;
        return current != null && current.isAlive();
    }

    long pid() {
        return process.pid();
    }

    /** SIGTERM, then SIGKILL when the grace is over. */
    void stop(Duration grace) {
        if (isAlive()) {
            process.destroy();
            boolean ignored = Await.reached(grace, () -> !isAlive());
        }
        kill();
    }

    /** SIGKILL, and waits until the process is gone, which takes the kernel a moment. */
    void kill() {
        Process current = process;
        if (current == null) {
            return;
        }
        end(current);
        registration.close();
    }

    /** The whole log. */
    List<String> lines() {
        try {
            return read();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> read() throws IOException {
        return Files.exists(log) ? Files.readAllLines(log) : List.of();
    }

    /** SIGSTOP: the process keeps its memory, its connections and its locks, and does nothing. */
    void freeze() {
        Signals.send("STOP", pid());
    }

    /** SIGCONT. */
    void thaw() {
        Signals.send("CONT", pid());
    }

    /** The last lines of the log, for a failure message. */
    String tail() {
        try {
            List<String> lines = read();
            List<String> last = lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size());
            return "End of " + log + ":\n" + String.join("\n", last);
        } catch (IOException e) {
            return "Its log " + log + " cannot be read: " + e;
        }
    }

    private static void end(Process running) {
        running.destroyForcibly();
        boolean ignored = Await.reached(Duration.ofSeconds(10), () -> !running.isAlive());
    }

    private int code() {
        return process.exitValue();
    }
}
