package io.microbatch.connect.calibration;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Properties;
import org.sqlite.jdbc4.JDBC4Connection;

/**
 * Opens the database so that it can harm neither the worker nor another task, and moves a damaged one aside. Stateless;
 * calibration thread.
 */
final class SqliteFile {
    /** READWRITE, and NOFOLLOW: SQLite itself refuses a link that appears after our check. It never creates a file. */
    private static final int OPEN_MODE = 0x0000_0002 | 0x0100_0000;

    private static final int BUSY_TIMEOUT_MS = 250;

    /** SQLite's default. */
    private static final int PAGE_BYTES = 4_096;

    /** Far more than a row of ours takes. */
    private static final int MAX_VALUE_BYTES = 100_000;

    /** Enough for an investigation, and few enough for a disk that damages files repeatedly. */
    private static final int MAX_DAMAGED_FILES = 3;

    private static final String DAMAGED = ".damaged-";
    private static final DateTimeFormatter TIMESTAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSS'Z'").withZone(ZoneOffset.UTC);

    @FunctionalInterface
    interface Work {
        void run() throws SQLException;
    }

    private SqliteFile() {}

    /** Returns a checked database with the current schema, held exclusively. The caller closes it, on this thread. */
    static Connection open(Path file, StoreLimits limits) throws CalibrationException {
        try {
            Connection connection = connect(file);
            try {
                prepare(connection, limits);
                return connection;
            } catch (SQLException | CalibrationException | RuntimeException e) {
                try {
                    connection.close();
                } catch (SQLException closing) {
                    e.addSuppressed(closing);
                }
                throw e;
            }
        } catch (SQLException e) {
            throw CalibrationException.of(e, file);
        } catch (CalibrationException e) {
            throw new CalibrationException(e.fault(), file + ": " + e.getMessage(), e);
        }
    }

    static void inTransaction(Connection connection, Work work) throws SQLException {
        connection.setAutoCommit(false);
        try {
            work.run();
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
            // SQLite has already rolled back, as on a full disk. The caller closes the store after any failure.
            cause.addSuppressed(e);
        }
    }

    /** Moves the file and its companions to names with a timestamp, and returns the new name of the file. */
    static Path moveAside(CalibrationPath path, Clock clock) throws CalibrationException {
        String suffix = DAMAGED + TIMESTAMP.format(clock.instant());
        Path target = path.sibling(suffix);
        try {
            // Companions first: SQLite would replay an old log into the new database.
            for (String companion : CalibrationPath.COMPANIONS) {
                if (Files.exists(path.sibling(companion))) {
                    Files.move(
                            path.sibling(companion),
                            path.sibling(suffix + companion),
                            StandardCopyOption.REPLACE_EXISTING);
                }
            }
            Files.move(path.file(), target, StandardCopyOption.REPLACE_EXISTING);
            deleteOldest(path);
            return target;
        } catch (IOException e) {
            throw CalibrationException.of(e, path.file());
        }
    }

    /**
     * Uses the connection class. The driver class would register with DriverManager and pin the plugin's class loader.
     */
    private static Connection connect(Path file) throws SQLException {
        Properties settings = new Properties();
        settings.setProperty("open_mode", Integer.toString(OPEN_MODE));
        settings.setProperty("busy_timeout", Integer.toString(BUSY_TIMEOUT_MS));
        settings.setProperty("limit_length", Integer.toString(MAX_VALUE_BYTES));
        return new JDBC4Connection("jdbc:sqlite:" + file, file.toString(), settings);
    }

