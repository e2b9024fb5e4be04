package io.microbatch.bench.upgrade;

import io.microbatch.bench.calibrate.CalibrationCopy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What the calibration file of a task holds under the key that was opened last. It reads the files of every version
 * whose tables have these columns. Immutable.
 *
 * @param schema the schema version of the file
 * @param key what the figures are valid for, without connector and task
 * @param lastWindowEpochMs when the last window ended that is in the file under this key, or 0 if there is none
 * @param windows by level, the number of windows that the level's best setting is based on
 * @param recent by level, the number of windows of the best setting that have ended since the time that was asked for
 */
record Learned(int schema, String key, long lastWindowEpochMs, Map<Integer, Long> windows, Map<Integer, Long> recent) {

    private static final String SUFFIX = ".calibration";

    /**
     * Reads the file of each task. A file that cannot be read now is left out: its task is creating it or moving it
     * aside.
     *
     * @param sinceEpochMs from when on windows are recent
     */
    static Map<String, Learned> read(Path directory, Path scratch, long sinceEpochMs) {
        Map<String, Learned> tasks = new TreeMap<>();
        if (Files.isDirectory(directory)) {
            try (Stream<Path> files = Files.list(directory)) {
                files.filter(file -> file.toString().endsWith(SUFFIX))
                        .forEach(file ->
                                of(file, scratch, sinceEpochMs).ifPresent(learned -> tasks.put(task(file), learned)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return tasks;
    }

    private static String task(Path file) {
        String name = file.getFileName().toString();
        return name.substring(0, name.length() - SUFFIX.length());
    }

    private static Optional<Learned> of(Path file, Path scratch, long sinceEpochMs) {
        try {
            return CalibrationCopy.read(
                    file, scratch, (connection, statement) -> lastOpened(connection, statement, sinceEpochMs));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static Optional<Learned> lastOpened(Connection connection, Statement statement, long sinceEpochMs)
            throws SQLException {
        int schema;
        try (ResultSet version = statement.executeQuery("PRAGMA user_version")) {
            schema = version.getInt(1);
        }
        if (schema == 0) {
            return Optional.empty();
        }
        try (ResultSet key = statement.executeQuery(
                "SELECT * FROM calibration_key ORDER BY last_opened_epoch_ms DESC, id DESC LIMIT 1")) {
            if (!key.next()) {
                return Optional.empty();
            }
            long id = key.getLong("id");
            return Optional.of(new Learned(
                    schema,
                    String.join(
                            ", ",
                            key.getString("delivery_mode"),
                            key.getString("host"),
                            key.getString("upstream"),
                            key.getString("version")),
                    lastWindow(connection, id),
                    levels(connection, "SELECT level, observations FROM best WHERE key_id = ?", id),
                    levels(
                            connection,
                            "SELECT level, count(*) FROM observation WHERE key_id = ? AND explored = 0"
                                    + " AND window_end_epoch_ms >= ? GROUP BY level",
                            id,
                            sinceEpochMs)));
        }
    }

    private static long lastWindow(Connection connection, long key) throws SQLException {
        try (PreparedStatement select =
                connection.prepareStatement("SELECT max(window_end_epoch_ms) FROM observation WHERE key_id = ?")) {
            select.setLong(1, key);
            try (ResultSet row = select.executeQuery()) {
                return row.getLong(1);
            }
        }
    }

    private static Map<Integer, Long> levels(Connection connection, String query, long... arguments)
            throws SQLException {
        Map<Integer, Long> levels = new TreeMap<>();
        try (PreparedStatement select = connection.prepareStatement(query)) {
            for (int i = 0; i < arguments.length; i++) {
                select.setLong(i + 1, arguments[i]);
            }
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    levels.put(rows.getInt(1), rows.getLong(2));
                }
            }
        }
        return levels;
    }

    /** Whether a task has stored a window that ended at this time or later. */
    boolean isUsedSince(long epochMs) {
        return lastWindowEpochMs >= epochMs;
    }

    /** Whether a level's best setting is based on so many windows. */
    boolean hasLearned(long minWindows) {
        return windows.values().stream().anyMatch(count -> count >= minWindows);
    }

    /**
     * The number of levels whose best setting is based on more windows than there were recently: it is of an earlier
     * run.
     */
    long earlierLevels() {
        return windows.entrySet().stream()
                .filter(level -> level.getValue() > recent.getOrDefault(level.getKey(), 0L))
                .count();
    }
}
