package io.microbatch.bench.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.bench.load.LoadStack;
import io.microbatch.testbed.TestbedHome;
import io.microbatch.testbed.WorkDirectory;
import io.microbatch.testbed.failpoint.Failpoint;
import io.microbatch.testbed.failpoint.FailpointAction;
import io.microbatch.testbed.failpoint.FailpointControl;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A fleet is verified and measured, and none with a planted bug in one of its connectors. */
class FleetRunIT {

    private static final FleetPlan SMALL = new FleetPlan(8, 1, 3, 1);

    private static WorkDirectory work;
    private static FailpointControl failpoints;
    private static LoadStack stack;

    @BeforeAll
    static void start() {
        work = WorkDirectory.create("fleet-it");
        failpoints = new FailpointControl(TestbedHome.locate(), work.path().resolve("failpoints"));
        stack = LoadStack.startWith(List.of(failpoints.jvmOption()), work.path());
    }

    @AfterAll
    static void stop() throws IOException {
        stack.close();
        work.close();
    }

    @ParameterizedTest
    @EnumSource(
            value = FleetContender.class,
            names = {"PLAIN_ALL_LINGER", "HOSTED"})
    void verifiesAFleetWithoutABugAndMeasuresIt(FleetContender contender) {
        FleetResult result = new FleetRun(stack).run(contender, SMALL);

        assertThat(result.isVerified()).as(result.text()).isTrue();
        assertThat(result.findings().events())
                .isEqualTo(SMALL.rates().stream().mapToInt(SMALL::events).sum());
        assertThat(result.figures()).containsOnlyKeys(FleetFigure.values());
        assertThat(result.figures().get(FleetFigure.TRANSACTIONS_PER_S)).isPositive();
        assertThat(result.figures().get(FleetFigure.THREADS_PER_TASK)).isGreaterThanOrEqualTo(1);
        assertThat(result.figures().get(FleetFigure.IDLE_HEAP_KB_PER_TASK)).isPositive();
        assertThat(result.figures().get(FleetFigure.P50_MS))
                .isPositive()
                .isLessThanOrEqualTo(result.figures().get(FleetFigure.WORST_P99_MS));
    }

    @Test
    void verifiesNoFleetWithAPlantedBugInOneConnector() {
        failpoints.arm(Failpoint.BEFORE_POLL_RETURNS, FailpointAction.ALTER, 3);
        FleetResult result = new FleetRun(stack).run(FleetContender.HOSTED, SMALL);

        assertThat(failpoints.wasHit()).isTrue();
        assertThat(result.isVerified()).isFalse();
        assertThat(result.findings().corrupt()).isEqualTo(1);
    }
}
