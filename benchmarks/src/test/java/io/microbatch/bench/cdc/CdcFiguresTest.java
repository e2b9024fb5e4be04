package io.microbatch.bench.cdc;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.bench.load.Percentiles;
import io.microbatch.bench.load.ThreadClock.Part;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CdcFiguresTest {

    private static CdcFigures run(double p99Ms, double busyMs, double taskMicros) {
        return new CdcFigures(
                new Percentiles(1, 1.5, 2),
                new Percentiles(3, 4, p99Ms),
                new Percentiles(busyMs / 4, busyMs / 2, busyMs),
                new CdcFigures.LateMs(6, 7, busyMs),
                100,
                new CdcFigures.Cpu(5, 2),
                new CdcFigures.Cpu(8, 3),
                new CdcFigures.Cpu(busyMs, 2 * busyMs),
                Map.of(Part.TASK, taskMicros));
    }

    @Test
    void theMedianLeavesOutWhatARunDoesNotHave() {
        CdcFigures median = CdcFigures.median(List.of(run(30, Double.NaN, 5), run(10, 4, 6), run(20, 6, 7)));
        assertThat(median.p99Ms1000()).isEqualTo(20);
        assertThat(median.p99Ms5000()).isEqualTo(5);
        assertThat(median.cpu5000()).isEqualTo(new CdcFigures.Cpu(5, 10));
        assertThat(median.cpuMicrosByPart()).containsEntry(Part.TASK, 6.0).containsEntry(Part.READER, 0.0);
    }

    @Test
    void aResultHasEachFigureUnderItsOwnName() {
        assertThat(run(30, Double.NaN, 5).json())
                .containsEntry("p50_ms_50", 1.0)
                .containsEntry("p95_ms_50", 1.5)
                .containsEntry("p99_ms_50", 2.0)
                .containsEntry("p50_ms_1000", 3.0)
                .containsEntry("p95_ms_1000", 4.0)
                .containsEntry("p99_ms_1000", 30.0)
                .containsEntry("p50_ms_5000", null)
                .containsEntry("p95_ms_5000", null)
                .containsEntry("p99_ms_5000", null)
                .containsEntry("late_ms_50", 6.0)
                .containsEntry("late_ms_1000", 7.0)
                .containsEntry("late_ms_5000", null)
                .containsEntry("backlog_per_s", 100.0)
                .containsEntry("cpu_s_per_million", 7.0)
                .containsEntry("cpu_worker_s_per_million", 5.0)
                .containsEntry("cpu_broker_s_per_million", 2.0)
                .containsEntry("cpu_s_per_million_1000", 11.0)
                .containsEntry("cpu_worker_s_per_million_1000", 8.0)
                .containsEntry("cpu_broker_s_per_million_1000", 3.0)
                .containsEntry("cpu_s_per_million_5000", null);
        assertThat(run(30, 4, 5).json())
                .containsEntry("p50_ms_5000", 1.0)
                .containsEntry("p95_ms_5000", 2.0)
                .containsEntry("p99_ms_5000", 4.0)
                .containsEntry("late_ms_5000", 4.0)
                .containsEntry("cpu_s_per_million_5000", 12.0);
        assertThat(new CdcFigures.Cpu(7, 5).since(new CdcFigures.Cpu(4, 3)).perMillion(500_000))
                .isEqualTo(new CdcFigures.Cpu(6, 4));
    }

    @Test
    void theSpreadIsOfTheRunsThatHaveTheFigure() {
        Map<String, Object> spread = CdcFigures.spread(List.of(run(30, Double.NaN, 5), run(10, Double.NaN, 6)));
        assertThat(spread).containsEntry("p99_ms_1000", List.of(10.0, 30.0)).doesNotContainKey("p99_ms_5000");
    }
}
