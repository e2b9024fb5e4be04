package io.microbatch.connect.calibration;

import io.microbatch.connect.pressure.PressureLevel;
import java.util.Map;

/** A store that fails as a disk does, for as long as the test says. */
final class FailingStore implements CalibrationStore {
    boolean failing;
    int closed;

    @Override
    public void append(Observation observation) throws CalibrationException {
        failIfAsked();
    }

    @Override
    public void putBest(LevelBest best) throws CalibrationException {
        failIfAsked();
    }

    @Override
    public Map<PressureLevel, LevelBest> bests() {
        return Map.of();
    }

    @Override
    public long skippedRows() {
        return 0;
    }

    @Override
    public void close() {
        closed++;
    }

    private void failIfAsked() throws CalibrationException {
        if (failing) {
            throw new CalibrationException(CalibrationFault.IO_ERROR, "the disk is gone");
        }
    }
}
