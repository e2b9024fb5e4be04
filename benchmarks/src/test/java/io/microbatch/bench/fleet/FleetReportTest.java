package io.microbatch.bench.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.testbed.oracle.Findings;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FleetReportTest {

    private final FleetReport report = new FleetReport();

    /** A turn in which all figures have one value, except these. */
    private void add(FleetContender contender, double all, Map<FleetFigure, Double> except) {
        Map<FleetFigure, Double> figures = new EnumMap<>(FleetFigure.class);
        for (FleetFigure figure : FleetFigure.values()) {
            figures.put(figure, except.getOrDefault(figure, all));
        }
        report.add(contender, new FleetResult(Findings.NONE, "", figures));
    }

    @Test
    void comparesTheMedianWithTheBetterPlainContender() {
        add(FleetContender.PLAIN_ONE, 30, Map.of());
        add(FleetContender.PLAIN_ALL, 20, Map.of());
        add(FleetContender.HOSTED, 10, Map.of(FleetFigure.P99_MS, 25.0));
        add(FleetContender.HOSTED, 14, Map.of(FleetFigure.P99_MS, 27.0));
        List<Map<String, Object>> goals = report.goals();
        assertThat(goals.get(0)).containsEntry("value", 0.6).containsEntry("met", true);
        assertThat(report.losing()).containsExactly("hosted p99_ms: 26.0 versus 20.0");
        assertThat(report.contenders().get(2)).containsEntry("name", "hosted").containsEntry("cpu_cores", 12.0);
    }

    @Test
    void theCheapestPlainContenderMayHaveALinger() {
        add(FleetContender.PLAIN_ONE, 30, Map.of());
        add(FleetContender.PLAIN_ALL, 20, Map.of());
        add(FleetContender.PLAIN_ONE_LINGER, 10, Map.of());
        add(FleetContender.HOSTED, 15, Map.of());
        assertThat(report.goals().get(0)).containsEntry("value", 1.5).containsEntry("met", false);
        assertThat(report.losing()).hasSize(FleetFigure.values().length);
    }

    @Test
    void saysThatAGoalIsMissed() {
        add(FleetContender.PLAIN_ALL, 20, Map.of());
        add(
                FleetContender.HOSTED,
                20,
                Map.of(FleetFigure.IDLE_HEAP_KB_PER_TASK, 1_045.0, FleetFigure.IDLE_CPU_MS_PER_S, 21.0));
        assertThat(report.goals().stream().map(goal -> goal.get("met")))
                .containsExactly(true, true, false, false, true, false);
        assertThat(report.goals().get(3)).containsEntry("value", 1_045.0).containsEntry("limit", 1_024.0);
        assertThat(report.goals().get(5)).containsEntry("value", 21.0).containsEntry("limit", 1.0);
    }

    @Test
    void anIdleTaskMayCostLittleBeyondAPlainOneAndTooMuchInTotal() {
        add(FleetContender.PLAIN_ALL, 20, Map.of(FleetFigure.IDLE_HEAP_KB_PER_TASK, 1_000.0));
        add(FleetContender.HOSTED, 20, Map.of(FleetFigure.IDLE_HEAP_KB_PER_TASK, 1_030.0));
        assertThat(report.goals().get(2)).containsEntry("value", 30.0).containsEntry("met", true);
        assertThat(report.goals().get(3)).containsEntry("value", 1_030.0).containsEntry("met", false);
    }

    @Test
    void meetsNoGoalWithoutAVerifiedTurn() {
        assertThat(report.goals().stream().map(goal -> goal.get("met"))).containsOnly(false);
        assertThat(report.contenders()).isEmpty();
        assertThat(report.table()).isNotEmpty();
    }

    @Test
    void readsTheLiveBytesOfAClassHistogram() {
        String histogram = " num     #instances         #bytes  class name (module)\n"
                + "   1:           100           9999  [B (java.base@17)\n"
                + "Total        364113       26303032\n";
        assertThat(WorkerSize.liveBytes(histogram)).isEqualTo(26_303_032);
    }
}
