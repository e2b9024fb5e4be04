package io.microbatch.connect.learning;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.pressure.BatchSetting;
import io.microbatch.connect.pressure.LatencyBudgets;
import io.microbatch.connect.pressure.Objective;
import io.microbatch.connect.pressure.PressureLevel;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How soon a task without a calibration file has explored its level, in model time and with the default window. */
class FirstTrialsTest {

    private static final int MAX_SECONDS = 300;
    private static final long WHOLE_MS = 10_000;

    private final ModelTask task = new ModelTask(Objective.EFFICIENCY, LatencyBudgets.DEFAULT, true, 10_000, 7);

    private void run(double perSec, int seconds) {
        task.run(Phase.parse("rate=" + perSec + " seconds=" + seconds));
    }

    private int secondsUntilExplored(double perSec) {
        task.resume(Map.of());
        int seconds = 0;
        do {
            run(perSec, 1);
            seconds++;
        } while (task.target().exploring() && seconds < MAX_SECONDS);
        return seconds;
    }

    @ParameterizedTest
    @ValueSource(doubles = {50, 300, 1_000, 5_000, 50_000})
    void areOverWithinThirtyFiveSeconds(double perSec) {
        assertThat(secondsUntilExplored(perSec)).isBetween(15, 35);
    }

    @ParameterizedTest
    @CsvSource({"0.5, 2", "1, 5", "5, 20"})
    void haveEnoughBatchesAtALowRate(double perSec, long minBatches) {
        secondsUntilExplored(perSec);
        assertThat(task.windows()).hasSizeGreaterThan(2).allSatisfy(window -> {
            assertThat(window.batches()).isGreaterThanOrEqualTo(minBatches);
            assertThat(window.windowMs() >= WHOLE_MS || window.batches() >= 20)
                    .as("%d ms, %d batches", window.windowMs(), window.batches())
                    .isTrue();
        });
    }

    @Test
    void areFollowedByWholeWindows() {
        secondsUntilExplored(1_000);
        int shortWindows = task.windows().size();
        assertThat(task.windows()).allMatch(window -> window.windowMs() < WHOLE_MS);
        run(1_000, 100);
        List<Observation> later =
                task.windows().subList(shortWindows, task.windows().size());
        assertThat(later).hasSizeBetween(8, 10).allMatch(window -> window.windowMs() >= WHOLE_MS);
    }

    @Test
    void areNotRepeatedInALevelThatAnEarlierRunExplored() {
        task.resume(Map.of(
                PressureLevel.L4_MODERATE,
                new LevelBest(
                        PressureLevel.L4_MODERATE,
                        new BatchSetting(20_000, 36_000_000),
                        9_000,
                        9_000,
                        1_000,
                        42_000_000,
                        10,
                        1,
                        0)));
        run(1_000, 60);
        assertThat(task.windows()).hasSizeBetween(4, 6).allMatch(window -> window.windowMs() >= WHOLE_MS);
    }
}
