package io.microbatch.connect.upstream.outbox;

import io.microbatch.connect.config.OutboxConfig;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.postgresql.Driver;
import org.postgresql.PGConnection;

/**
 * A connection to the primary of the outbox's database. Each statement is a transaction of its own, because a snapshot
 * that is held would stop vacuum. One thread, except {@link #cancel} and
 * {@link #abort}.
 */
final class OutboxConnection implements AutoCloseable {

    /** The timeline of a server that is no primary. */
    static final String STANDBY = "standby";

    private static final int MIN_VERSION = 13;

    /** A part of the time for an answer is left for the cancellation. */
    private static final int CANCELLATION_SHARE = 6;

    /** The question to the driver may take a millisecond. */
    private static final long COLLECTION_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Connection connection;

    /** The longest time of a statement, in seconds. */
    private final int limitS;

    private boolean hasAnswered;
    private boolean isListening;
    private boolean isAnnounced;
    private long collectedNanos;

    private OutboxConnection(Connection connection, int limitS) {
        this.connection = connection;
        this.limitS = limitS;
    }

    /** Reads one row of a result. */
    @FunctionalInterface
    interface RowReader<T> {
        /** Called with the result at the row. */
        T read(ResultSet row) throws SQLException;
    }

    /**
     * Opens a connection.
     *
     * @param application the name that the database shows for it
     * @param limitSeconds the longest wait for each host, and for an answer
     * @throws SQLException with the class 0A if the server is too old
     */
    static OutboxConnection open(OutboxConfig config, String application, int limitSeconds) throws SQLException {
        // The driver's own class: DriverManager would look for a driver in all plugins.
        Connection opened = new Driver().connect(config.url(), settings(config, application, limitSeconds));
        if (opened == null) {
            throw new SQLException("The URL is none of PostgreSQL's", "08001");
        }
        try {
            if (opened.getMetaData().getDatabaseMajorVersion() < MIN_VERSION) {
                throw new SQLException("PostgreSQL 13 or later is needed", "0A000");
            }
            useOneTimeZone(opened);
        } catch (SQLException | RuntimeException e) {
            try {
                opened.close();
            } catch (SQLException closing) {
                e.addSuppressed(closing);
            }
            throw e;
        }
        return new OutboxConnection(opened, statementLimitS(config.url(), limitSeconds));
    }

    /** What the driver is told besides the URL, whose parameters come first. */
    static Properties settings(OutboxConfig config, String application, int limitSeconds) {
        Properties settings = new Properties();
        settings.setProperty("user", config.user());
        settings.setProperty("password", config.password().value());
        settings.setProperty("ApplicationName", application);
        settings.setProperty("targetServerType", "primary");
        settings.setProperty("tcpKeepAlive", "true");
        settings.setProperty("connectTimeout", Integer.toString(limitSeconds));
        settings.setProperty("socketTimeout", Integer.toString(limitSeconds));
        // Details quote rows, which belong to nobody's log.
        settings.setProperty("logServerErrorDetail", "false");
        if (config.url().contains("sslmode=verify-")) {
            // Otherwise the driver looks for certificates in the home directory of the worker's user.
            settings.setProperty("sslfactory", "org.postgresql.ssl.DefaultJavaSSLFactory");
        }
        return settings;
    }

    /** Makes the texts of keys the same for all tasks. Poolers keep the zone of each client; few other settings. */
    private static void useOneTimeZone(Connection opened) throws SQLException {
        try (Statement statement = opened.createStatement()) {
            statement.execute("SET TIME ZONE 'UTC'");
        }
    }

    /**
     * The longest time of a statement, which is cancelled then. That is before the socket is closed: the server would
     * not notice, and a statement that waits for a lock would keep its connection.
     */
    private static int statementLimitS(String url, int limitSeconds) {
        Properties parsed = Driver.parseURL(url, null);
        int given = parsed == null ? 0 : Integer.parseInt(parsed.getProperty("socketTimeout", "0"));
        int socketS = given > 0 ? given : limitSeconds;
        return Math.max(1, socketS - Math.max(1, socketS / CANCELLATION_SHARE));
    }

    /**
     * What the connected server is.
     *
     * @param identity the server, its timeline, the database and the table
     * @param snapshot the transactions that are finished now
     */
    record Server(String identity, Snapshot snapshot, LogGeometry log) {}

    /**
     * Asks the server what it is.
     *
     * @param identity an expression with {@link OutboxTable.Timeline#identity}
     * @throws SQLException also if it is a standby
     */
    Server server(String identity) throws SQLException {
        Server server = one(
                "SELECT " + identity + ", pg_current_snapshot()::text, current_setting('wal_block_size')::bigint, "
                        + "pg_size_bytes(current_setting('wal_segment_size'))",
                row -> new Server(
                        row.getString(1),
                        Snapshot.parse(row.getString(2)),
                        new LogGeometry(row.getLong(3), row.getLong(4))));
        if (server.identity().contains('/' + STANDBY + '/')) {
            throw new SQLException("The server is a standby", "57P03");
        }
        return server;
    }

