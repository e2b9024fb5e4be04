package io.microbatch.testbed;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** One server process with its log file. Each start uses the same command. */
final class ServerProcess implements Server {

    private static final int TAIL_LINES = 40;

    private final String name;
    private final List<String> command;
    private final Path directory;
    private final Path log;
    private final Map<String, String> environment;
    private volatile Process process;
    private ShutdownGuard.Registration registration;

    ServerProcess(String name, List<String> command, Path directory) {
        this(name, command, directory, Map.of());
    }

    ServerProcess(String name, List<String> command, Path directory, Map<String, String> environment) {
        this.name = name;
        this.command = List.copyOf(command);
        this.directory = directory;
        this.log = directory.resolve(name + ".log");
        this.environment = Map.copyOf(environment);
    }

    @Override
    public void start(Duration limit, BooleanSupplier ready) {
        if (isAlive()) {
            throw new IllegalStateException(name + " is already running");
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
            ProcessBuilder builder = new ProcessBuilder(command);
            builder.environment().putAll(environment);
            Process launched = builder.directory(directory.toFile())
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

    /** Runs a short-lived command and waits for its end. */
    void run(Duration limit) {
        process = ShutdownGuard.startGuarded(this::launch);
        boolean ended = Await.reached(limit, () -> !isAlive());
        if (!ended || code() != 0) {
            kill();
            throw new IllegalStateException(
                    name + (ended ? " ended with code " + code() : " did not end") + ". " + tail());
        }
        registration.close();
    }

    @Override
    public boolean isAlive() {
        Process current = process;
        return current != null && current.isAlive();
    }

    @Override
    public long pid() {
        return process.pid();
    }

    @Override
    public void stop(Duration grace) {
        if (isAlive()) {
            process.destroy();
            boolean ignored = Await.reached(grace, () -> !isAlive());
        }
        kill();
    }

    @Override
    public void remove(Duration grace) {
        stop(grace);
    }

    /** Waits until the process is gone: the kernel needs a moment. */
    @Override
    public void kill() {
        Process current = process;
        if (current == null) {
            return;
        }
        end(current);
        registration.close();
    }

    @Override
    public List<String> lines() {
        try {
            return read();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> read() throws IOException {
        return Files.exists(log) ? Files.readAllLines(log) : List.of();
    }

    @Override
    public void freeze() {
        Signals.send("STOP", pid());
    }

    @Override
    public void thaw() {
        Signals.send("CONT", pid());
    }

    @Override
    public String tail() {
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
