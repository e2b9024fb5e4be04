package io.microbatch.connect.learning;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.pressure.BatchSetting;
import io.microbatch.connect.pressure.Objective;
import java.util.List;
import org.junit.jupiter.api.Test;

class PreferenceTest {

    private static final long MS = 1_000_000;
    private static final Preference EFFICIENCY = new Preference(Objective.EFFICIENCY, 50 * MS);
    private static final Preference LATENCY = new Preference(Objective.LATENCY, 50 * MS);

    private final SettingTrack shortest = track(2, 0.30, 8);
    private final SettingTrack middle = track(20, 0.96, 26);
    private final SettingTrack longest = track(40, 1.00, 46);
    private final SettingTrack tooLong = track(80, 2.00, 86);
    private final List<SettingTrack> all = List.of(shortest, middle, longest, tooLong);

    private static SettingTrack track(double lingerMs, double score, double p99Ms) {
        return new SettingTrack(new BatchSetting(1_000, (long) (lingerMs * MS))).placedAt(score, (long) (p99Ms * MS));
    }

    @Test
    void choosesTheShortestLingerWithinFivePercentOfTheBest() {
        assertThat(EFFICIENCY.choose(all, shortest, 0.1)).isSameAs(middle);
        assertThat(EFFICIENCY.choose(all, longest, 0.1)).isSameAs(middle);
    }

    @Test
    void neverChoosesASettingThatBreaksTheBudgetWhileOneKeepsIt() {
        assertThat(EFFICIENCY.choose(all, tooLong, 0.1)).isSameAs(middle);
    }

    @Test
    void keepsAnEquallyGoodSetting() {
        SettingTrack alike = track(21, 0.97, 27);
        assertThat(EFFICIENCY.choose(List.of(shortest, middle, alike, longest), alike, 0.1))
                .isSameAs(alike);
    }

    @Test
    void choosesTheShortestLingerWithRoomForFourTimesTheLoad() {
        // At a tenth of the middle's service rate, the shortest sustains 0.30 of 0.96, which is three times the load.
        assertThat(LATENCY.choose(all, middle, 0.1)).isSameAs(middle);
        assertThat(LATENCY.choose(all, middle, 0.05)).isSameAs(shortest);
    }

    @Test
    void choosesTheMostEfficientOneIfNoneHasThatRoom() {
        assertThat(LATENCY.choose(all, shortest, 0.9)).isSameAs(middle);
    }

    @Test
    void choosesTheLowestLatencyIfNoneKeepsTheBudget() {
        Preference beyond = new Preference(Objective.EFFICIENCY, 5 * MS);
        assertThat(beyond.choose(all, longest, 0.1)).isSameAs(shortest);
        SettingTrack hardlyNearer = track(1.5, 0.2, 7.5);
        assertThat(beyond.choose(List.of(shortest, hardlyNearer), shortest, 0.1))
                .as("not for a gain of less than a tenth")
                .isSameAs(shortest);
    }
}
