package io.microbatch.testbed;

import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A real PostgreSQL with logical decoding, unpacked from Maven artifacts and run as a process of its own.
 *
 * <p>The embedded server starts with {@code -F}, that is with {@code fsync=off}, unless told otherwise, and so commits
 * faster than any server that people run. Here it is told otherwise: {@code fsync=on} and {@code synchronous_commit=on}.
 */
public final class PostgresServer implements Closeable {

    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final Duration STOP_GRACE = Duration.ofSeconds(10);
    private static final String DATABASE = "postgres";
    private static final Map<String, String> DEFAULTS = Map.of(
            "wal_level", "logical",
            "max_wal_senders", "8",
            "max_replication_slots", "8",
            "synchronous_commit", "on",
            "fsync", "on",
            "listen_addresses", Ports.HOST,
            "unix_socket_directories", "",
            "shared_buffers", "64MB",
            "max_connections", "100");

    private final EmbeddedPostgres postgres;
    private final Path data;
    private final ServerProcess again;
    private final ShutdownGuard.Registration registration;

    private PostgresServer(EmbeddedPostgres postgres, Path directory) {
        this.postgres = postgres;
        this.data = directory.resolve("data");
        this.again = new ServerProcess("postgres-again", command(data), directory);
        this.registration = ShutdownGuard.register(this::stop);
    }

    /** Unpacks a server under {@code workDir}, starts it and returns when it takes connections. */
    public static PostgresServer start(Path workDir) {
        return start(workDir, Map.of());
    }

    /** The same, with server settings that win over the defaults. */
    public static PostgresServer start(Path workDir, Map<String, String> overrides) {
        Path directory = JavaCommand.directory(workDir, "postgres");
        File log = directory.resolve("postgres.log").toFile();
        // Otherwise it leaves an empty directory in the system's temporary directory, whatever the builder is told.
        System.setProperty("ot.epg.working-dir", directory.toString());
        DefaultPostgresBinaryResolver binaries = DefaultPostgresBinaryResolver.INSTANCE;
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                .setPort(Ports.free())
                // The directory of unpacked binaries is remembered per resolver: a new one unpacks into our directory.
                .setPgBinaryResolver((system, machine) -> binaries.getPgBinary(system, machine))
                .setOverrideWorkingDirectory(directory.resolve("binaries").toFile())
                .setDataDirectory(directory.resolve("data"))
                .setPGStartupWait(Duration.ofSeconds(60))
                .setRegisterShutdownHook(false)
                .setOutputRedirector(ProcessBuilder.Redirect.appendTo(log))
                .setErrorRedirector(ProcessBuilder.Redirect.appendTo(log));
        DEFAULTS.forEach(builder::setServerConfig);
        overrides.forEach(builder::setServerConfig);
        return ShutdownGuard.startGuarded(() -> start(builder, log, directory));
    }

    private static PostgresServer start(EmbeddedPostgres.Builder builder, File log, Path directory) {
        try {
            return new PostgresServer(builder.start(), directory);
        } catch (IOException e) {
            throw new UncheckedIOException("PostgreSQL did not start; its log is " + log, e);
        }
    }

    /** What the server notes that it was started with, to start it again; as root's child it refuses to run. */
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

    /** SIGQUIT: the server's immediate shutdown. Every session is cut off, nothing is flushed. */
    public void kill() {
        long pid = pid();
        Signals.send("QUIT", pid);
        Await.until(
                "PostgreSQL is gone",
                START_LIMIT,
                () -> ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty(),
                () -> "still there");
    }

    /** As the server itself notes it: what started it may have been another process. */
    private long pid() {
        try {
            return Long.parseLong(
                    Files.readAllLines(data.resolve("postmaster.pid")).get(0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts a killed server with the same port and data; returns when it has recovered and takes connections. */
    public void restart() {
        again.start(START_LIMIT, this::answers);
    }

    private boolean answers() {
        try (Connection connection = connect()) {
            return connection.isValid(1);
        } catch (SQLException e) {
            return false;
        }
    }

    /** 127.0.0.1. */
    public String host() {
        return Ports.HOST;
    }

    /** The port on 127.0.0.1. */
    public int port() {
        return postgres.getPort();
    }

    /** The database that connections are made to. */
    public String database() {
        return DATABASE;
    }

    /** A superuser, who may replicate. */
    public String user() {
        return "postgres";
    }

    /** Any password is accepted on the loopback interface. */
    public String password() {
        return "postgres";
    }

    /** For {@link DriverManager}. */
    public String jdbcUrl() {
        return "jdbc:postgresql://" + host() + ":" + port() + "/" + DATABASE;
    }

    /** A new connection as {@link #user()}. */
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(jdbcUrl(), user(), password());
    }

    /** What the server says about one of its settings. */
    public String setting(String name) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SHOW " + name)) {
            rows.next();
            return rows.getString(1);
        }
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
