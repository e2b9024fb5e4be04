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
 * Opens the database so that it can hurt neither the worker nor another task, and moves a damaged one aside. No state;
 * on the calibration thread.
 */
final class SqliteFile {
    /** READWRITE, and NOFOLLOW: SQLite itself refuses a link that appears after we looked. It never creates a file. */
    private static final int OPEN_MODE = 0x0000_0002 | 0x0100_0000;

    private static final int BUSY_TIMEOUT_MS = 250;
    /** Enough to study what happened, few enough for a disk that damages files again and again. */
    private static final int DAMAGED_FILES_KEPT = 3;

    private static final String DAMAGED = ".damaged-";
    private static final DateTimeFormatter TIMESTAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSS'Z'").withZone(ZoneOffset.UTC);

    private SqliteFile() {}

    /** A checked, migrated database, held exclusively. The caller closes it, on this thread. */
    static Connection open(Path file, StoreLimits limits, SchemaMigrations migrations) throws CalibrationException {
        try {
            Connection connection = connect(file);
            try {
                prepare(connection, limits, migrations);
                return connection;
            } catch (SQLException | CalibrationException | RuntimeException e) {
                connection.close();
                throw e;
            }
        } catch (SQLException e) {
            throw CalibrationException.of(e, file);
        } catch (CalibrationException e) {
            throw new CalibrationException(e.fault(), file + ": " + e.getMessage(), e);
        }
    }

    /** Moves the file and its companions to names with a timestamp, and returns the new name of the file. */
    static Path moveAside(CalibrationPath path, Clock clock) throws CalibrationException {
        String suffix = DAMAGED + TIMESTAMP.format(clock.instant());
        Path target = path.sibling(suffix);
        try {
            // Companions first: a log that is left beside a new database would be replayed into it.
            for (String companion : CalibrationPath.COMPANIONS) {
                if (Files.exists(path.sibling(companion))) {
                    Files.move(
                            path.sibling(companion),
                            path.sibling(suffix + companion),
                            StandardCopyOption.REPLACE_EXISTING);
                }
            }
            Files.move(path.file(), target, StandardCopyOption.REPLACE_EXISTING);
            forgetOldest(path);
            return target;
        } catch (IOException e) {
            throw CalibrationException.of(e, path.file());
        }
    }

    /** The connection class itself: the driver's class would register with DriverManager and pin the plugin's loader. */
    private static Connection connect(Path file) throws SQLException {
        Properties settings = new Properties();
        settings.setProperty("open_mode", Integer.toString(OPEN_MODE));
        settings.setProperty("busy_timeout", Integer.toString(BUSY_TIMEOUT_MS));
        return new JDBC4Connection("jdbc:sqlite:" + file, file.toString(), settings);
    }

    private static void prepare(Connection connection, StoreLimits limits, SchemaMigrations migrations)
            throws SQLException, CalibrationException {
        try (Statement statement = connection.createStatement()) {
            // Before the first access, so that the WAL index lives on our heap: no shm file, no second opener.
            statement.execute("PRAGMA locking_mode = EXCLUSIVE");
            // A truncated file that is mapped raises SIGBUS, which ends the worker.
            statement.execute("PRAGMA mmap_size = 0");
            statement.execute("PRAGMA cell_size_check = ON");
            statement.execute("PRAGMA trusted_schema = OFF");
            statement.execute("PRAGMA foreign_keys = ON");
            statement.execute("PRAGMA synchronous = NORMAL");
            migrations.refuseWhatIsNotOurs(connection);
            expect("wal", statement, "PRAGMA journal_mode = WAL");
            statement.execute("PRAGMA max_page_count = " + limits.maxPages());
            expect("ok", statement, "PRAGMA quick_check(1)");
            migrations.migrate(connection);
        }
    }

    private static void expect(String expected, Statement statement, String pragma)
            throws SQLException, CalibrationException {
        try (ResultSet rows = statement.executeQuery(pragma)) {
            String answer = rows.next() ? rows.getString(1) : "nothing";
            if (!expected.equals(answer)) {
                throw new CalibrationException(CalibrationFault.CORRUPT, pragma + " answers " + answer);
            }
        }
    }

    private static void forgetOldest(CalibrationPath path) throws IOException {
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
        for (Path old : damaged.subList(0, Math.max(0, damaged.size() - DAMAGED_FILES_KEPT))) {
            for (String companion : CalibrationPath.COMPANIONS) {
                Files.deleteIfExists(old.resolveSibling(old.getFileName() + companion));
            }
            Files.delete(old);
        }
    }
}
