package io.microbatch.testbed;

import java.io.Closeable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A program, by default of the caller's own class path, as a server process, with the shutdown guard of brokers and
 * workers. The program prints a line that begins with a given text when it is ready. Used by one thread at a time.
 */
public final class JavaServer implements Closeable {

    private static final Duration START_LIMIT = Duration.ofSeconds(180);
    private static final Duration STOP_GRACE = Duration.ofSeconds(20);

    private final Server server;
    private final String announcement;

    private JavaServer(Server server, String announcement) {
        this.server = server;
        this.announcement = announcement;
    }

    /**
     * Starts a program, and returns when it is ready.
     *
     * @param name of its directory and its log
     * @param options of its JVM
     * @param announcement what its line begins with when it is ready
     * @throws IllegalStateException when it ends, or is not ready within 180 s; the message has the end of its log
     */
    public static JavaServer start(
            Path workDir, String name, List<String> options, String main, List<String> arguments, String announcement) {
        return start(workDir, name, options, System.getProperty("java.class.path"), main, arguments, announcement);
    }

    /** As the other method, with another class path. */
    public static JavaServer start(
            Path workDir,
            String name,
            List<String> options,
            String classPath,
            String main,
            List<String> arguments,
            String announcement) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("-cp", classPath, main));
        command.addAll(arguments);
        Server process = new ServerProcess(name, command, JavaCommand.directory(workDir, name));
        JavaServer started = new JavaServer(process, announcement);
        process.start(START_LIMIT, () -> !started.announced().isEmpty());
        return started;
    }

    /** What follows the announcement in its line. Empty before the program is ready. */
    public String announced() {
        return server.lines().stream()
                .filter(line -> line.startsWith(announcement))
                .map(line -> line.substring(announcement.length()).strip())
                .findFirst()
                .orElse("");
    }

    /** Whether the process runs. */
    public boolean isAlive() {
        return server.isAlive();
    }

    /** The process id. */
    public long pid() {
        return server.pid();
    }

    /** The last lines of its log, for a failure message. */
    public String logTail() {
        return server.tail();
    }

    @Override
    public void close() {
        server.remove(STOP_GRACE);
    }
}
