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

    /** Of batches that are no transactions. */
    private static Preference.Load load(double share) {
        return new Preference.Load(share, 0);
    }

    private static SettingTrack track(double lingerMs, double score, double p99Ms) {
        return new SettingTrack(new BatchSetting(1_000, (long) (lingerMs * MS))).placedAt(score, (long) (p99Ms * MS));
    }

    @Test
    void choosesTheShortestLingerWithinFivePercentOfTheBest() {
        assertThat(EFFICIENCY.choose(all, shortest, load(0.1))).isSameAs(middle);
        assertThat(EFFICIENCY.choose(all, longest, load(0.1))).isSameAs(middle);
    }

    @Test
    void neverChoosesASettingThatBreaksTheBudgetWhileOneKeepsIt() {
        assertThat(EFFICIENCY.choose(all, tooLong, load(0.1))).isSameAs(middle);
    }

    @Test
    void keepsAnEquallyGoodSetting() {
        SettingTrack alike = track(21, 0.97, 27);
        assertThat(EFFICIENCY.choose(List.of(shortest, middle, alike, longest), alike, load(0.1)))
                .isSameAs(alike);
    }

    @Test
    void choosesTheLowestPercentileWithRoomForHalfAgainTheLoad() {
        // At a quarter of the middle's service rate, the shortest sustains 0.30 of 0.96, which is 1.25 times the load.
        assertThat(LATENCY.choose(all, middle, load(0.25))).isSameAs(middle);
        assertThat(LATENCY.choose(all, middle, load(0.2))).isSameAs(shortest);
    }

    @Test
    void choosesALongerLingerThatHasALowerPercentile() {
        SettingTrack delayedByMarkers = track(1, 0.25, 30);
        assertThat(LATENCY.choose(List.of(delayedByMarkers, shortest, middle), delayedByMarkers, load(0.01)))
                .isSameAs(shortest);
    }

    @Test
    void choosesTheHigherScoreAmongEqualPercentiles() {
        SettingTrack cheaper = track(3, 0.45, 8.8);
        assertThat(LATENCY.choose(List.of(shortest, cheaper, middle), shortest, load(0.01)))
                .isSameAs(cheaper);
        SettingTrack hardlyCheaper = track(2.5, 0.33, 8);
        assertThat(LATENCY.choose(List.of(shortest, hardlyCheaper, middle), shortest, load(0.01)))
                .as("not for a gain of less than a tenth")
                .isSameAs(shortest);
    }

    @Test
    void oneTrialShowsAClearGainOnly() {
        assertThat(LATENCY.isClearlyBetter(shortest, middle, load(0.1))).isTrue();
        assertThat(LATENCY.isClearlyBetter(track(6, 1, 7), shortest, load(0.1))).isFalse();
        assertThat(LATENCY.isClearlyBetter(longest, shortest, load(0.1)))
                .as("a service rate")
                .isFalse();
        assertThat(EFFICIENCY.isClearlyBetter(longest, shortest, load(0.1))).isTrue();
        assertThat(EFFICIENCY.isClearlyBetter(shortest, middle, load(0.1)))
                .as("a latency")
                .isFalse();
    }

    /** One disturbed window is enough for the best to break the budget. */
    @Test
    void needsTwoTrialsForACostlyLingerThatKeepsTheBudget() {
        assertThat(EFFICIENCY.isClearlyBetter(shortest, tooLong, load(0.1))).isFalse();
        assertThat(EFFICIENCY.isClearlyBetter(track(40, 1.5, 46), tooLong, load(0.1)))
                .as("it costs less than half as much again")
                .isTrue();
        assertThat(LATENCY.isClearlyBetter(shortest, tooLong, load(0.1))).isTrue();
    }

    @Test
    void choosesTheMostEfficientOneIfNoneHasThatRoom() {
        assertThat(LATENCY.choose(all, shortest, load(0.9))).isSameAs(middle);
    }

    @Test
    void choosesTheLowestLatencyIfNoneKeepsTheBudget() {
        Preference beyond = new Preference(Objective.EFFICIENCY, 5 * MS);
        assertThat(beyond.choose(all, longest, load(0.1))).isSameAs(shortest);
        SettingTrack hardlyNearer = track(1.5, 0.2, 7.5);
        assertThat(beyond.choose(List.of(shortest, hardlyNearer), shortest, load(0.1)))
                .as("not for a gain of less than a tenth")
                .isSameAs(shortest);
    }

    /** At 1,000 events/s a T of 20 ms makes 45 transactions a second, and one of 30 ms 31. */
    private static final Preference.Load LOAD = new Preference.Load(0.1, 0.045);

    private static SettingTrack transactional(double lingerMs, double score, double transactions) {
        SettingTrack track = new SettingTrack(new BatchSetting(1_000, (long) (lingerMs * MS)));
        track.tried(score, transactions, (long) ((lingerMs + 3) * MS));
        track.tried(score, transactions, (long) ((lingerMs + 3) * MS));
        return track;
    }

    /** A score scatters by a fifth from window to window. */
    @Test
    void choosesFewerTransactionsUnlessTheyAreClearlySlower() {
        SettingTrack best = transactional(20, 1, 1);
        SettingTrack longer = transactional(30, 0.85, 0.69);
        assertThat(EFFICIENCY.choose(List.of(best, longer), best, LOAD)).isSameAs(longer);
        assertThat(EFFICIENCY.choose(List.of(best, longer), longer, LOAD)).isSameAs(longer);
        SettingTrack slower = transactional(30, 0.83, 0.69);
        assertThat(EFFICIENCY.choose(List.of(best, slower), best, LOAD)).isSameAs(best);
        SettingTrack late = transactional(60, 1, 0.4);
        assertThat(EFFICIENCY.choose(List.of(best, late), best, LOAD))
                .as("it breaks the budget")
                .isSameAs(best);
    }

    /** A transaction of 2,000 events costs a tenth of what its events cost. */
    @Test
    void choosesTheShorterLingerIfTransactionsAreLarge() {
        SettingTrack shorter = transactional(20, 1, 1);
        SettingTrack longer = transactional(40, 1, 0.5);
        List<SettingTrack> tracks = List.of(shorter, longer);
        assertThat(EFFICIENCY.choose(tracks, shorter, new Preference.Load(0.1, 1.0 / 1_600)))
                .isSameAs(longer);
        assertThat(EFFICIENCY.choose(tracks, shorter, new Preference.Load(0.1, 1.0 / 2_000)))
                .isSameAs(shorter);
        // In force, the longer one has 4,000 and 8,400 events per transaction.
        assertThat(EFFICIENCY.choose(tracks, longer, new Preference.Load(0.1, 1.0 / 4_000)))
                .as("a tie that another rate would end")
                .isSameAs(longer);
        assertThat(EFFICIENCY.choose(tracks, longer, new Preference.Load(0.1, 1.0 / 8_400)))
                .isSameAs(shorter);
    }

    @Test
    void needsTwoTrialsForMoreTransactions() {
        SettingTrack best = transactional(20, 1, 1);
        SettingTrack shorter = transactional(15, 1.3, 1.33);
        assertThat(EFFICIENCY.isClearlyBetter(shorter, best, LOAD)).isFalse();
        assertThat(EFFICIENCY.isClearlyBetter(shorter, best, load(0.1))).isTrue();
        assertThat(EFFICIENCY.isClearlyBetter(transactional(30, 1.3, 0.69), best, LOAD))
                .isTrue();
    }

    @Test
    void fewerTransactionsPromiseAsMuchAsAHigherScore() {
        SettingTrack best = transactional(20, 1, 1);
        // 1 + 200 × 0.045 is 10, and 1 + 200 × 0.036 is 8.2.
        assertThat(EFFICIENCY.promises(transactional(26, 1, 0.8), best, LOAD)).isTrue();
        assertThat(EFFICIENCY.promises(transactional(24, 1.1, 0.9), best, LOAD)).isFalse();
        assertThat(EFFICIENCY.promises(transactional(24, 1.21, 0.9), best, LOAD))
                .isTrue();
    }

    /** A score is the capacity of a task that is nearly saturated. */
    @Test
    void choosesNoLowerScoreIfItLeavesLessThanHalfAgainTheLoad() {
        SettingTrack best = transactional(20, 1, 1);
        SettingTrack longer = transactional(30, 0.9, 0.69);
        List<SettingTrack> tracks = List.of(best, longer);
        assertThat(EFFICIENCY.choose(tracks, best, new Preference.Load(0.59, 0.045)))
                .isSameAs(longer);
        assertThat(EFFICIENCY.choose(tracks, best, new Preference.Load(0.61, 0.045)))
                .isSameAs(best);
    }
}
