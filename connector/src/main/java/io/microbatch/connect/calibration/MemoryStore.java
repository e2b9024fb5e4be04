package io.microbatch.connect.calibration;

import io.microbatch.connect.pressure.PressureLevel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Calibration without a disk: what this process has seen itself, lost when it ends. Cannot fail; one thread. */
final class MemoryStore implements CalibrationStore {
    /** Half an hour at the default window: enough to learn from while the disk is being repaired. */
    static final int KEPT_PER_LEVEL = 200;

    private final Map<PressureLevel, Deque<Observation>> observations = new EnumMap<>(PressureLevel.class);
    private final Map<PressureLevel, LevelBest> bests = new EnumMap<>(PressureLevel.class);

    @Override
    public void append(Observation observation) {
        Deque<Observation> history = observations.computeIfAbsent(observation.level(), l -> new ArrayDeque<>());
        history.addFirst(observation);
        if (history.size() > KEPT_PER_LEVEL) {
            history.removeLast();
        }
    }

    @Override
    public List<Observation> recent(PressureLevel level, int limit) {
        return observations.getOrDefault(level, new ArrayDeque<>()).stream()
                .limit(limit)
                .toList();
    }

    @Override
    public void putBest(LevelBest best) {
        bests.put(best.level(), best);
    }

    @Override
    public Map<PressureLevel, LevelBest> bests() {
        return new EnumMap<>(bests);
    }

    @Override
    public long skippedRows() {
        return 0;
    }

    @Override
    public void close() {
        // Nothing is held.
    }
}
