package io.microbatch.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.microbatch.bench.report.BarChart.Bar;
import io.microbatch.bench.report.Sections.Section;
import io.microbatch.bench.report.Series.Point;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ReportTest {

    private static JsonNode json(String text) throws JsonProcessingException {
        return new ObjectMapper().readTree(text.replace('\'', '"'));
    }

    private static Section section(String file) {
        return Stream.concat(Sections.ALL.stream(), ScenarioSections.ALL.stream())
                .filter(section -> section.file().equals(file))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void barsAreAsLongAsTheirFiguresAndSayTheRatio() {
        String html = new BarChart("/s", "ours", List.of(new Bar("theirs", 50.0), new Bar("ours", 200.0))).html();
        assertThat(html)
                .contains("width:25.00%", "width:100.00%", "ours is<", ">4.00 ×")
                .doesNotContain("1.00 ×");
    }

    @Test
    void aMissingFigureIsADash() {
        assertThat(new BarChart("/s", "ours", List.of(new Bar("theirs", null), new Bar("ours", 2.0))).html())
                .contains("- /s")
                .doesNotContain("null", "NaN", "Infinity");
    }

    @Test
    void pointsLieWhereTheAxesSayThatTheyLie() {
        Series line = new Series(
                "p99", "#000000", false, List.of(new Point(10, 1), new Point(100, 10), new Point(1_000, 100)));
        String svg = new LineChart("events/s", "ms", List.of(line)).svg();
        // The middle of both axes, between 70 and 704 from the left, between 310 and 12 from the top.
        assertThat(svg).contains("cx=\"387.0\" cy=\"161.0\"", "points=\"70.0,310.0 387.0,161.0 704.0,12.0\"");
    }

    @Test
    void leavesOutWhatCannotBeDrawnOnALogarithmicAxis() {
        Series line = new Series("p99", "#000000", false, List.of(new Point(10, 0), new Point(100, 10)));
        assertThat(new LineChart("x", "y", List.of(line)).svg())
                .containsOnlyOnce("<circle")
                .doesNotContain("NaN", "Infinity");
    }

    @Test
    void aChartWithoutPointsIsStillAChart() {
        assertThat(new LineChart("x", "y", List.of()).svg()).startsWith("<svg").doesNotContain("NaN", "Infinity");
    }

    @Test
    void thePageNeedsNoNetworkAndHidesNoFailure() throws JsonProcessingException {
        ReportPage page = new ReportPage();
        page.add(
                section("compare.json"),
                json("{'verified':false,'exactly_once':{'naive':100,'adaptive':50000},"
                        + "'environment':{'os':'<Linux>','processors':2}}"));
        String html = page.html();
        assertThat(html)
                .contains("verified: <span class=\"no\">NO</span>", "&lt;Linux&gt;", ">500 ×")
                .doesNotContain("http:", "https:", "<script", "src=", "@import", "url(");
    }

    @Test
    void aFixedLingerIsOnlyDrawnWhereItKeepsTheBudget() throws JsonProcessingException {
        String drawn = section("regret.json")
                .body()
                .apply(
                        json(
                                "{'rates':[{'rate':100,'budget_ms':10,'adaptive':{'capacity':1000,'p99_ms':8},"
                                        + "'fixed':[{'name':'5','capacity':500,'p99_ms':9},{'name':'50','capacity':900,'p99_ms':60}]}]}"));
        assertThat(drawn)
                .contains("<title>T = 5 ms, where it keeps the budget: 100, 500</title>")
                .doesNotContain(": 100, 900");
    }

    @Test
    void everyRepetitionOfAStepIsABarAlsoWhereAllAreZero() throws JsonProcessingException {
        String drawn = section("step.json").body().apply(json("{'up_ms_each':[0,0],'down_ms_each':[2000,1000]}"));
        assertThat(drawn).contains("width:100.00%", "width:50.00%", "2,000 ms").doesNotContain("NaN", "Infinity");
    }

    @Test
    void everyDelayHasBarsOfItsOwn() throws JsonProcessingException {
        String drawn = section("slow-broker.json")
                .body()
                .apply(json("{'delays':[{'mode':'exactly_once','delay_ms':250,'naive_per_s':4,'adaptive_per_s':600,"
                        + "'adaptive_large_batches_per_s':null}]}"));
        assertThat(drawn).contains("exactly-once, 250 ms", ">150 ×", "- /s");
    }

    @Test
    void whatAContenderDidNotReachHasNoBar() throws JsonProcessingException {
        String drawn = section("hot-path.json")
                .body()
                .apply(json("{'rates':[{'mode':'at_least_once','driver':'tuned','rate':1000,'naive_per_s':100,"
                        + "'p99_ms_fixed':10,'p99_ms_adaptive':20}]}"));
        assertThat(drawn)
                .contains("tuned (at-least-once), 1,000 /s", "p99, due to read", ">fixed<", ">2.00 ×")
                .doesNotContain("naive", "CPU");
    }

    @Test
    void numbersHaveThreeDigitsOrGroups() {
        assertThat(List.of(
                        Html.number(0),
                        Html.number(0.05),
                        Html.number(1.5),
                        Html.number(12.34),
                        Html.number(1_234_567)))
                .containsExactly("0", "0.05", "1.5", "12.3", "1,234,567");
    }
}
