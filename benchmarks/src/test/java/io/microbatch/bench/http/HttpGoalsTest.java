package io.microbatch.bench.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.bench.Goal;
import io.microbatch.bench.http.TopicCheck.Found;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class HttpGoalsTest {

    private static final Found NOTHING = new Found(1, 0, 0, 0, 0, 0, 0);

    private final HttpStandings standings = new HttpStandings();

    @Test
    void comparesMediansAtSaturation() {
        add(Cell.SATURATION, HttpContender.HTTP_EOS, turn(4_000, 1, 0, Map.of()));
        add(Cell.SATURATION, HttpContender.HTTP_EOS, turn(6_000, 1, 0, Map.of()));
        add(Cell.SATURATION, HttpContender.SERVLET_TX, turn(200, 1, 0, Map.of()));

        assertThat(goals()).extracting(Goal::value).containsExactly(25.0);
        assertThat(goals()).allMatch(Goal::isMet);
    }

    @Test
    void hasNoGoalWithoutBothContendersAndMissesOneWithoutAVerifiedTurn() {
        add(Cell.SIXTEEN, HttpContender.HTTP_EOS, turn(4_000, 1, 0, Map.of()));
        assertThat(goals()).isEmpty();

        add(Cell.SIXTEEN, HttpContender.SERVLET_TX, HttpTurn.failed("broken"));
        assertThat(goals()).hasSize(1).noneMatch(Goal::isMet);
        assertThat(goals().get(0).toJson("value")).containsEntry("value", null).containsEntry("met", false);
    }

    @Test
    void takesALatencyWithoutEndForWhatDoesNotCarryTheRateAndComparesNothingWithIt() {
        add(Cell.THOUSAND, HttpContender.HTTP_EOS, turn(1_000, 40, 1_000, Map.of()));
        add(Cell.THOUSAND, HttpContender.SERVLET_TX, turn(300, 5, 1_000, Map.of()));
        assertThat(goals()).isEmpty();

        add(Cell.THOUSAND, HttpContender.HTTP_EOS, turn(300, 5, 1_000, Map.of()));
        add(Cell.THOUSAND, HttpContender.HTTP_EOS, turn(300, 5, 1_000, Map.of()));
        assertThat(goals()).hasSize(1).noneMatch(Goal::isMet);
    }

    @Test
    void allowsNoAnswer504AtHalfOfSaturationInAnyRound() {
        add(Cell.HALF, HttpContender.HTTP_ALO, turn(1_000, 1, 1_000, Map.of(200, 1_000L)));
        add(Cell.HALF, HttpContender.SERVLET, turn(1_000, 1, 1_000, Map.of(504, 10L)));
        assertThat(goals()).hasSize(1).allMatch(Goal::isMet);

        add(Cell.HALF, HttpContender.HTTP_ALO, turn(1_000, 1, 1_000, Map.of(200, 999L, 504, 1L)));
        assertThat(goals()).hasSize(1).noneMatch(Goal::isMet);
    }

    @Test
    void wantsThroughputAndOnly503sBeyondSaturation() {
        add(Cell.SATURATION, HttpContender.HTTP_ALO, turn(1_000, 1, 0, Map.of()));
        add(Cell.BEYOND_SATURATION, HttpContender.HTTP_ALO, turn(950, 500, 1_500, Map.of(200, 950L, 503, 550L)));
        assertThat(goals()).hasSize(3).allMatch(Goal::isMet);

        add(Cell.BEYOND_SATURATION, HttpContender.HTTP_ALO, turn(100, 5_000, 1_500, Map.of(200, 100L, 500, 1L)));
        add(Cell.BEYOND_SATURATION, HttpContender.HTTP_ALO, turn(100, 5_000, 1_500, Map.of(200, 100L)));
        assertThat(goals()).hasSize(3).noneMatch(Goal::isMet);
    }

    @Test
    void allowsSlowConnectionsTwiceTheLatency() {
        add(Cell.THOUSAND_AND_SLOW, HttpContender.HTTP_EOS, turn(1_000, 40, 1_000, Map.of()));
        add(Cell.THOUSAND_AND_SLOW, HttpContender.SERVLET, turn(1_000, 400, 1_000, Map.of()));
        assertThat(goals()).isEmpty();

        add(Cell.THOUSAND, HttpContender.HTTP_EOS, turn(1_000, 20, 1_000, Map.of()));
        assertThat(goals()).hasSize(1).allMatch(goal -> goal.value() > 1.9 && goal.value() < 2.1);

        add(Cell.THOUSAND_AND_SLOW, HttpContender.HTTP_EOS, turn(300, 5, 1_000, Map.of()));
        add(Cell.THOUSAND_AND_SLOW, HttpContender.HTTP_EOS, turn(300, 5, 1_000, Map.of()));
        assertThat(goals()).hasSize(1).noneMatch(Goal::isMet);
    }

    @Test
    void comparesKeysWithNone() {
        add(Cell.FIVE_THOUSAND, HttpContender.HTTP_EOS, turn(5_000, 1, 5_000, Map.of()));
        add(Cell.FIVE_THOUSAND, HttpContender.HTTP_EOS_KEYS, turn(4_400, 1, 5_000, Map.of()));

        assertThat(goals()).extracting(Goal::value).containsExactly(0.88);
        assertThat(goals()).noneMatch(Goal::isMet);
    }

    @Test
    void namesEveryFigureInWhichAnotherIsBetter() {
        add(Cell.SIXTEEN, HttpContender.HTTP_EOS, turn(1_000, 40, 0, Map.of()));
        add(Cell.SIXTEEN, HttpContender.HTTP_ALO, turn(3_000, 1, 0, Map.of()));
        add(Cell.SIXTEEN, HttpContender.SERVLET, turn(2_000, 8, 0, Map.of()));
        add(Cell.SIXTEEN, HttpContender.SERVLET_TX, turn(200, 80, 0, Map.of()));

        assertThat(HttpGoals.losing(standings))
                .containsExactly(
                        "closed-16, http-eos, events/s: 1,000.0 versus 2,000.0 of servlet",
                        "closed-16, http-eos, p50 ms: 40.0 versus 8.0 of servlet",
                        "closed-16, http-eos, p99 ms: 40.0 versus 8.0 of servlet",
                        "closed-16, http-eos, CPU s/M: 1,000.0 versus 500.0 of servlet");
    }

    private List<Goal> goals() {
        return HttpGoals.of(standings);
    }

    private void add(Cell cell, HttpContender contender, HttpTurn turn) {
        standings.add(cell, contender, turn);
    }

    /** A verified second with one CPU second of the server. */
    private static HttpTurn turn(long answered, int latencyMs, double perSec, Map<Integer, Long> statuses) {
        Histogram micros = new Histogram(600_000_000L, 3);
        micros.recordValueWithCount(latencyMs * 1_000L, answered);
        long refused = statuses.getOrDefault(503, 0L);
        long unknown = statuses.getOrDefault(504, 0L) + statuses.getOrDefault(500, 0L);
        long ok = statuses.getOrDefault(200, answered);
        LoadFigures load =
                new LoadFigures(1, answered, ok, refused, unknown, 0, 0, 0, micros, micros, new TreeMap<>(statuses));
        return new HttpTurn(true, "", NOTHING, load, perSec, 1, 1, 1);
    }
}
