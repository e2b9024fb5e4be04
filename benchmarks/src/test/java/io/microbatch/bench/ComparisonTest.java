package io.microbatch.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ComparisonTest {

    /** Two of them. */
    private enum Kind {
        OURS,
        THEIRS
    }

    @Test
    void eachRoundBeginsWithAnotherContenderAndKeepsTheirOrder() {
        List<String> all = List.of("a", "b", "c");
        assertThat(Comparison.order(all, 0)).containsExactly("a", "b", "c");
        assertThat(Comparison.order(all, 1)).containsExactly("b", "a", "c");
        assertThat(Comparison.order(all, 2)).containsExactly("b", "c", "a");
        assertThat(Comparison.order(all, 3)).containsExactly("c", "b", "a");
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
