package io.microbatch.connect.calibration;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** The best setting of each level under one key. On the calibration thread; statements are closed with it. */
final class BestTable extends StoredRows<LevelBest> implements AutoCloseable {
    private final long keyId;
    private final PreparedStatement replace;
    private final PreparedStatement select;

    BestTable(Connection connection, CalibrationKey key, long keyId) throws SQLException {
        super("best", key);
        this.keyId = keyId;
        replace = connection.prepareStatement("""
                INSERT OR REPLACE INTO best (key_id, level, batch_target_events, linger_ms, score_per_sec,
                    expected_throughput_per_sec, arrivals_per_sec, ack_p99_ms, observations, updated_epoch_ms, regressions, crc)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""");
        select = connection.prepareStatement("SELECT * FROM best WHERE key_id = ?");
    }

    void put(LevelBest best) throws SQLException {
        write(replace, keyId, best);
    }

    List<LevelBest> all() throws SQLException {
        return readAll(select, keyId);
    }

    @Override
    public void close() throws SQLException {
        replace.close();
        select.close();
    }

    @Override
    Object[] values(LevelBest row) {
        return new Object[] {
            (long) row.level().number(),
            (long) row.batchTargetEvents(),
            row.lingerMs(),
            row.scorePerSec(),
            row.expectedThroughputPerSec(),
            row.arrivalsPerSec(),
            row.ackP99Ms(),
            row.observations(),
            row.updatedEpochMs(),
            row.regressions()
        };
    }

    @Override
    LevelBest read(ResultSet rows) throws SQLException {
        return new LevelBest(
                SqliteCalibrationStore.level(rows),
                Math.toIntExact(rows.getLong("batch_target_events")),
                rows.getDouble("linger_ms"),
                rows.getDouble("score_per_sec"),
                rows.getDouble("expected_throughput_per_sec"),
                rows.getDouble("arrivals_per_sec"),
                rows.getDouble("ack_p99_ms"),
                rows.getLong("observations"),
                rows.getLong("updated_epoch_ms"),
                rows.getLong("regressions"));
    }
}
