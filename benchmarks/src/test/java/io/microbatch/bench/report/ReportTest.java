package io.microbatch.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.microbatch.bench.report.BarChart.Bar;
import io.microbatch.bench.report.Sections.Section;
import io.microbatch.bench.report.Series.Point;
import io.microbatch.bench.report.Series.Style;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
                "p99", "#000000", Style.MEASURED, List.of(new Point(10, 1), new Point(100, 10), new Point(1_000, 100)));
        String svg = new LineChart("events/s", "ms", List.of(line)).svg();
        // The middle of both axes, between 76 and 686 from the left, between 322 and 52 from the top.
        assertThat(svg).contains("cx=\"381.0\" cy=\"187.0\"", "points=\"76.0,322.0 381.0,187.0 686.0,52.0\"");
    }

    @Test
    void aLinearAxisBeginsAtZeroAndEndsAtATick() {
        assertThat(Axis.Kind.LINEAR.around(31.2).ticks()).containsExactly(0.0, 10.0, 20.0, 30.0, 40.0);
        assertThat(Axis.Kind.LINEAR.around(7.5).ticks()).containsExactly(0.0, 2.0, 4.0, 6.0, 8.0);
        assertThat(Axis.Kind.LINEAR.around(40).place(10, 100, 500)).isEqualTo(200);
        assertThat(Axis.Kind.LINEAR.around().ticks()).as("of nothing").containsExactly(0.0, 1.0);
    }

    @Test
    void leavesOutWhatCannotBeDrawnOnALogarithmicAxis() {
        Series line = new Series("p99", "#000000", Style.MEASURED, List.of(new Point(10, 0), new Point(100, 10)));
        assertThat(new LineChart("x", "y", List.of(line)).svg())
                .containsOnlyOnce("<circle")
                .doesNotContain("NaN", "Infinity");
    }

    @Test
    void aChartWithoutPointsIsStillAChart() {
        assertThat(new LineChart("x", "y", List.of()).svg()).startsWith("<svg").doesNotContain("NaN", "Infinity");
    }

    @Test
    void showsIngestOverHttpAsFarAsItWasMeasured() throws JsonProcessingException {
        Section http = section("http.json");
        JsonNode result = json("{'contenders':[{'name':'http-eos','cell':'closed-256','per_s':8000},"
                + "{'name':'servlet-tx','cell':'closed-256','per_s':200},"
                + "{'name':'servlet-tx','cell':'rate-1000-256','p99_ms':null}]}");

        assertThat(http.answer().apply(result)).contains("8,000", "40 times");
        assertThat(http.body().apply(result))
                .contains("256 connections in a closed loop", "width:2.50%", "p99 at 1,000 requests/s", "- ms")
                .doesNotContain("16 connections", "null", "NaN");
        assertThat(http.answer().apply(json("{'contenders':[]}"))).isEmpty();
    }

    @Test
    void showsWhichThreadsABacklogsProcessorTimeGoesToWhereThatIsKnown() throws JsonProcessingException {
        Section cdc = section("cdc.json");
        String html = cdc.body()
                .apply(json("{'tuned':{'cpu_us_per_row':{'collector':16.0}},"
                        + "'adaptive':{'cpu_us_per_row':{'collector':4.0,'debezium':8.0}}}"));
        assertThat(html).as("on one scale").contains("by thread", "width:100.00%", "width:25.00%", "width:50.00%");
        assertThat(cdc.body().apply(json("{'tuned':{},'adaptive':{}}"))).doesNotContain("by thread");
    }

    @Test
    void thePageNeedsNoNetworkAndHidesNoFailure() throws JsonProcessingException {
        ReportPage page = new ReportPage();
        page.add(
                section("compare.json"),
                json("{'verified':false,'exactly_once':{'naive':100,'adaptive':50000},"
                        + "'environment':{'code':'1a2b3c4-dirty','os':'<Linux>','processors':2}}"));
        String html = page.html();
        assertThat(html)
                .contains("verified: <span class=\"no\">NO</span>", "code 1a2b3c4-dirty", "&lt;Linux&gt;", ">500 ×")
                .doesNotContain("http:", "https:", "<script", "src=", "@import", "url(");
    }

    @Test
    void theAnswerIsMadeOfTheFigures() throws JsonProcessingException {
        assertThat(Answers.compare(json("{'exactly_once':{'naive':100,'interval_20':10000,'fixed':25000,"
                        + "'adaptive':50000,'hosted':40000,'producer':90000,'spread':{}}}")))
                .contains("50,000 events/s: 5 times the best stock setting, 2 times fixed");
        assertThat(Answers.cdc(json("{'verified':true,'tuned':{'p99_ms_1000':30},'small-i20':{'p99_ms_1000':25},"
                        + "'efficiency':{'p99_ms_1000':9},'adaptive':{'p99_ms_1000':20},'goals':{}}")))
                .isEqualTo("At 1,000 rows/s the lowest p99 of a hosted Debezium is 9 ms. Debezium by itself has 25 ms"
                        + " at best.");
        assertThat(Answers.ramp(json("{'levels':[{'rate':10,'attainable':true,'p99_ms':7,'budget_ms':1},"
                        + "{'rate':100,'attainable':true,'p99_ms':7,'budget_ms':10},"
                        + "{'rate':1000,'attainable':false,'p99_ms':7,'budget_ms':50}]}")))
                .startsWith("At 1 of 2 rates");
        assertThat(Answers.step(json("{}"))).as("without figures").contains("?").doesNotContain("NaN");
    }

    @Test
    void regretLeadsWithCpuAndLatencyVersusTheStrongestStockSettingOfEachRate() throws JsonProcessingException {
        JsonNode result = json("{'rates':[{'rate':100,'budget_ms':30,"
                + "'adaptive':{'cpu_s_per_million':50,'p99_end_to_end_ms':20},'interval':["
                + "{'name':'interval_20','reached':true,'cpu_s_per_million':100,'p99_end_to_end_ms':25},"
                + "{'name':'interval_50','reached':true,'cpu_s_per_million':40,'p99_end_to_end_ms':60}]},"
                + "{'rate':1000,'budget_ms':50,'adaptive':{'cpu_s_per_million':30,'p99_end_to_end_ms':66},'interval':["
                + "{'name':'interval_20','reached':true,'cpu_s_per_million':40,'p99_end_to_end_ms':80},"
                + "{'name':'interval_50','reached':true,'cpu_s_per_million':20,'p99_end_to_end_ms':60},"
                + "{'name':'unbuffered_interval_20','reached':false}]},"
                + "{'rate':5000,'adaptive':{'cpu_s_per_million':1},'interval':[{'name':'interval_20','reached':false}]}"
                + "],'worst_ratio_of_fixed':{'5':0.5,'20':0.7}}");
        assertThat(Answers.regret(result))
                .startsWith(
                        "Versus the strongest stock setting of each of 2 rates: 0.5 to 1.5 times its CPU, 0.8 to 1.1"
                                + " times its end-to-end p99. None fits every rate")
                .contains("0.7");
        assertThat(section("regret.json").body().apply(result))
                .startsWith("<h3>End-to-end p99")
                .contains("<title>interval 50: 1,000, 20</title>", "<title>adaptive: 100, 50</title>")
                .doesNotContain("NaN", "Infinity");
        assertThat(Answers.regret(json("{'rates':[],'worst_ratio_of_fixed':{'5':0.5}}")))
                .as("an older result")
                .startsWith("None fits every rate");
    }

    @Test
    void aSlowBrokerLeadsWithTheBestStockSetting() throws JsonProcessingException {
        JsonNode result =
                json("{'delays':[{'mode':'exactly_once','delay_ms':250,'naive_per_s':4,'interval_50_per_s':10,"
                        + "'unbuffered_interval_20_per_s':300,'adaptive_per_s':600}]}");
        assertThat(Answers.slowBroker(result))
                .endsWith("600 events/s: 2 times the best stock setting, unbuffered interval 20.");
        assertThat(section("slow-broker.json").body().apply(result)).contains("interval 50", ">60.00 ×", ">2.00 ×");
    }

    @Test
    void aSlowBrokerComparesProducerBatchesOfTheSameSize() throws JsonProcessingException {
        JsonNode result = json("{'delays':[{'mode':'exactly_once','delay_ms':10,'naive_per_s':4,'adaptive_per_s':6},"
                + "{'mode':'exactly_once','delay_ms':100,'unbuffered_per_s':300,'adaptive_per_s':600,"
                + "'unbuffered_large_batches_per_s':8000,'adaptive_large_batches_per_s':4000}]}");
        assertThat(Answers.slowBroker(result))
                .isEqualTo("Exactly once and 100 ms late, 600 events/s: 2 times the best stock setting, unbuffered."
                        + " With batches of 1 MB, 4,000 events/s: 0.5 times the best stock setting,"
                        + " unbuffered large batches.");
        assertThat(section("slow-broker.json").body().apply(result)).contains("unbuffered large batches");
    }

    /** A rival without a bar would make this connector look better than it is. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "hot-path",
                "backlog",
                "partitions",
                "sizes",
                "fan-out",
                "offset-recovery",
                "mixed",
                "slow-broker"
            })
    void everyContenderOfAStoredScenarioHasABar(String scenario) throws IOException {
        JsonNode stored = new ObjectMapper()
                .readTree(Path.of("results", scenario + ".json").toFile());
        assertThat(stored.path("settings").isEmpty()).isFalse();
        stored.path("settings").fieldNames().forEachRemaining(name -> {
            String contender = name.replaceFirst(",.*", "").replaceFirst("^[^ ]+ ", "");
            assertThat(ScenarioSections.CONTENDERS).contains(contender);
        });
    }

    @Test
    void aFixedLingerIsOnlyDrawnWhereItKeepsTheBudget() throws JsonProcessingException {
        String drawn = section("regret.json")
                .body()
                .apply(json("{'rates':[{'rate':100,'budget_ms':10,'adaptive':{'capacity':1000,'p99_ms':8},"
                        + "'fixed':[{'name':'5','capacity':500,'p99_ms':9},"
                        + "{'name':'50','capacity':900,'p99_ms':60}]}]}"));
        assertThat(drawn)
                .contains("<title>T = 5 ms, where it keeps the budget: 100, 500</title>")
                .doesNotContain(": 100, 900");
    }

    @Test
    void everyRepetitionOfAStepIsABarAndNoTimeAtAllIsSaidInWords() throws JsonProcessingException {
        String drawn = section("step.json").body().apply(json("{'up_ms_each':[0,0],'down_ms_each':[2000,1000]}"));
        assertThat(drawn)
                .contains("At once, in each of 2 repetitions", "width:100.00%", "width:50.00%", "2,000 ms")
                .doesNotContain("NaN", "Infinity", "width:0.00%");
    }

    @Test
    void theTimelineOfAStepIsDrawnAsTraces() throws JsonProcessingException {
        String drawn = section("step.json")
                .body()
                .apply(json("{'up_ms_each':[0],'down_ms_each':[100],'timeline':{'at_s':[0.2,0.4],'arrivals':[10,20],"
                        + "'level':[1,2],'batch_target_events':[1000,2000],'linger_ms':[0.2,5],'budget_ms':[1,5],"
                        + "'latency_at_s':[0,0.1],'latency_p99_ms':[3,4]}}"));
        assertThat(drawn)
                .contains("pressure level", "N, events that end a batch", "T, the longest deliberate delay", "dashed")
                .doesNotContain("<circle", "points=\"\"");
        assertThat(drawn.split("<polyline", -1)).hasSize(1 + 6);
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
        assertThat(List.of(Html.compact(0.1), Html.compact(1_000), Html.compact(10_000), Html.compact(1_500_000)))
                .containsExactly("0.1", "1,000", "10k", "1.5M");
    }
}