    private static void prepare(Connection connection, StoreLimits limits) throws SQLException, CalibrationException {
        try (Statement statement = connection.createStatement()) {
            // Before the first access, so that the WAL index is on our heap: no shm file, no second opener.
            statement.execute("PRAGMA locking_mode = EXCLUSIVE");
            // Access to a truncated file that is mapped raises SIGBUS, which ends the worker.
            statement.execute("PRAGMA mmap_size = 0");
            statement.execute("PRAGMA cell_size_check = ON");
            statement.execute("PRAGMA trusted_schema = OFF");
            statement.execute("PRAGMA foreign_keys = ON");
            boolean blank = isBlank(statement);
            expectAtMost(limits.maxPages(), statement);
            if (!blank) {
                // Before the check of the pages, which also evaluates expressions of the schema.
                CalibrationSchema.check(statement);
            }
            expect("ok", statement, "PRAGMA quick_check(1)");
            statement.execute("PRAGMA synchronous = NORMAL");
            expect("wal", statement, "PRAGMA journal_mode = WAL");
            statement.execute("PRAGMA max_page_count = " + limits.maxPages());
            if (blank) {
                String script = CalibrationSchema.script()
                        + ";PRAGMA application_id = " + CalibrationFile.APPLICATION_ID
                        + ";PRAGMA user_version = " + CalibrationFile.SCHEMA_VERSION;
                inTransaction(connection, () -> statement.executeUpdate(script));
            }
        }
    }

    /**
     * Whether the database is empty. Only reads; throws FOREIGN_FILE or CORRUPT unless it is empty or of our schema.
     */
    private static boolean isBlank(Statement statement) throws SQLException, CalibrationException {
        String applicationId = answer(statement, "PRAGMA application_id");
        String version = answer(statement, "PRAGMA user_version");
        if (applicationId.equals(Integer.toString(CalibrationFile.APPLICATION_ID))) {
            if (!version.equals(Integer.toString(CalibrationFile.SCHEMA_VERSION))) {
                throw new CalibrationException(
                        CalibrationFault.CORRUPT,
                        "schema version " + version + ", while this version uses " + CalibrationFile.SCHEMA_VERSION);
            }
            return false;
        }
        if (applicationId.equals("0")
                && version.equals("0")
                && answer(statement, "SELECT count(*) FROM sqlite_schema").equals("0")) {
            return true;
        }
        throw new CalibrationException(
                CalibrationFault.FOREIGN_FILE,
                "a SQLite database with application_id " + applicationId + ", not calibration");
    }

    private static void expect(String expected, Statement statement, String pragma)
            throws SQLException, CalibrationException {
        String answer = answer(statement, pragma);
        if (!expected.equals(answer)) {
            throw new CalibrationException(CalibrationFault.CORRUPT, pragma + " answers " + answer);
        }
    }

    /** SQLite would take the pages of a file that has more as its limit. */
    private static void expectAtMost(int maxPages, Statement statement) throws SQLException, CalibrationException {
        long bytes = Long.parseLong(answer(statement, "PRAGMA page_count"))
                * Long.parseLong(answer(statement, "PRAGMA page_size"));
        if (bytes > (long) maxPages * PAGE_BYTES) {
            throw new CalibrationException(
                    CalibrationFault.CORRUPT,
                    "it has " + bytes + " bytes, at most " + (long) maxPages * PAGE_BYTES + " are read");
        }
    }

    private static String answer(Statement statement, String query) throws SQLException {
        try (ResultSet rows = statement.executeQuery(query)) {
            return rows.next() ? rows.getString(1) : "nothing";
        }
    }

    private static void deleteOldest(CalibrationPath path) throws IOException {
        List<Path> damaged = new ArrayList<>();
        String prefix = path.file().getFileName() + DAMAGED;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(
                path.directory(),
                p -> p.getFileName().toString().startsWith(prefix)
                        && CalibrationPath.COMPANIONS.stream()
                                .noneMatch(c -> p.toString().endsWith(c)))) {
            files.forEach(damaged::add);
        }
        Collections.sort(damaged);
        for (Path old : damaged.subList(0, Math.max(0, damaged.size() - MAX_DAMAGED_FILES))) {
            for (String companion : CalibrationPath.COMPANIONS) {
                Files.deleteIfExists(old.resolveSibling(old.getFileName() + companion));
            }
            Files.delete(old);
        }
    }
}
