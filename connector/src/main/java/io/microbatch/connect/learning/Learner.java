package io.microbatch.connect.learning;

import io.microbatch.connect.control.LevelTargets;
import io.microbatch.connect.pressure.PressureLevel;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Learns maximum records (N) and linger (T) of every level from its windows, and puts trials and best settings in
 * force. Calibration thread, except the counters, which any thread may read.
 */
public final class Learner implements WindowLearner {

    private static final Logger log = LoggerFactory.getLogger(Learner.class);

    /**
     * The time in which a task that starts learns nothing, from its first window on, in milliseconds. It compiles its
     * code and reads what its upstream has kept for it, so that its p99 says little about the setting.
     */
    private static final long STARTING_MS = 10_000;

    private final LevelTargets targets;
    private final Map<PressureLevel, LevelLearner> levels = new EnumMap<>(PressureLevel.class);
    private PressureLevel lastLevel;
    private final LongAdder explorations = new LongAdder();
    private final LongAdder regressions = new LongAdder();
    private long startedEpochMs = Long.MIN_VALUE;
    private volatile long learnedEpochMs;

    /**
     * Starts without any knowledge.
     *
     * @param targets the targets in force; learning starts from the first ones
     * @param settings the operator's settings
     * @param random chooses what is tried
     */
    public Learner(LevelTargets targets, LearnerSettings settings, RandomGenerator random) {
        this.targets = targets;
        for (PressureLevel level : PressureLevel.values()) {
            levels.put(level, new LevelLearner(level, settings, () -> targets.first(level), random));
        }
    }

    @Override
    public void opened(Map<PressureLevel, LevelBest> bests) {
        bests.forEach((level, best) -> levels.get(level).resume(best));
        // Windows may be short from now on. Until the file is open the first one is whole: after two windows of this
        // run nothing can be resumed, and a predecessor may hold the file for some seconds.
        levels.forEach((level, learner) -> targets.put(level, learner.target()));
        learnedEpochMs =
                bests.values().stream().mapToLong(LevelBest::updatedEpochMs).reduce(learnedEpochMs, Math::max);
    }

    @Override
    public Optional<LevelBest> learn(Observation observation) {
        leaveFor(observation.level());
        LevelLearner learner = levels.get(observation.level());
        if (isStarting(observation)) {
            learner.skip(observation);
            targets.put(observation.level(), learner.target());
            return Optional.empty();
        }
        long tried = learner.explorations();
        Optional<LevelBest> news = learner.learn(observation);
        explorations.add(learner.explorations() - tried);
        if (learner.hasRegressed()) {
            regressions.increment();
            log.info(
                    "{} fell more than 10 % below its expected service rate in two windows in a row, to {} events per "
                            + "busy second; it is explored again",
                    observation.level(), Math.round(observation.serviceRatePerSec()));
        }
        targets.put(observation.level(), learner.target());
        if (news.isPresent()) {
            learnedEpochMs = news.get().updatedEpochMs();
        }
        return news;
    }

    private boolean isStarting(Observation window) {
        long begunEpochMs = window.windowEndEpochMs() - window.windowMs();
        if (startedEpochMs == Long.MIN_VALUE) {
            startedEpochMs = begunEpochMs;
        }
        long sinceMs = begunEpochMs - startedEpochMs;
        // A clock that was set back does not begin the start again.
        return sinceMs >= 0 && sinceMs < STARTING_MS;
    }

    private void leaveFor(PressureLevel level) {
        if (lastLevel != null && lastLevel != level) {
            levels.get(lastLevel).left();
            targets.put(lastLevel, levels.get(lastLevel).target());
        }
        lastLevel = level;
    }

    @Override
    public long explorationTotal() {
        return explorations.sum();
    }

    @Override
    public long regressionTotal() {
        return regressions.sum();
    }

    @Override
    public long learnedEpochMs() {
        return learnedEpochMs;
    }
}
