package io.microbatch.bench.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.bench.load.ControlSampler.Sample;
import io.microbatch.bench.load.Timeline;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StepTimelineTest {

    private static final long BEGAN_MS = 1_000_000;

    private static Sample sample(long atMs, int level) {
        return new Sample(BEGAN_MS + atMs, 10.04, level, 1_000, 0.2, 1);
    }

    @Test
    void countsFromTheFirstEventAndLeavesOutWhatIsNotBetweenEvents() {
        Timeline latencies = new Timeline();
        latencies.add(BEGAN_MS * 1_000_000, 5_000);
        latencies.add((BEGAN_MS + 350) * 1_000_000, 7_000);
        Map<String, Object> columns =
                StepTimeline.of(List.of(sample(-200, 1), sample(200, 2), sample(400, 3), sample(600, 4)), latencies);

        assertThat(columns).containsEntry("at_s", List.of(0.2, 0.4)).containsEntry("level", List.of(2, 3));
        assertThat(columns).containsEntry("arrivals", List.of(10.0, 10.0));
        assertThat(columns)
                .as("the slices between have no event and no latency")
                .containsEntry("latency_at_s", List.of(0.0, 0.3));
        assertThat((List<?>) columns.get("latency_p99_ms")).hasSize(2);
    }

    /** Otherwise a run that never regained its latency would look better than one that did at once. */
    @Test
    void takesThePhaseForTheTimeOfAStepThatIsNeverRegained() {
        Timeline latencies = new Timeline();
        for (int slice = 0; slice < 30; slice++) {
            latencies.add((BEGAN_MS + slice * Timeline.SLICE_MS) * 1_000_000, slice < 20 ? 90_000 : 10_000);
        }
        assertThat(StepCommand.regainedMs(latencies, 0, 30, 75)).isEqualTo(2_000);
        assertThat(StepCommand.regainedMs(latencies, 0, 20, 75)).isEqualTo(2_000);
        assertThat(StepCommand.regainedMs(latencies, 5, 20, 75)).isEqualTo(1_500);
    }
}
