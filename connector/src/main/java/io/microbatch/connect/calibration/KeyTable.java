package io.microbatch.connect.calibration;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The keys that a file knows, so many of them as the limits allow. No state; on the calibration thread. */
final class KeyTable {
    private static final String UPSERT = """
            INSERT INTO calibration_key (connector, task, delivery_mode, host, upstream, version, last_opened_epoch_ms)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (connector, task, delivery_mode, host, upstream, version)
            DO UPDATE SET last_opened_epoch_ms = excluded.last_opened_epoch_ms
            RETURNING id""";
    /** The key in use stays even if a clock that jumped back makes it look the oldest. */
    private static final String FORGET = """
            DELETE FROM calibration_key WHERE id NOT IN (
                SELECT id FROM calibration_key ORDER BY id = ?1 DESC, last_opened_epoch_ms DESC, id DESC LIMIT ?2)""";

    private KeyTable() {}

    /** The key's number, its row made if need be; the keys beyond the bound go, and their rows with them. */
    static long open(Connection connection, CalibrationKey key, long nowEpochMs, int kept) throws SQLException {
        long id;
        try (PreparedStatement upsert = connection.prepareStatement(UPSERT)) {
            upsert.setString(1, key.connector());
            upsert.setInt(2, key.task());
            upsert.setString(3, key.deliveryMode());
            upsert.setString(4, key.host());
            upsert.setString(5, key.upstream());
            upsert.setString(6, key.version());
            upsert.setLong(7, nowEpochMs);
            try (ResultSet rows = upsert.executeQuery()) {
                id = rows.getLong(1);
            }
        }
        try (PreparedStatement forget = connection.prepareStatement(FORGET)) {
            StoredRows.bind(forget, id, kept);
            forget.executeUpdate();
        }
        return id;
    }
}
