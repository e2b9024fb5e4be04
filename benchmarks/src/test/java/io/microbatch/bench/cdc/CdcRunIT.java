package io.microbatch.bench.cdc;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.bench.BenchHome;
import io.microbatch.bench.rows.LoadWriters;
import io.microbatch.testbed.WorkDirectory;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.sql.SQLException;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A short turn of {@code bench cdc}: every row is written, carried and compared, and every figure is measured. */
class CdcRunIT {

    /** More than a batch of Debezium's default, which is 2,048: a backlog in one batch has no rate. */
    private static final int BACKLOG = 10_000;

    /**
     * Of the warm-up, of getting used to 50 rows/s and of a second of it, the same of 1,000 and 5,000 rows/s, and the
     * backlog.
     */
    private static final int ROWS = 1_000 + 4 * 50 + 4 * 1_000 + 4 * 5_000 + BACKLOG;

    @ParameterizedTest
    @EnumSource(
            value = CdcContender.class,
            names = {"ADAPTIVE", "ENGINE_2"})
    void writesAndComparesEveryRowAndMeasuresEveryFigure(CdcContender contender) throws SQLException, IOException {
        try (WorkDirectory work = WorkDirectory.create("cdc-it");
                CdcStack stack = new CdcStack(new PrintWriter(Writer.nullWriter()), false)) {
            stack.start(work.path(), Optional.of(BenchHome.archive()));
            try (LoadWriters writers = new LoadWriters(stack.postgres(), EventInsert::new)) {
                CdcRun run = new CdcRun(stack, writers, new CdcRun.Size(1, 3, 1, 1, 1, BACKLOG));
                CdcRun.Turn turn = run.run(contender.config(ConnectorConfig.example(), 1, work.path()), CdcRun.PHASES);

                assertThat(writers.written()).isEqualTo(ROWS);
                assertThat(turn.found().events()).isEqualTo(ROWS);
                assertThat(turn.found().isExactlyOnce())
                        .as(turn.found().toString())
                        .isTrue();
                CdcFigures figures = turn.figures();
                assertThat(figures.at50().p50Ms()).isPositive().isLessThanOrEqualTo(figures.p99Ms50());
                assertThat(figures.at1000().p50Ms()).isPositive().isLessThanOrEqualTo(figures.p99Ms1000());
                assertThat(figures.p99Ms5000()).isPositive().isFinite();
                assertThat(figures.lateMs().at50()).isNotNegative().isFinite();
                assertThat(figures.lateMs().at1000()).isNotNegative().isFinite();
                assertThat(figures.lateMs().at5000()).isNotNegative().isFinite();
                assertThat(figures.backlogPerSec()).isPositive().isFinite();
                assertThat(figures.backlogCpu().worker()).isPositive();
                assertThat(figures.backlogCpu().broker()).isPositive();
                assertThat(figures.cpu1000().worker()).isPositive();
                assertThat(figures.cpu1000().broker()).isPositive();
                assertThat(figures.cpu5000().worker()).isPositive();
                assertThat(figures.cpu5000().broker()).isPositive();
                assertThat(figures.cpuMicrosByPart()).isNotEmpty();
                assertThat(EventTable.readAll(stack.postgres()))
                        .as("leaves no rows")
                        .isEmpty();
            }
        }
    }
}
