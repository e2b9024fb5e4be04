package io.microbatch.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.microbatch.bench.report.PointChart.Mark;
import io.microbatch.bench.report.Sections.Section;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class FrontierSectionTest {

    private static final Pattern LABEL = Pattern.compile("<text x=\"([\\d.]+)\" y=\"([\\d.]+)\" [^>]*>(\\w+)</text>");

    /** As crowded as a full run, with one that does not carry the rate. */
    static final String RATES = """
            {"verified":true,"brokers":3,"delivery":"exactly-once",
             "broker_properties":{"add.partitions.to.txn.retry.backoff.ms":"1"},
             "rates":[{"rate":1000,"contenders":{%s}}],
             "dominated":[{"rate":1000,"ours":"default","stock":"interval-20"},
                          {"rate":200,"ours":"latency","stock":"interval-5"}]}
            """.formatted(String.join(
            ",",
            figures("interval-5", true, 103, 538),
            figures("interval-10", true, 40, 470),
            figures("interval-20", true, 31, 202),
            figures("interval-50", true, 53, 300),
            figures("interval-100", true, 124, 282),
            figures("interval-200", true, 230, 260),
            figures("interval-all-20", true, 30, 405),
            figures("interval-all-50", true, 52, 290),
            figures("interval-all-100", true, 122, 284),
            figures("default", false, 41, 214),
            figures("latency", false, 41, 455),
            figures("target-10", false, 19, 500),
            figures("target-30", false, 26, 261),
            figures("target-100", false, 80, 180),
            figures("fixed-0", false, 45, 644),
            figures("fixed-5", false, 24, 420),
            figures("fixed-20", false, 24, 265),
            figures("fixed-50", false, 56, 190),
            "\"naive\":{\"stock\":true,\"p99_ms\":null,\"cpu_s_per_million\":null,\"carried\":false}"));

    private static String figures(String name, boolean stock, double p99Ms, double cpu) {
        return "\"%s\":{\"stock\":%b,\"p99_ms\":%s,\"cpu_s_per_million\":%s,\"carried\":true}"
                .formatted(name, stock, p99Ms, cpu);
    }

    static final String DELAYS = """
            {"verified":true,"brokers":1,"delays":[
             {"delay_ms":0,"rates":[{"rate":50,"contenders":{%s,%s}}]},
             {"delay_ms":30,"rates":[{"rate":50,"contenders":{%s,"interval-20":{"p99_ms":null,"carried":false}}}]}]}
            """.formatted(
                    figures("default", false, 41, 214),
                    figures("interval-20", true, 30, 200),
                    figures("default", false, 90, 220));

    private static JsonNode json(String text) throws IOException {
        return new ObjectMapper().readTree(text);
    }

    @Test
    void drawsEachContenderWithItsNameInTheColourOfItsSide() throws IOException {
        JsonNode result = json(RATES);
        Section section = FrontierSection.of("frontier.json", result);
        String html = section.body().apply(result);
        assertThat(html)
                .contains("<h3>1,000 events/s</h3>", "fill=\"#0b8f66\"><title>default: 41, 214</title>")
                .contains("fill=\"#2f78d0\"><title>interval-all-20: 30, 405</title>", ">ia20</text>", ">t30</text>")
                .contains("Does not carry the rate: naive.", "Dominated: default by interval-20.")
                .doesNotContain("NaN", "null", "latency by interval-5");
        assertThat(section.title()).contains("exactly-once", "3 brokers", "add.partitions.to.txn.retry.backoff.ms=1");
        assertThat(section.answer().apply(result)).startsWith("At 0 of 1 rates");
    }

    @Test
    void namesOfPointsDoNotOverlap() throws IOException {
        String html = FrontierSection.of("frontier.json", json(RATES)).body().apply(json(RATES));
        List<double[]> boxes = new ArrayList<>();
        Matcher labels = LABEL.matcher(html.substring(html.indexOf("<circle")));
        while (labels.find()) {
            double width = labels.group(3).length() * 14.0;
            double x = Double.parseDouble(labels.group(1));
            double y = Double.parseDouble(labels.group(2));
            boxes.add(new double[] {x - width / 2, y - 20, x + width / 2, y + 4});
        }
        assertThat(boxes).hasSize(18);
        for (int i = 0; i < boxes.size(); i++) {
            for (int j = i + 1; j < boxes.size(); j++) {
                double[] a = boxes.get(i);
                double[] b = boxes.get(j);
                assertThat(a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3])
                        .as("%s and %s", i, j)
                        .isFalse();
            }
        }
    }

    @Test
    void pointsOnOneSpotStillHaveTheirNames() {
        List<Mark> marks = List.of(new Mark("a", "first", "#000", 10, 10), new Mark("b", "second", "#000", 10, 10));
        assertThat(new PointChart("x", "y", marks).svg()).contains(">a</text>", ">b</text>", "second: 10, 10");
        assertThat(new PointChart("x", "y", List.of()).svg()).startsWith("<svg").doesNotContain("NaN", "Infinity");
    }

    @Test
    void steppedAxesAreAsNarrowAsTheirValues() {
        assertThat(Axis.Stepped.around(31, 103).ticks()).containsExactly(20.0, 50.0, 100.0, 200.0);
        assertThat(Axis.Stepped.around(7).ticks()).containsExactly(5.0, 10.0);
        assertThat(Axis.Stepped.around(0.03).ticks()).hasSize(2);
        assertThat(Axis.Stepped.around(3, 4_000).ticks()).as("too many").containsExactly(10.0, 100.0, 1_000.0);
        assertThat(Axis.Stepped.around(20, 100).place(20, 0, 100)).isZero();
    }

    @Test
    void aLineEndsWhereTheRateIsNotCarried() throws IOException {
        JsonNode result = json(DELAYS);
        Section section = FrontierSection.of("frontier-delays.json", result);
        assertThat(section.title()).startsWith("How slow may a broker be");
        assertThat(section.answer().apply(result)).isEmpty();
        assertThat(section.body().apply(result))
                .contains("default: 30, 90", "interval-20: 0, 30")
                .doesNotContain("interval-20: 30", "NaN");
    }

    @Test
    void comesFirstOnThePageOneBrokerBeforeThree(@TempDir Path results) throws IOException {
        Path ignored = Files.writeString(results.resolve("frontier-3-brokers.json"), RATES);
        ignored = Files.writeString(results.resolve("frontier.json"), RATES.replace("\"brokers\":3", "\"brokers\":1"));
        ignored = Files.writeString(results.resolve("ramp.json"), "{\"verified\":true,\"levels\":[]}");
        Path page = results.resolve("page.html");
        int code = new CommandLine(new ReportCommand())
                .setOut(new PrintWriter(new StringWriter()))
                .execute("--results", results.toString(), "--output", page.toString());
        assertThat(code).isZero();
        assertThat(Files.readString(page)).containsSubsequence(", one broker", ", 3 brokers", "Is the latency budget");
    }
}
