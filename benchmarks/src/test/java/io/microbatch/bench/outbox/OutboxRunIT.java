package io.microbatch.bench.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.testbed.WorkDirectory;
import java.io.IOException;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The shortest turn of each kind of contender: every row is carried and compared, and every figure is measured. */
class OutboxRunIT {

    private static final OutboxRun.Size SHORTEST = new OutboxRun.Size(100, 500, 0, 1, 1);

    private static WorkDirectory work;
    private static OutboxStack stack;
    private static OutboxRun run;

    @BeforeAll
    static void start() {
        work = WorkDirectory.create("outbox-it");
        stack = new OutboxStack(work.path(), false);
        run = new OutboxRun(stack, SHORTEST);
    }

    @AfterAll
    static void stop() throws IOException {
        stack.close();
        work.close();
    }

    @ParameterizedTest
    @EnumSource(
            value = OutboxContender.class,
            names = {
                "OUTBOX_1",
                "OUTBOX_4",
                "SEND_AND_WAIT",
                "FIRE_FLUSH_AWAIT_50",
                "FIRE_FLUSH_AWAIT_100_X2",
                "DEBEZIUM_MID_I50_L50",
                "HOSTED"
            })
    void verifiesEveryRowAndMeasures(OutboxContender contender) throws SQLException {
        OutboxTurn turn = run.turn(contender);

        assertThat(OutboxTurn.isVerified(contender, turn.found()))
                .as(turn.found().toString())
                .isTrue();
        // Slow machines carry the backlog at less than the rate, and leave the rate out.
        assertThat(turn.found().events())
                .isIn(100L + contender.backlogRows(500) + 50, 100L + contender.backlogRows(500) + 50 + 1_000);
        assertThat(turn.at50().p50Ms())
                .isPositive()
                .isLessThanOrEqualTo(turn.at50().p95Ms());
        // A backlog of a few rows can take less than a tick of the processor's clock.
        assertThat(turn.backlogCpu().postgres()).isNotNegative();
        assertThat(turn.backlogCpu().broker()).isNotNegative();
        assertThat(OutboxTable.isEmpty(stack.postgres())).as("leaves no rows").isTrue();
    }
}
