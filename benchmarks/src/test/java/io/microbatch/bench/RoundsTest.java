package io.microbatch.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RoundsTest {

    private final Rounds rounds = new Rounds();

    @Test
    void answersMediansSpreadAndEveryRound() {
        rounds.add(Map.of("p99", 30.0));
        rounds.add(Map.of("p99", 10.0));
        rounds.add(Map.of("p99", 11.0));
        assertThat(rounds.median("p99")).isEqualTo(11);
        assertThat(rounds.json())
                .containsEntry("p99", 11.0)
                .containsEntry("spread", Map.of("p99", List.of(10.0, 30.0)))
                .containsEntry("each_round", List.of(Map.of("p99", 30.0), Map.of("p99", 10.0), Map.of("p99", 11.0)));
    }

    @Test
    void aFigureThatARoundDoesNotHaveCountsForNothing() {
        rounds.add(Map.of("p99", Double.NaN, "cpu", 4.0));
        rounds.add(Map.of("p99", 10.0));
        assertThat(rounds.median("p99")).isEqualTo(10);
        assertThat(rounds.median("cpu")).isEqualTo(4);
        assertThat(rounds.median("unknown")).isNaN();
        assertThat(rounds.json()).containsEntry("each_round", List.of(Map.of("cpu", 4.0), Map.of("p99", 10.0)));
    }
}
