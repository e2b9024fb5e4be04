package io.microbatch.testbed;

import java.io.Closeable;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * A process of a program that is installed on this machine. It ends with this virtual machine at the latest. Used by
 * one thread at a time.
 */
public final class InstalledProgram implements Closeable {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration STOP_GRACE = Duration.ofSeconds(10);

    /** Where Debian puts servers. It is not on the path of every user. */
    private static final String SERVERS = "/usr/sbin";

    private final ServerProcess process;

    private InstalledProgram(ServerProcess process) {
        this.process = process;
    }

    /** Whether this machine has the program on its path or among its servers. */
    public static boolean exists(String program) {
        return find(program).isPresent();
    }

    /**
     * Starts a program that runs until it is closed. Returns when {@code ready} holds, which has a minute.
     *
     * @throws IllegalStateException when it is not installed, ends, or is not ready in time; with the end of its log
     */
    public static InstalledProgram start(Path workDir, BooleanSupplier ready, String program, String... arguments) {
        ServerProcess process = process(workDir, program, arguments);
        process.start(LIMIT, ready);
        return new InstalledProgram(process);
    }

    /**
     * Runs a program to its end, which has to come within a minute.
     *
     * @throws IllegalStateException when it is not installed, or reports a fault; with the end of its output
     */
    public static void run(Path workDir, String program, String... arguments) {
        process(workDir, program, arguments).run(LIMIT);
    }

    @Override
    public void close() {
        process.stop(STOP_GRACE);
    }

    private static ServerProcess process(Path workDir, String program, String... arguments) {
        List<String> command = new ArrayList<>(List.of(path(program)));
        command.addAll(List.of(arguments));
        return new ServerProcess(program, command, JavaCommand.directory(workDir, program));
    }

    static String path(String program) {
        return find(program)
                .orElseThrow(() -> new IllegalStateException(program + " is not installed on this machine"))
                .toString();
    }

    private static Optional<Path> find(String program) {
        return Stream.concat(Stream.of(System.getenv("PATH").split(File.pathSeparator)), Stream.of(SERVERS))
                .map(directory -> Path.of(directory, program))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
