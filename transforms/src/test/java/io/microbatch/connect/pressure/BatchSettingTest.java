package io.microbatch.connect.pressure;

import static io.microbatch.connect.pressure.Objective.EFFICIENCY;
import static io.microbatch.connect.pressure.Objective.LATENCY;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BatchSettingTest {

    @Test
    void startsWithAThousandEventsPerMillisecondOfTheBudgetAndAPartOfItAsLinger() {
        assertThat(BatchSetting.first(1, EFFICIENCY)).isEqualTo(new BatchSetting(1_000, 500_000));
        assertThat(BatchSetting.first(5, LATENCY)).isEqualTo(new BatchSetting(5_000, 500_000));
    }

    @Test
    void startsWithTwentyThousandEventsAtMost() {
        assertThat(BatchSetting.first(50, EFFICIENCY)).isEqualTo(new BatchSetting(20_000, 25_000_000));
        assertThat(BatchSetting.first(Integer.MAX_VALUE, EFFICIENCY).maxEvents())
                .isEqualTo(20_000);
    }

    @Test
    void canBeCapped() {
        assertThat(BatchSetting.first(1, EFFICIENCY).atMost(2_000)).isEqualTo(BatchSetting.first(1, EFFICIENCY));
        assertThat(BatchSetting.first(50, EFFICIENCY).atMost(2_000)).isEqualTo(new BatchSetting(2_000, 25_000_000));
    }

    @Test
    void beginsForAHostedConnectorWithWhatThreeMillionBytesHold() {
        assertThat(BatchSetting.firstHostedEvents(300)).isEqualTo(10_000);
        assertThat(BatchSetting.firstHostedEvents(1_000)).isEqualTo(3_000);
        assertThat(BatchSetting.firstHostedEvents(1)).isEqualTo(20_000);
        assertThat(BatchSetting.firstHostedEvents(1e12)).isEqualTo(2_000);
        assertThat(BatchSetting.firstHostedEvents(0)).as("no event seen").isEqualTo(2_000);
        assertThat(BatchSetting.firstHostedEvents(Double.NaN)).isEqualTo(2_000);
    }

    @Test
    void isLikeASettingThatMeasurementsCannotDistinguish() {
        BatchSetting setting = new BatchSetting(1_000, 2_000_000);
        assertThat(setting.isLike(new BatchSetting(1_150, 2_400_000))).isTrue();
        assertThat(setting.isLike(new BatchSetting(1_151, 2_000_000))).isFalse();
        assertThat(setting.isLike(new BatchSetting(1_000, 2_400_001))).isFalse();
        assertThat(new BatchSetting(1_000, 0).isLike(new BatchSetting(1_000, 100_000)))
                .as("a tenth of a millisecond")
                .isTrue();
    }
}
