package io.microbatch.connect.calibration;

import io.microbatch.connect.pressure.PressureLevel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What a calibration file holds, for people. Reads a copy: the file itself belongs to its task, which holds it
 * exclusively while it runs and is not disturbed. Not for the process that runs the task, where closing any descriptor
 * of the file would drop its lock. Immutable.
 *
 * @param key what the rest is valid for
 * @param bests the best setting of each level that has one
 * @param recent the latest observations of each level that has any, newest first
 * @param skippedRows rows whose checksum or range was wrong, which are not shown
 */
public record CalibrationSnapshot(
        CalibrationKey key,
        Map<PressureLevel, LevelBest> bests,
        Map<PressureLevel, List<Observation>> recent,
        long skippedRows) {

    /** A copy that is taken while the task writes may be torn; the next one hardly is too. */
    private static final int ATTEMPTS = 5;

    /**
     * Reads every key of a file.
     *
     * @param file the calibration file, not a link
     * @param scratch an empty directory for the copy
     * @param observations how many observations of each level
     * @throws IOException if the file is missing, damaged, foreign or of a newer version; the message says which
     */
    public static List<CalibrationSnapshot> read(Path file, Path scratch, int observations) throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(file + " is not a calibration file: give the path of one, and no link to it");
        }
        Path copy = scratch.resolve("snapshot");
        CalibrationException torn = null;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            copy(file, copy);
            try (Connection connection = SqliteFile.open(copy, StoreLimits.DEFAULT, SchemaMigrations.bundled())) {
                return all(connection, observations);
            } catch (CalibrationException e) {
                torn = e;
            } catch (SQLException e) {
                torn = CalibrationException.of(e, file);
            }
        }
        throw new IOException(torn.getMessage().replace(copy.toString(), file.toString()), torn);
    }

    private static void copy(Path file, Path copy) throws IOException {
        for (String companion : CalibrationPath.COMPANIONS) {
            Files.deleteIfExists(copy.resolveSibling(copy.getFileName() + companion));
        }
        Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING, LinkOption.NOFOLLOW_LINKS);
        Path log = file.resolveSibling(file.getFileName() + "-wal");
        if (Files.isRegularFile(log, LinkOption.NOFOLLOW_LINKS)) {
            Files.copy(log, copy.resolveSibling(copy.getFileName() + "-wal"), LinkOption.NOFOLLOW_LINKS);
        }
    }

    private static List<CalibrationSnapshot> all(Connection connection, int observations) throws SQLException {
        List<CalibrationSnapshot> snapshots = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT * FROM calibration_key ORDER BY last_opened_epoch_ms DESC, id")) {
            while (rows.next()) {
                CalibrationKey key = new CalibrationKey(
                        rows.getString("connector"),
                        rows.getInt("task"),
                        rows.getString("delivery_mode"),
                        rows.getString("host"),
                        rows.getString("upstream"),
                        rows.getString("version"));
                snapshots.add(one(connection, key, rows.getLong("id"), observations));
            }
        }
        return snapshots;
    }

    private static CalibrationSnapshot one(Connection connection, CalibrationKey key, long keyId, int observations)
            throws SQLException {
        Map<PressureLevel, LevelBest> bests = new EnumMap<>(PressureLevel.class);
        Map<PressureLevel, List<Observation>> recent = new EnumMap<>(PressureLevel.class);
        try (BestTable bestTable = new BestTable(connection, key, keyId);
                ObservationTable observationTable = new ObservationTable(connection, key, keyId, observations)) {
            bestTable.all().forEach(best -> bests.put(best.level(), best));
            for (PressureLevel level : PressureLevel.values()) {
                List<Observation> latest = observationTable.recent(level, observations);
                if (!latest.isEmpty()) {
                    recent.put(level, latest);
                }
            }
            return new CalibrationSnapshot(key, bests, recent, bestTable.skipped() + observationTable.skipped());
        }
    }
}
