package io.microbatch.connect.calibration;

import io.microbatch.connect.pressure.PressureLevel;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** The bounded history of one key. On the calibration thread; statements are closed with it. */
final class ObservationTable extends StoredRows<Observation> implements AutoCloseable {
    private final long keyId;
    private final int keptPerLevel;
    private final PreparedStatement insert;
    private final PreparedStatement trim;
    private final PreparedStatement select;

    ObservationTable(Connection connection, CalibrationKey key, long keyId, int keptPerLevel) throws SQLException {
        super("observation", key);
        this.keyId = keyId;
        this.keptPerLevel = keptPerLevel;
        insert = connection.prepareStatement("""
                INSERT INTO observation (key_id, level, window_end_epoch_ms, window_ms, batch_target_events, linger_ms,
                    events, polls, batches, busy_ms, capacity_per_sec, ack_p50_ms, ack_p99_ms, feasible, explored, crc)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""");
        trim = connection.prepareStatement("""
                DELETE FROM observation WHERE key_id = ?1 AND level = ?2 AND id <= (
                    SELECT id FROM observation WHERE key_id = ?1 AND level = ?2 ORDER BY id DESC LIMIT 1 OFFSET ?3)""");
        select = connection.prepareStatement(
                "SELECT * FROM observation WHERE key_id = ? AND level = ? ORDER BY id DESC LIMIT ?");
    }

    /** To be called in a transaction, for the row and the trimming belong together. */
    void append(Observation observation) throws SQLException {
        write(insert, keyId, observation);
        bind(trim, keyId, observation.level().number(), keptPerLevel);
        trim.executeUpdate();
    }

    /** Newest first. */
    List<Observation> recent(PressureLevel level, int limit) throws SQLException {
        return readAll(select, keyId, level.number(), limit);
    }

    @Override
    public void close() throws SQLException {
        insert.close();
        trim.close();
        select.close();
    }

    @Override
    Object[] values(Observation row) {
        return new Object[] {
            (long) row.level().number(),
            row.windowEndEpochMs(),
            row.windowMs(),
            (long) row.batchTargetEvents(),
            row.lingerMs(),
            row.events(),
            row.polls(),
            row.batches(),
            row.busyMs(),
            row.capacityPerSec(),
            row.ackP50Ms(),
            row.ackP99Ms(),
            row.feasible() ? 1L : 0L,
            row.explored() ? 1L : 0L
        };
    }

    @Override
    Observation read(ResultSet rows) throws SQLException {
        return new Observation(
                rows.getLong("window_end_epoch_ms"),
                rows.getLong("window_ms"),
                SqliteCalibrationStore.level(rows),
                Math.toIntExact(rows.getLong("batch_target_events")),
                rows.getDouble("linger_ms"),
                rows.getLong("events"),
                rows.getLong("polls"),
                rows.getLong("batches"),
                rows.getDouble("busy_ms"),
                rows.getDouble("capacity_per_sec"),
                rows.getDouble("ack_p50_ms"),
                rows.getDouble("ack_p99_ms"),
                rows.getLong("feasible") != 0,
                rows.getLong("explored") != 0);
    }
}
