package io.microbatch.bench.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FleetPlanTest {

    @Test
    void spreadsTheRatesAndLeavesEveryEighthConnectorIdle() {
        List<Integer> rates = new FleetPlan(40, 5, 20, 10).rates();
        assertThat(rates).hasSize(40);
        assertThat(rates.stream().filter(rate -> rate == 0)).hasSize(5);
        List<Integer> producing = rates.stream().filter(rate -> rate > 0).toList();
        assertThat(producing).isSorted().startsWith(5).endsWith(50);
        assertThat(rates.get(7)).isZero();
    }

    @Test
    void hasARateForASingleConnector() {
        assertThat(new FleetPlan(1, 5, 20, 10).rates()).containsExactly(5);
    }

    @Test
    void warmsUpWithAtLeastOneConnector() {
        assertThat(new FleetPlan(1, 5, 20, 10).warmUp().connectors()).isEqualTo(1);
        assertThat(new FleetPlan(40, 5, 20, 10).warmUp().connectors()).isEqualTo(10);
    }

    @Test
    void countsTheEventsOfTheWarmUpToo() {
        assertThat(new FleetPlan(40, 5, 20, 10).events(50)).isEqualTo(1_250);
    }
}
