package io.microbatch.bench.calibrate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.sqlite.SQLiteDataSource;

/**
 * Reads a calibration file of any version from a copy, because a task holds its file exclusively while it runs. Do not
 * use it in the process that runs the task: closing any descriptor of the file there would drop the task's lock.
 * Stateless.
 */
public final class CalibrationCopy {

    /** A copy that is taken while the task writes may be torn. The next one is unlikely to be torn too. */
    private static final int ATTEMPTS = 5;

    private static final List<String> COMPANIONS = List.of("-wal", "-journal", "-shm");

    private CalibrationCopy() {}

    /** What is read from the copy. */
    @FunctionalInterface
    public interface Query<T> {
        /** Reads it. An SQLException means that the copy is torn. */
        T from(Connection connection, Statement statement) throws SQLException, IOException;
    }

    /**
     * Reads the file.
     *
     * @param file the calibration file, not a link
     * @param scratch an existing directory for the copy
     * @throws IOException if the file is missing or damaged, or the query throws it
     */
    public static <T> T read(Path file, Path scratch, Query<T> query) throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(file + " is not a calibration file: give the path of one, and no link to it");
        }
        Path copy = scratch.resolve("snapshot");
        SQLiteDataSource source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + copy);
        SQLException torn = null;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            copy(file, copy);
            try (Connection connection = source.getConnection();
                    Statement statement = connection.createStatement()) {
                requireWhole(statement);
                return query.from(connection, statement);
            } catch (SQLException e) {
                torn = e;
            }
        }
        throw new IOException(file + ": " + torn.getMessage(), torn);
    }

    private static void requireWhole(Statement statement) throws SQLException {
        try (ResultSet check = statement.executeQuery("PRAGMA quick_check(1)")) {
            if (!"ok".equals(check.getString(1))) {
                throw new SQLException(check.getString(1));
            }
        }
    }

    private static void copy(Path file, Path copy) throws IOException {
        for (String companion : COMPANIONS) {
            Files.deleteIfExists(copy.resolveSibling(copy.getFileName() + companion));
        }
        Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING, LinkOption.NOFOLLOW_LINKS);
        Path log = file.resolveSibling(file.getFileName() + "-wal");
        if (Files.isRegularFile(log, LinkOption.NOFOLLOW_LINKS)) {
            Files.copy(log, copy.resolveSibling(copy.getFileName() + "-wal"), LinkOption.NOFOLLOW_LINKS);
        }
    }
}
