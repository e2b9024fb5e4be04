package io.microbatch.connect.calibration;

import io.microbatch.connect.pressure.PressureLevel;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calibration in one SQLite file. Opened, used and closed by one thread. After any CalibrationException the store is in
 * no defined state: close it and open it again.
 */
final class SqliteCalibrationStore implements CalibrationStore {
    private static final Logger LOG = LoggerFactory.getLogger(SqliteCalibrationStore.class);

    private final Thread owner = Thread.currentThread();
    private final CalibrationPath path;
    private final FileOwnership ownership;
    private final Connection connection;
    private final ObservationTable observations;
    private final BestTable bests;
    private Optional<Path> movedAside = Optional.empty();

    /** Opens or creates the file of the key's task. A damaged file is moved aside and a new one begun. */
    static SqliteCalibrationStore open(String directory, CalibrationKey key, StoreLimits limits, Clock clock)
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

    private static SqliteCalibrationStore openOrReplace(
            CalibrationPath path, FileOwnership ownership, CalibrationKey key, StoreLimits limits, Clock clock)
            throws CalibrationException {
        try {
            return new SqliteCalibrationStore(path, ownership, key, limits, clock);
        } catch (CalibrationException e) {
            if (e.fault() != CalibrationFault.CORRUPT) {
                throw e;
            }
            Path aside = SqliteFile.moveAside(path, clock);
            LOG.warn("Calibration file damaged ({}): kept as {}, a new one is begun", e.getMessage(), aside);
            SqliteCalibrationStore store = new SqliteCalibrationStore(
                    CalibrationPath.prepare(path.directory().toString(), key), ownership, key, limits, clock);
            store.movedAside = Optional.of(aside);
            return store;
        }
    }

    private SqliteCalibrationStore(
            CalibrationPath path, FileOwnership ownership, CalibrationKey key, StoreLimits limits, Clock clock)
            throws CalibrationException {
        this.path = path;
        this.ownership = ownership;
        connection = SqliteFile.open(path.file(), limits, SchemaMigrations.bundled());
        try {
            long[] keyId = new long[1];
            SchemaMigrations.inTransaction(
                    connection, statement -> keyId[0] = KeyTable.open(connection, key, clock.millis(), limits.keys()));
            observations = new ObservationTable(connection, key, keyId[0], limits.observationsPerLevel());
            bests = new BestTable(connection, key, keyId[0]);
        } catch (SQLException e) {
            closeQuietly(connection);
            throw CalibrationException.of(e, path.file());
        }
    }

    /** Where the damaged file went that this one replaces, if there was one. */
    Optional<Path> movedAside() {
        return movedAside;
    }

    @Override
    public void append(Observation observation) throws CalibrationException {
        write(statement -> observations.append(observation));
    }

    /** The latest observations of a level, newest first: for who looks into the file, nothing is learned from it twice. */
    List<Observation> recent(PressureLevel level, int limit) throws CalibrationException {
        return read(() -> observations.recent(level, limit));
    }

    @Override
    public void putBest(LevelBest best) throws CalibrationException {
        write(statement -> bests.put(best));
    }

    @Override
    public Map<PressureLevel, LevelBest> bests() throws CalibrationException {
        Map<PressureLevel, LevelBest> result = new EnumMap<>(PressureLevel.class);
        for (LevelBest best : read(bests::all)) {
            result.put(best.level(), best);
        }
        return result;
    }

    @Override
    public long skippedRows() {
        requireOwner();
        return observations.skipped() + bests.skipped();
    }

    @Override
    public void close() {
        requireOwner();
        closeQuietly(observations);
        closeQuietly(bests);
        closeQuietly(connection);
        release(ownership, path);
    }

    /** The level of the row under the cursor; IllegalArgumentException if there is none of that number. */
    static PressureLevel level(ResultSet rows) throws SQLException {
        long number = rows.getLong("level");
        Ranges.checkWhole("level", number, 1, PressureLevel.count());
        return PressureLevel.ofNumber((int) number);
    }

    /** A query and its answer. */
    @FunctionalInterface
    private interface Query<T> {
        /** Runs it. */
        T run() throws SQLException;
    }

    private void write(SchemaMigrations.Work work) throws CalibrationException {
        requireOwner();
        try {
            SchemaMigrations.inTransaction(connection, work);
        } catch (SQLException e) {
            throw CalibrationException.of(e, path.file());
        }
    }

    private <T> T read(Query<T> query) throws CalibrationException {
        requireOwner();
        try {
            return query.run();
        } catch (SQLException e) {
            throw CalibrationException.of(e, path.file());
        }
    }

    private void requireOwner() {
        if (Thread.currentThread() != owner) {
            throw new IllegalStateException("calibration belongs to thread " + owner.getName() + ", not to "
                    + Thread.currentThread().getName());
        }
    }

    private static void release(FileOwnership ownership, CalibrationPath path) {
        try {
            ownership.close();
        } catch (IOException e) {
            LOG.warn("Calibration lock {} not released cleanly", path.lockFile(), e);
        }
    }

    private static void closeQuietly(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception e) {
            // Closing checkpoints the log, and so fails where writing failed; SQLite recovers it at the next opening.
            LOG.debug("Calibration file not closed cleanly", e);
        }
    }
}
