package io.microbatch.bench.calibrate;

import io.microbatch.connect.calibration.BestTable;
import io.microbatch.connect.calibration.CalibrationFile;
import io.microbatch.connect.calibration.CalibrationKey;
import io.microbatch.connect.learning.LevelBest;
import io.microbatch.connect.pressure.PressureLevel;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The contents of a calibration file, which {@link CalibrationCopy} reads from a copy. Immutable.
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
        return CalibrationCopy.read(file, scratch, (connection, statement) -> {
            expect(CalibrationFile.APPLICATION_ID, statement, "PRAGMA application_id", file);
            expect(CalibrationFile.SCHEMA_VERSION, statement, "PRAGMA user_version", file);
            return all(connection, statement, windows);
        });
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

    private static List<CalibrationSnapshot> all(Connection connection, Statement statement, int windows)
            throws SQLException {
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
