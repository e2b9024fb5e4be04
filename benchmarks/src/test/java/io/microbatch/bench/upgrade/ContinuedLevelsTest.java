package io.microbatch.bench.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ContinuedLevelsTest {

    private static final long ENDED = 1_000;

    private static Learned before(String key, Map<Integer, Long> windows) {
        return new Learned(4, key, ENDED - 500, windows, Map.of());
    }

    private static Learned after(String key, Map<Integer, Long> windows, Map<Integer, Long> recent) {
        return new Learned(4, key, ENDED + 500, windows, recent);
    }

    @Test
    void isKeptWhereTheCountGoesOn() {
        ContinuedLevels kept = ContinuedLevels.between(
                Map.of("a-0", before("k", Map.of(3, 12L, 1, 1L)), "b-0", before("k", Map.of(3, 9L))),
                Map.of(
                        "a-0", after("k", Map.of(3, 16L, 1, 1L), Map.of(3, 5L)),
                        "b-0", after("k", Map.of(3, 9L), Map.of())),
                ENDED);
        assertThat(kept).isEqualTo(new ContinuedLevels(2, 3, 2, 3, 0));
        assertThat(kept.isKept()).isTrue();
    }

    @Test
    void isNotKeptWhereATaskLearnsAnew() {
        ContinuedLevels kept = ContinuedLevels.between(
                Map.of("a-0", before("k", Map.of(3, 12L))),
                Map.of("a-0", after("k", Map.of(3, 4L), Map.of(3, 5L))),
                ENDED);
        assertThat(kept).isEqualTo(new ContinuedLevels(1, 1, 1, 0, 0));
        assertThat(kept.isKept()).isFalse();
    }

    @Test
    void countsAnOwnEarlierRunApart() {
        ContinuedLevels kept = ContinuedLevels.between(
                Map.of("a-0", before("new", Map.of(3, 12L))),
                Map.of("a-0", after("old", Map.of(3, 8L), Map.of(3, 1L))),
                ENDED);
        assertThat(kept).isEqualTo(new ContinuedLevels(1, 1, 1, 0, 1));
        assertThat(kept.isKept()).isFalse();
    }

    @Test
    void countsNothingOfAFileThatNoTaskStoresWindowsIn() {
        Map<String, Learned> file = Map.of("a-0", before("k", Map.of(3, 12L)));
        assertThat(ContinuedLevels.between(file, file, ENDED)).isEqualTo(new ContinuedLevels(1, 1, 0, 0, 0));
    }

    @Test
    void isNotKeptWhereNothingHadBeenLearned() {
        assertThat(ContinuedLevels.between(Map.of(), Map.of(), ENDED).isKept()).isFalse();
    }
}
