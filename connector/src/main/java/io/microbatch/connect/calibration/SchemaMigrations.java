package io.microbatch.connect.calibration;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Brings a calibration file to the schema that this code knows: numbered scripts, {@code db/calibration/V1.sql} and on,
 * each in one transaction together with the number it leads to. A script is handed to SQLite whole and never split.
 *
 * <p>Immutable. A released script is never edited: a change of the schema is a new one, and {@link #LATEST} grows.
 */
final class SchemaMigrations {
    /** "mbca": says that a SQLite file is calibration before anything in it is touched. */
    static final int APPLICATION_ID = 0x6d626361;

    static final int LATEST = 3;

    private final List<String> scripts;

    SchemaMigrations(List<String> scripts) {
        this.scripts = List.copyOf(scripts);
    }

    static SchemaMigrations bundled() {
        return new SchemaMigrations(IntStream.rangeClosed(1, LATEST)
                .mapToObj(SchemaMigrations::resource)
                .toList());
    }

    /** Throws FOREIGN_FILE or NEWER_SCHEMA for a file that is not ours to change. Only reads. */
    void refuseWhatIsNotOurs(Connection connection) throws SQLException, CalibrationException {
        long applicationId = number(connection, "PRAGMA application_id");
        long version = number(connection, "PRAGMA user_version");
        boolean blank =
                applicationId == 0 && version == 0 && number(connection, "SELECT count(*) FROM sqlite_schema") == 0;
        if (applicationId != APPLICATION_ID && !blank) {
            throw new CalibrationException(
                    CalibrationFault.FOREIGN_FILE,
                    "a SQLite database with application_id " + applicationId + ", not calibration");
        }
        if (version < 0 || version > scripts.size()) {
            throw new CalibrationException(
                    CalibrationFault.NEWER_SCHEMA,
                    "schema version " + version + ", while this version knows 1 to " + scripts.size());
        }
    }

    /** Runs what is missing. After an exception the file is as the last complete script left it. */
    void migrate(Connection connection) throws SQLException {
        for (int version = (int) number(connection, "PRAGMA user_version") + 1; version <= scripts.size(); version++) {
            String script = scripts.get(version - 1)
                    + ";PRAGMA application_id = " + APPLICATION_ID
                    + ";PRAGMA user_version = " + version;
            inTransaction(connection, statement -> statement.executeUpdate(script));
        }
    }

    /** Work on a statement, for its effect. */
    @FunctionalInterface
    interface Work {
        /** Does it. */
        void on(Statement statement) throws SQLException;
    }

    static void inTransaction(Connection connection, Work work) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            work.on(statement);
            connection.commit();
        } catch (SQLException e) {
            rollBack(connection, e);
            throw e;
        }
        connection.setAutoCommit(true);
    }

    private static void rollBack(Connection connection, SQLException cause) {
        try {
            connection.rollback();
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            // SQLite has rolled back by itself, as it does on a full disk. The store is closed after any failure.
            cause.addSuppressed(e);
        }
    }

    static long number(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            return rows.getLong(1);
        }
    }

    private static String resource(int version) {
        String name = "/db/calibration/V" + version + ".sql";
        try (InputStream script = SchemaMigrations.class.getResourceAsStream(name)) {
            if (script == null) {
                throw new IllegalStateException("the jar lacks " + name);
            }
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
