package io.microbatch.connect.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.pressure.LatencyBudgets;
import io.microbatch.connect.pressure.Margin;
import io.microbatch.connect.pressure.PressureLevel;
import org.junit.jupiter.api.Test;

class FixedControllerTest {

    private static final long MS = 1_000_000;
    private static final BatchTarget TARGET = BatchTarget.best(500, 7 * MS);

    private final FixedController controller = new FixedController(
            new ControlSettings(500, 1_000_000, 7 * MS, new LatencyBudgets(0, 50), Margin.DEFAULT, false, false));

    @Test
    void keepsItsSettingAtEveryRateAndReportsTheLevel() {
        Decision slow = controller.decide(0, 1);
        Decision fast = controller.decide(MS, 100_000);

        assertThat(slow)
                .isEqualTo(new Decision(
                        TARGET,
                        PressureLevel.L1_REALTIME,
                        1,
                        true,
                        TARGET.setting(),
                        500,
                        1_000_000,
                        Decision.NEVER_QUIET_NANOS,
                        0,
                        Decision.WHOLE_STRIPE));
        assertThat(fast)
                .isEqualTo(new Decision(
                        TARGET,
                        PressureLevel.L7_HIGH,
                        50,
                        true,
                        TARGET.setting(),
                        500,
                        1_000_000,
                        Decision.NEVER_QUIET_NANOS,
                        0,
                        Decision.WHOLE_STRIPE));
        assertThat(fast.setting().lingerMs()).isEqualTo(7.0);
    }

    @Test
    void returnsTheSameInstanceAfterAnyAcknowledgement() {
        Decision first = controller.decide(0, 5_000);
        controller.acknowledged(MS, 900 * MS, 0, 900 * MS, true);
        assertThat(controller.decide(2 * MS, 5_000)).isSameAs(first);
    }
}
