package io.microbatch.bench.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.metrics.Metric;
import io.microbatch.testbed.oracle.Findings;
import io.microbatch.testbed.oracle.Oracle;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class CellResultTest {

    private static final Cell CELL =
            new Cell(KafkaRelease.V3_9, KafkaRelease.V4_3, new InstalledJava(17, "17.0.1", Path.of("java")));
    private static final int ALL_METRICS = Metric.values().length;

    @Test
    void isVerifiedWhenEveryEventIsThereOnceAndEveryMetricIsPublished() {
        assertThat(result(found(0, 1, 2), ALL_METRICS).isVerified()).isTrue();
        assertThat(result(found(0, 1), ALL_METRICS).isVerified()).as("lost").isFalse();
        assertThat(result(found(0, 1, 1, 2), ALL_METRICS).isVerified())
                .as("duplicated")
                .isFalse();
        assertThat(result(found(0, 2, 1), ALL_METRICS).isVerified())
                .as("reordered")
                .isFalse();
        assertThat(result(found(0, 1, 2), ALL_METRICS - 1).isVerified())
                .as("metric")
                .isFalse();
        assertThat(result(Findings.NONE, ALL_METRICS).isVerified())
                .as("nothing seen")
                .isFalse();
    }

    @Test
    void aFailedCellHasACauseAndNoFigures() {
        CellResult failed = CellResult.failed(CELL, List.of("plugins"), "validation: no");
        assertThat(failed.isVerified()).isFalse();
        assertThat(failed.toJson())
                .containsEntry("worker", KafkaRelease.V3_9.version())
                .containsEntry("broker", KafkaRelease.V4_3.version())
                .containsEntry("java", "17.0.1")
                .containsEntry("debezium", DebeziumRelease.OF_THE_BUILD.version())
                .containsEntry("postgres", PostgresRelease.OF_THE_BUILD.version())
                .containsEntry("failure", "validation: no")
                .doesNotContainKey("lost");
        assertThat(failed.text()).contains("FAILED", "validation: no");
    }

    @Test
    void theFiguresAreThoseOfTheOracle() {
        assertThat(result(found(0, 1, 1), ALL_METRICS).toJson())
                .containsEntry("verified", false)
                .containsEntry("events", 3L)
                .containsEntry("lost", 1L)
                .containsEntry("duplicated", 1L)
                .containsEntry("reordered", 0L)
                .containsEntry("metrics", ALL_METRICS);
    }

    private static CellResult result(Findings found, int metrics) {
        return new CellResult(CELL, found, metrics, List.of(), "");
    }

    private static Findings found(long... sequences) {
        Oracle oracle = Oracle.even(1, 3);
        for (long sequence : sequences) {
            oracle.saw(0, sequence);
        }
        return oracle.findings();
    }
}
