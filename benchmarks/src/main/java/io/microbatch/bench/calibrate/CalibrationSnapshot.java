package io.microbatch.bench.calibrate;

import io.microbatch.connect.calibration.BestTable;
import io.microbatch.connect.calibration.CalibrationFile;
import io.microbatch.connect.calibration.CalibrationKey;
import io.microbatch.connect.learning.LevelBest;
import io.microbatch.connect.pressure.PressureLevel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.sqlite.SQLiteDataSource;

/**
 * The contents of a calibration file. It is read from a copy, because the task holds the file exclusively while it
 * runs.
 * Do not use it in the process that runs the task: closing any descriptor of the file there would drop the task's lock.
 * Immutable.
 *
 * @param key what the rest is valid for
 * @param bests the best setting of each level that has one
 * @param recent the latest windows of each level that has any, newest first
 * @param skippedRows the number of best settings with a wrong checksum or out of range, which are not shown
 */
record CalibrationSnapshot(
        CalibrationKey key,
        Map<PressureLevel, LevelBest> bests,
        Map<PressureLevel, List<StoredWindow>> recent,
        long skippedRows) {

    /** A copy that is taken while the task writes may be torn. The next one is unlikely to be torn too. */
    private static final int ATTEMPTS = 5;

    private static final List<String> COMPANIONS = List.of("-wal", "-journal", "-shm");

    /**
     * A stored window.
     *
     * @param lingerMs linger (T), milliseconds
     * @param serviceRatePerSec events per busy second
     * @param ackP99Ms p99 from arrival to acknowledgement, milliseconds
     * @param feasible whether the p99 was inside the budget
     * @param trial whether the setting was tried
     */
    record StoredWindow(
            double lingerMs,
            long events,
            long batches,
            double serviceRatePerSec,
            double ackP99Ms,
            boolean feasible,
            boolean trial) {}

    /**
     * Reads every key of a file.
     *
     * @param file the calibration file, not a link
     * @param scratch an empty directory for the copy
     * @param windows the maximum number of windows of each level
     * @throws IOException if the file is missing, damaged, foreign or of another schema version; the message says which
     */
    static List<CalibrationSnapshot> read(Path file, Path scratch, int windows) throws IOException {
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
                expect(CalibrationFile.APPLICATION_ID, statement, "PRAGMA application_id", file);
                expect(CalibrationFile.SCHEMA_VERSION, statement, "PRAGMA user_version", file);
                return all(connection, statement, windows);
            } catch (SQLException e) {
                torn = e;
            }
        }
        throw new IOException(file + ": " + torn.getMessage(), torn);
    }

    private static void expect(int expected, Statement statement, String pragma, Path file)
            throws SQLException, IOException {
        try (ResultSet rows = statement.executeQuery(pragma)) {
            if (rows.getInt(1) != expected) {
                throw new IOException(
                        file + " is not a calibration file of this version: " + pragma + " is " + rows.getInt(1));
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

    private static List<CalibrationSnapshot> all(Connection connection, Statement statement, int windows)
            throws SQLException {
        try (ResultSet check = statement.executeQuery("PRAGMA quick_check(1)")) {
            if (!"ok".equals(check.getString(1))) {
                throw new SQLException(check.getString(1));
            }
        }
        List<CalibrationSnapshot> snapshots = new ArrayList<>();
        try (ResultSet rows =
                statement.executeQuery("SELECT * FROM calibration_key ORDER BY last_opened_epoch_ms DESC, id")) {
            while (rows.next()) {
                CalibrationKey key = new CalibrationKey(
                        rows.getString("connector"),
                        rows.getInt("task"),
                        rows.getString("delivery_mode"),
                        rows.getString("host"),
                        rows.getString("upstream"),
                        rows.getString("version"));
                long keyId = rows.getLong("id");
                BestTable bests = new BestTable(connection, key, keyId);
                snapshots.add(new CalibrationSnapshot(
                        key, bests.all(), recent(connection, keyId, windows), bests.skippedRows()));
            }
        }
        return snapshots;
    }

    private static Map<PressureLevel, List<StoredWindow>> recent(Connection connection, long keyId, int windows)
            throws SQLException {
        Map<PressureLevel, List<StoredWindow>> recent = new EnumMap<>(PressureLevel.class);
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT * FROM observation WHERE key_id = ? AND level = ? ORDER BY id DESC LIMIT ?")) {
            for (PressureLevel level : PressureLevel.values()) {
                select.setLong(1, keyId);
                select.setInt(2, level.number());
                select.setInt(3, windows);
                try (ResultSet rows = select.executeQuery()) {
                    while (rows.next()) {
                        recent.computeIfAbsent(level, l -> new ArrayList<>()).add(window(rows));
                    }
                }
            }
        }
        return recent;
    }

    private static StoredWindow window(ResultSet rows) throws SQLException {
        return new StoredWindow(
                rows.getDouble("linger_ms"),
                rows.getLong("events"),
                rows.getLong("batches"),
                rows.getDouble("capacity_per_sec"),
                rows.getDouble("ack_p99_ms"),
                rows.getBoolean("feasible"),
                rows.getBoolean("explored"));
    }
}
