package io.microbatch.connect.calibration;

import io.microbatch.connect.learning.LevelBest;
import io.microbatch.connect.pressure.BatchSetting;
import io.microbatch.connect.pressure.PressureLevel;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * The best setting of each level under one key. A row that is out of range or has a wrong checksum is counted and not
 * used. One thread. All methods throw SQLException as the driver does.
 */
public final class BestTable {
    private static final char SEPARATOR = '\u001f';
    private static final double NANOS_PER_MS = 1e6;

    private final CalibrationKey key;
    private final long keyId;
    private final PreparedStatement replace;
    private final PreparedStatement select;
    private long skippedRows;

    /** Prepares the statements for the rows of this key. They are closed with the connection. */
    public BestTable(Connection connection, CalibrationKey key, long keyId) throws SQLException {
        this.key = key;
        this.keyId = keyId;
        replace = connection.prepareStatement("""
                INSERT OR REPLACE INTO best (level, batch_target_events, linger_ms, score_per_sec,
                    expected_throughput_per_sec, arrivals_per_sec, ack_p99_ms, observations, updated_epoch_ms,
                    regressions, key_id, crc)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""");
        select = connection.prepareStatement("SELECT * FROM best WHERE key_id = ?");
    }

    void put(LevelBest best) throws SQLException {
        Object[] values = values(best);
        CalibrationStore.bind(replace, values);
        replace.setLong(values.length + 1, keyId);
        replace.setLong(values.length + 2, checksum(key, values));
        replace.executeUpdate();
    }

    /** The valid rows by their level. */
    public Map<PressureLevel, LevelBest> all() throws SQLException {
        Map<PressureLevel, LevelBest> bests = new EnumMap<>(PressureLevel.class);
        select.setLong(1, keyId);
        try (ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                readInto(bests, rows);
            }
        }
        return bests;
    }

    /** The number of rows that {@link #all} has skipped so far. */
    public long skippedRows() {
        return skippedRows;
    }

    private void readInto(Map<PressureLevel, LevelBest> bests, ResultSet rows) throws SQLException {
        try {
            LevelBest best = read(rows);
            if (checksum(key, values(best)) == rows.getLong("crc")) {
                bests.put(best.level(), best);
                return;
            }
        } catch (IllegalArgumentException | ArithmeticException | IndexOutOfBoundsException e) {
            // Out of range: counted below, like a row with a wrong checksum.
        }
        skippedRows++;
    }

    private static LevelBest read(ResultSet rows) throws SQLException {
        return new LevelBest(
                PressureLevel.ofNumber(Math.toIntExact(rows.getLong("level"))),
                new BatchSetting(
                        Math.toIntExact(rows.getLong("batch_target_events")),
                        Math.round(rows.getDouble("linger_ms") * NANOS_PER_MS)),
                rows.getDouble("score_per_sec"),
                rows.getDouble("expected_throughput_per_sec"),
                rows.getDouble("arrivals_per_sec"),
                Math.round(rows.getDouble("ack_p99_ms") * NANOS_PER_MS),
                rows.getLong("observations"),
                rows.getLong("updated_epoch_ms"),
                rows.getLong("regressions"));
    }

    /** In the order of the columns: whole numbers as Long and others as Double. */
    private static Object[] values(LevelBest best) {
        return new Object[] {
            (long) best.level().number(),
            (long) best.setting().maxEvents(),
            best.setting().lingerMs(),
            best.scorePerSec(),
            best.expectedPerSec(),
            best.arrivalsPerSec(),
            best.ackP99Nanos() / NANOS_PER_MS,
            best.observations(),
            best.updatedEpochMs(),
            best.regressions()
        };
    }

    /**
     * A row's CRC over its key and values, 32 bits unsigned. It detects what SQLite cannot: a flipped bit inside a
     * value, and a row that a damaged index returns under another key.
     */
    static long checksum(CalibrationKey key, Object... values) {
        StringBuilder text = new StringBuilder(256);
        text.append(key.connector()).append(SEPARATOR).append(key.task());
        text.append(SEPARATOR).append(key.deliveryMode()).append(SEPARATOR).append(key.host());
        text.append(SEPARATOR).append(key.upstream()).append(SEPARATOR).append(key.meaning());
        for (Object value : values) {
            text.append(SEPARATOR).append(value instanceof Double real ? bits(real) : (long) value);
        }
        CRC32C crc = new CRC32C();
        crc.update(text.toString().getBytes(StandardCharsets.UTF_8));
        return crc.getValue();
    }

    /** The bits of a double, because its decimal text differs between Java versions. */
    private static long bits(double real) {
        // SQLite stores a whole REAL as an integer and loses the sign of zero. Adding zero drops it too.
        return Double.doubleToLongBits(real + 0.0);
    }
}
