package io.microbatch.connect.calibration;

import io.microbatch.connect.learning.LevelBest;
import io.microbatch.connect.learning.Observation;
import io.microbatch.connect.pressure.PressureLevel;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open calibration file of one task. One thread opens, uses and closes it, as {@link CalibrationFile} ensures.
 * After a CalibrationException its state is undefined: close it and open it again.
 */
final class CalibrationStore implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(CalibrationStore.class);

    private static final String UPSERT_KEY = """
            INSERT INTO calibration_key (connector, task, delivery_mode, host, upstream, version, last_opened_epoch_ms)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (connector, task, delivery_mode, host, upstream, version)
            DO UPDATE SET last_opened_epoch_ms = excluded.last_opened_epoch_ms
            RETURNING id""";
    /** Keeps the key in use even if the clock was set back and the key looks like the oldest. */
    private static final String FORGET_KEYS = """
            DELETE FROM calibration_key WHERE id NOT IN (
                SELECT id FROM calibration_key ORDER BY id = ?1 DESC, last_opened_epoch_ms DESC, id DESC LIMIT ?2)""";

    private static final String INSERT_OBSERVATION = """
            INSERT INTO observation (key_id, level, window_end_epoch_ms, window_ms, batch_target_events, linger_ms,
                events, batches, capacity_per_sec, ack_p50_ms, ack_p99_ms, feasible, explored)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""";
    private static final String TRIM_OBSERVATIONS = """
            DELETE FROM observation WHERE key_id = ?1 AND level = ?2 AND id <= (
                SELECT id FROM observation WHERE key_id = ?1 AND level = ?2 ORDER BY id DESC LIMIT 1 OFFSET ?3)""";

    private final CalibrationPath path;
    private final FileOwnership ownership;
    private final StoreLimits limits;
    private final Connection connection;
    private final long keyId;
    private final PreparedStatement insertObservation;
    private final PreparedStatement trimObservations;
    private final BestTable bests;

    /** Opens or creates the file of the key's task. Moves a damaged file aside and creates a new one. */
    static CalibrationStore open(String directory, CalibrationKey key, StoreLimits limits, Clock clock)
            throws CalibrationException {
        CalibrationPath path = CalibrationPath.prepare(directory, key);
        NativeLibrary.load(path.directory());
        FileOwnership ownership = FileOwnership.acquire(path);
        try {
            return openOrReplace(path, ownership, key, limits, clock);
        } catch (CalibrationException | RuntimeException e) {
            release(ownership, path);
            throw e;
        }
    }

    private static CalibrationStore openOrReplace(
            CalibrationPath path, FileOwnership ownership, CalibrationKey key, StoreLimits limits, Clock clock)
            throws CalibrationException {
        try {
            return new CalibrationStore(path, ownership, key, limits, clock);
        } catch (CalibrationException e) {
            if (e.fault() != CalibrationFault.CORRUPT) {
                throw e;
            }
            Path aside = SqliteFile.moveAside(path, clock);
            log.warn("Calibration file damaged ({}): kept as {}, a new one is created", e.getMessage(), aside);
            return new CalibrationStore(
                    CalibrationPath.prepare(path.directory().toString(), key), ownership, key, limits, clock);
        }
    }

    private CalibrationStore(
            CalibrationPath path, FileOwnership ownership, CalibrationKey key, StoreLimits limits, Clock clock)
            throws CalibrationException {
        this.path = path;
        this.ownership = ownership;
        this.limits = limits;
        connection = SqliteFile.open(path.file(), limits);
        try {
            keyId = openKey(key, clock.millis());
            // Prepared now, so that a file whose tables differ from the schema fails here and is replaced.
            insertObservation = connection.prepareStatement(INSERT_OBSERVATION);
            trimObservations = connection.prepareStatement(TRIM_OBSERVATIONS);
            bests = new BestTable(connection, key, keyId);
        } catch (SQLException e) {
            closeQuietly(connection);
            throw CalibrationException.of(e, path.file());
        } catch (RuntimeException e) {
            closeQuietly(connection);
            throw e;
        }
    }

    /**
     * Returns the key's number. Creates its row if it is missing, and deletes the keys beyond the limit with their
     * rows.
     */
    private long openKey(CalibrationKey key, long nowEpochMs) throws SQLException {
        long[] id = new long[1];
        SqliteFile.inTransaction(connection, () -> {
            try (PreparedStatement upsert = connection.prepareStatement(UPSERT_KEY)) {
                bind(
                        upsert,
                        key.connector(),
                        key.task(),
                        key.deliveryMode(),
                        key.host(),
                        key.upstream(),
                        key.meaning(),
                        nowEpochMs);
                try (ResultSet rows = upsert.executeQuery()) {
                    id[0] = rows.getLong(1);
                }
            }
            try (PreparedStatement forget = connection.prepareStatement(FORGET_KEYS)) {
                bind(forget, id[0], limits.keys());
                forget.executeUpdate();
            }
        });
        return id[0];
    }

    /** Adds an observation and deletes the oldest ones of its level beyond the limit. */
    void append(Observation observation) throws CalibrationException {
        write(() -> insert(observation));
    }

    /** In a transaction, because the row and the trimming belong together. */
    private void insert(Observation observation) throws SQLException {
        bind(
                insertObservation,
                keyId,
                observation.level().number(),
                observation.windowEndEpochMs(),
                observation.windowMs(),
                observation.setting().maxEvents(),
                observation.setting().lingerMs(),
                observation.events(),
                observation.batches(),
                observation.serviceRatePerSec(),
                observation.ackP50Nanos() / 1e6,
                observation.ackP99Nanos() / 1e6,
                observation.feasible() ? 1 : 0,
                observation.explored() ? 1 : 0);
        insertObservation.executeUpdate();
        bind(trimObservations, keyId, observation.level().number(), limits.observationsPerLevel());
        trimObservations.executeUpdate();
    }

    void putBest(LevelBest best) throws CalibrationException {
        write(() -> bests.put(best));
    }

    /** The best setting of each level that has a valid one. */
    Map<PressureLevel, LevelBest> bests() throws CalibrationException {
        try {
            return bests.all();
        } catch (SQLException e) {
            throw CalibrationException.of(e, path.file());
        }
    }

    @Override
    public void close() {
        closeQuietly(connection);
        release(ownership, path);
    }

    /** Binds the values from the first parameter on. */
    static void bind(PreparedStatement statement, Object... values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
    }

    private void write(SqliteFile.Work work) throws CalibrationException {
        try {
            SqliteFile.inTransaction(connection, work);
        } catch (SQLException e) {
            throw CalibrationException.of(e, path.file());
        }
    }

    private static void release(FileOwnership ownership, CalibrationPath path) {
        try {
            ownership.close();
        } catch (IOException e) {
            log.warn("Calibration lock {} not released cleanly", path.lockFile(), e);
        }
    }

    private static void closeQuietly(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            // Closing writes a checkpoint and so fails if writing failed. SQLite recovers the log at the next opening.
            log.debug("Calibration file not closed cleanly", e);
        }
    }
}