    /** The first row of a statement, which must have one. */
    <T> T one(String sql, RowReader<T> reader, Object... parameters) throws SQLException {
        return all(sql, reader, parameters).get(0);
    }

    /** All rows of a statement. */
    <T> List<T> all(String sql, RowReader<T> reader, Object... parameters) throws SQLException {
        return allWithin(limitS, sql, reader, parameters);
    }

    /** All rows of a statement that ends in this time, in seconds, or fails with the class 57014. */
    <T> List<T> allWithin(int seconds, String sql, RowReader<T> reader, Object... parameters) throws SQLException {
        try (PreparedStatement statement = prepare(sql, parameters)) {
            statement.setQueryTimeout(Math.min(limitS, seconds));
            try (ResultSet rows = statement.executeQuery()) {
                List<T> found = new ArrayList<>();
                while (rows.next()) {
                    found.add(reader.read(rows));
                }
                hasAnswered = true;
                return found;
            }
        } catch (SQLException e) {
            // The server itself says that somebody has the lock.
            hasAnswered |= StatementLimit.isLocked(e);
            throw e;
        }
    }

    /** Whether the database has answered a statement since the last call. */
    boolean hasAnsweredSinceLastCall() {
        boolean answered = hasAnswered;
        hasAnswered = false;
        return answered;
    }

    private PreparedStatement prepare(String sql, Object... parameters) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        try {
            for (int i = 0; i < parameters.length; i++) {
                Object parameter = parameters[i];
                if (parameter instanceof Long number) {
                    statement.setLong(i + 1, number);
                } else if (parameter instanceof Integer number) {
                    statement.setInt(i + 1, number);
                } else if (parameter instanceof Long[] numbers) {
                    statement.setArray(i + 1, connection.createArrayOf("bigint", numbers));
                } else {
                    // Without a type, so that the server parses a snapshot once and not for each row.
                    statement.setObject(i + 1, parameter.toString(), Types.OTHER);
                }
            }
            return statement;
        } catch (SQLException e) {
            statement.close();
            throw e;
        }
    }

    /**
     * Writes something into the database's log and returns when it is on disk, and everything before it.
     *
     * @throws SQLException of the class 42 if the user may not
     */
    void flushLog() throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(limitS);
            // Not a standby's log: only the primary's crash would undo what the snapshot shows.
            statement.execute("SET LOCAL synchronous_commit TO local");
            statement.execute("SELECT pg_logical_emit_message(true, 'microbatch', '')");
            connection.commit();
        } catch (SQLException e) {
            rollBack(e);
            throw e;
        }
        connection.setAutoCommit(true);
    }

    private void rollBack(SQLException cause) {
        try {
            connection.rollback();
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            cause.addSuppressed(e);
        }
    }

    /**
     * Lets the server announce what is sent to a channel, whose name is an identifier without quotes in it.
     *
     * @param nowNanos the time of the clock that {@link #collectAnnouncements} gets
     */
    void listen(String channel, long nowNanos) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("LISTEN \"" + channel + "\"");
        }
        isListening = true;
        collectedNanos = nowNanos;
    }

    /**
     * Takes the announcements that have come with other answers, once a second at most, and returns how many. The
     * driver keeps all of them until it is asked for them, which nobody does while there are rows to read. The next
     * {@link #awaitAnnouncement} does not wait then.
     */
    int collectAnnouncements(long nowNanos) throws SQLException {
        if (!isListening || nowNanos - collectedNanos < COLLECTION_NANOS) {
            return 0;
        }
        collectedNanos = nowNanos;
        int collected = connection.unwrap(PGConnection.class).getNotifications().length;
        isAnnounced |= collected > 0;
        return collected;
    }

    /** Waits for an announcement, for this many milliseconds at most, which are more than 0. Whether there was one. */
    boolean awaitAnnouncement(int limitMs) throws SQLException {
        boolean wasAnnounced = isAnnounced;
        isAnnounced = false;
        return wasAnnounced || connection.unwrap(PGConnection.class).getNotifications(limitMs).length > 0;
    }

    /** Cancels the statement that is under way, if there is one. It fails with 57014. Any thread. */
    void cancel() throws SQLException {
        connection.unwrap(PGConnection.class).cancelQuery();
    }

    /** Ends what is under way. Any thread. */
    void abort() throws SQLException {
        connection.abort(Runnable::run);
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
