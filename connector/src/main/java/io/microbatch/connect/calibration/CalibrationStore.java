package io.microbatch.connect.calibration;

import io.microbatch.connect.pressure.PressureLevel;
import java.util.Map;

/**
 * Where calibration is kept, for one {@link CalibrationKey}. One thread opens, uses and closes a store; another one
 * gets IllegalStateException, for closing SQLite from a second thread has crashed JVMs.
 */
interface CalibrationStore extends AutoCloseable {
    /** Adds an observation and drops those of its level beyond the bound, oldest first. */
    void append(Observation observation) throws CalibrationException;

    /** Stores a level's best in place of the one before. */
    void putBest(LevelBest best) throws CalibrationException;

    /** The best of each level that has one. */
    Map<PressureLevel, LevelBest> bests() throws CalibrationException;

    /** How many rows were read and not believed since the store was opened; counts up. */
    long skippedRows();

    @Override
    void close();
}
