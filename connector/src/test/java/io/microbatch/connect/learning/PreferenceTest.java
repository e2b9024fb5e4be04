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
    void choosesTheLowestPercentileWithRoomForHalfAgainTheLoad() {
        // At a quarter of the middle's service rate, the shortest sustains 0.30 of 0.96, which is 1.25 times the load.
        assertThat(LATENCY.choose(all, middle, 0.25)).isSameAs(middle);
        assertThat(LATENCY.choose(all, middle, 0.2)).isSameAs(shortest);
    }

    @Test
    void choosesALongerLingerThatHasALowerPercentile() {
        SettingTrack delayedByMarkers = track(1, 0.25, 30);
        assertThat(LATENCY.choose(List.of(delayedByMarkers, shortest, middle), delayedByMarkers, 0.01))
                .isSameAs(shortest);
    }

    @Test
    void choosesTheHigherScoreAmongEqualPercentiles() {
        SettingTrack cheaper = track(3, 0.45, 8.8);
        assertThat(LATENCY.choose(List.of(shortest, cheaper, middle), shortest, 0.01))
                .isSameAs(cheaper);
        SettingTrack hardlyCheaper = track(2.5, 0.33, 8);
        assertThat(LATENCY.choose(List.of(shortest, hardlyCheaper, middle), shortest, 0.01))
                .as("not for a gain of less than a tenth")
                .isSameAs(shortest);
    }

    @Test
    void oneTrialShowsAClearGainOnly() {
        assertThat(LATENCY.isClearlyBetter(shortest, middle)).isTrue();
        assertThat(LATENCY.isClearlyBetter(track(6, 1, 7), shortest)).isFalse();
        assertThat(LATENCY.isClearlyBetter(longest, shortest))
                .as("a service rate")
                .isFalse();
        assertThat(EFFICIENCY.isClearlyBetter(longest, shortest)).isTrue();
        assertThat(EFFICIENCY.isClearlyBetter(shortest, middle)).as("a latency").isFalse();
    }

    /** One disturbed window is enough for the best to break the budget. */
    @Test
    void needsTwoTrialsForACostlyLingerThatKeepsTheBudget() {
        assertThat(EFFICIENCY.isClearlyBetter(shortest, tooLong)).isFalse();
        assertThat(EFFICIENCY.isClearlyBetter(track(40, 1.5, 46), tooLong))
                .as("it costs less than half as much again")
                .isTrue();
        assertThat(LATENCY.isClearlyBetter(shortest, tooLong)).isTrue();
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
