package io.microbatch.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ComparisonTest {

    /** Two of them. */
    private enum Kind {
        OURS,
        THEIRS
    }

    @Test
    void twoContendersBeginInTurns() {
        List<String> two = List.of("a", "b");
        assertThat(Comparison.order(two, 0)).containsExactly("a", "b");
        assertThat(Comparison.order(two, 1)).containsExactly("b", "a");
        assertThat(Comparison.order(two, 2)).containsExactly("a", "b");
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 6, 7, 8})
    void asManyRoundsAsContendersBeginWithAllOfThem(int size) {
        List<Integer> all = contenders(size);
        for (int from = -1; from < 2 * size; from++) {
            assertThat(IntStream.range(from, from + size)
                            .mapToObj(round -> Comparison.order(all, round).get(0)))
                    .as("rounds from %d on", from)
                    .containsExactlyInAnyOrderElementsOf(all);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 6, 7, 8})
    void aContenderIsAsEarlyInOneRoundOfAPairAsItIsLateInTheOther(int size) {
        List<Integer> all = contenders(size);
        for (int round = 0; round < 2 * size; round += 2) {
            List<Integer> reversed = new ArrayList<>(Comparison.order(all, round + 1));
            Collections.reverse(reversed);
            assertThat(reversed).as("round %d", round + 1).isEqualTo(Comparison.order(all, round));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5, 6, 7, 8})
    void noContenderFollowsTheSameOneInTwoRoundsInARow(int size) {
        List<Integer> all = contenders(size);
        for (int round = 0; round < 2 * size; round++) {
            List<Integer> before = Comparison.order(all, round);
            List<Integer> after = Comparison.order(all, round + 1);
            for (int i = 1; i < size; i++) {
                int at = after.indexOf(before.get(i));
                assertThat(at == 0 || !after.get(at - 1).equals(before.get(i - 1)))
                        .as("%s, then %s", before, after)
                        .isTrue();
            }
        }
    }

    private static List<Integer> contenders(int size) {
        return IntStream.range(0, size).boxed().toList();
    }

    @Test
    void aResultHasTheMedianTheSpreadAndEveryRound() {
        Comparison<Kind> comparison = new Comparison<>(List.of(Kind.values()), Kind.OURS);
        comparison.add(Kind.OURS, 300.4);
        comparison.add(Kind.OURS, 100.2);
        comparison.add(Kind.OURS, 200.3);
        StringWriter printed = new StringWriter();
        assertThat(comparison.report("mode", new PrintWriter(printed)))
                .containsEntry("ours", 200L)
                .containsEntry("theirs", 0L)
                .containsEntry("spread", Map.of("ours", List.of(100L, 300L)))
                .containsEntry("each_round", Map.of("ours", List.of(300L, 100L, 200L), "theirs", List.of()));
        assertThat(printed.toString()).contains("ours").doesNotContain("theirs", "collapsed");
    }

    @Test
    void aRunThatDidNotEndInTimeCountsAndIsNamed() {
        Comparison<Kind> comparison = new Comparison<>(List.of(Kind.values()), Kind.OURS);
        comparison.add(Kind.OURS, 300);
        comparison.addCollapsed(Kind.THEIRS, 16);
        comparison.add(Kind.THEIRS, 20);
        StringWriter printed = new StringWriter();
        assertThat(comparison.report("mode", new PrintWriter(printed)))
                .containsEntry("theirs", 18L)
                .containsEntry("collapsed", Map.of("theirs", 1));
        assertThat(printed.toString()).contains("collapsed in 1 of 2 rounds");
    }
}
