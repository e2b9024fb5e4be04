package io.microbatch.testbed;

import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A PostgreSQL unpacked from Maven artifacts and run as a process. Used by one thread at a time. */
final class PostgresProcess extends PostgresServer {

    private static final Duration STOP_GRACE = Duration.ofSeconds(10);

    private final EmbeddedPostgres postgres;
    private final Path data;
    private final ServerProcess again;
    private final ShutdownGuard.Registration registration;

    private PostgresProcess(EmbeddedPostgres postgres, Path directory) {
        super(postgres.getPort());
        this.postgres = postgres;
        this.data = directory.resolve("data");
        this.again = new ServerProcess("postgres-again", command(data), directory);
        this.registration = ShutdownGuard.register(this::stop);
    }

    /** Unpacks a server, starts it and returns when it accepts connections. */
    static PostgresServer start(Path directory, int port, Map<String, String> settings) {
        File log = directory.resolve("postgres.log").toFile();
        // Otherwise an empty directory remains in the system's temporary directory, with any settings of the builder.
        System.setProperty("ot.epg.working-dir", directory.toString());
        DefaultPostgresBinaryResolver binaries = DefaultPostgresBinaryResolver.INSTANCE;
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                .setPort(port)
                // The builder caches the unpacked binaries per resolver. A new resolver unpacks into our directory.
                .setPgBinaryResolver((system, machine) -> binaries.getPgBinary(system, machine))
                .setOverrideWorkingDirectory(directory.resolve("binaries").toFile())
                .setDataDirectory(directory.resolve("data"))
                .setPGStartupWait(START_LIMIT)
                .setRegisterShutdownHook(false)
                .setOutputRedirector(ProcessBuilder.Redirect.appendTo(log))
                .setErrorRedirector(ProcessBuilder.Redirect.appendTo(log));
        settings.forEach(builder::setServerConfig);
        builder.setServerConfig("unix_socket_directories", "");
        return ShutdownGuard.startGuarded(() -> start(builder, log, directory));
    }

    private static PostgresServer start(EmbeddedPostgres.Builder builder, File log, Path directory) {
        try {
            return new PostgresProcess(builder.start(), directory);
        } catch (IOException e) {
            throw new UncheckedIOException("PostgreSQL did not start; its log is " + log, e);
        }
    }

    /**
     * The command that the server has recorded at its start, to start it again. It refuses to run as a child of root.
     */
    private static List<String> command(Path data) {
        List<String> command = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(List.of("unshare", "-U"));
        }
        try {
            Matcher words =
                    Pattern.compile("\"([^\"]*)\"|(\\S+)").matcher(Files.readString(data.resolve("postmaster.opts")));
            while (words.find()) {
                command.add(words.group(1) != null ? words.group(1) : words.group(2));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return command;
    }

    @Override
    public void kill() {
        long pid = pid();
        Signals.send("QUIT", pid);
        Await.until(
                "the end of PostgreSQL",
                START_LIMIT,
                () -> ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty(),
                () -> "still there");
    }

    /** The process id that the server has recorded, because its starter may have been another process. */
    @Override
    public long pid() {
        try {
            return Long.parseLong(
                    Files.readAllLines(data.resolve("postmaster.pid")).get(0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void restart() {
        again.start(START_LIMIT, this::answers);
    }

    @Override
    public void close() {
        stop();
        registration.close();
    }

    private void stop() {
        try {
            again.stop(STOP_GRACE);
            postgres.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
