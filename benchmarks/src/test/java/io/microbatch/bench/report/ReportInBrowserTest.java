package io.microbatch.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.microbatch.bench.report.Sections.Section;
import io.microbatch.testbed.Chromium;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The page of the committed results as a browser lays it out. The page itself is not touched: it is shown in a frame as
 * wide as the screen would be, because a window of Chromium is at least 500 pixels wide, and the page around the frame
 * measures. Pictures are left in {@code target}.
 */
class ReportInBrowserTest {

    private static final int PHONE = 390;
    private static final int SMALLEST_WINDOW = 500;
    private static final int WINDOW_HEIGHT = 900;
    private static final double READABLE_PX = 9;
    private static final Pattern MEASURED = Pattern.compile("<pre id=\"measured\">(.*?)</pre>", Pattern.DOTALL);

    private static final String AROUND = """
            <!doctype html><html><head><meta charset="utf-8"><style>body{margin:0}iframe{border:0;display:block}</style>
            </head><body><iframe id="page" style="width:%dpx;height:%dpx" srcdoc="%s"></iframe><pre id="measured"></pre>
            <script>
            const frame = document.getElementById("page");
            function overlaps(a, b) {
              return a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
            }
            function chart(svg) {
              const texts = [...svg.querySelectorAll("text")];
              const boxes = texts.map(text => text.getBoundingClientRect());
              const around = svg.getBoundingClientRect();
              const scale = around.width / svg.viewBox.baseVal.width;
              const size = parseFloat(frame.contentWindow.getComputedStyle(svg).fontSize) * scale;
              const clash = [];
              boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b, j) => {
                if (overlaps(a, b)) clash.push(texts[i].textContent + " and " + texts[i + 1 + j].textContent);
              }));
              const outside = texts.filter((text, i) => boxes[i].left < around.left - 1
                || boxes[i].right > around.right + 1
                || boxes[i].bottom > around.bottom + 1).map(text => text.textContent);
              const lines = [...svg.querySelectorAll("polyline")].filter(line => line.points.length > 1);
              return {name: svg.getAttribute("aria-label"), marks: svg.querySelectorAll("circle").length + lines.length,
                textPx: size, clash: clash, outside: outside};
            }
            function bars(table) {
              const widths = [...table.querySelectorAll(".bar i")].map(bar => bar.getBoundingClientRect().width);
              return {widest: Math.max(0, ...widths), missing: widths.filter(width => width <= 0).length};
            }
            frame.onload = () => {
              const page = frame.contentDocument;
              const root = page.documentElement;
              document.getElementById("measured").textContent = JSON.stringify({
                wide: root.scrollWidth, room: root.clientWidth, high: root.scrollHeight,
                sections: page.querySelectorAll("section").length, scripts: page.scripts.length,
                loaded: frame.contentWindow.performance.getEntriesByType("resource").map(entry => entry.name),
                charts: [...page.querySelectorAll("svg")].map(chart),
                tables: [...page.querySelectorAll("table.bars")].map(bars)});
            };
            </script></body></html>
            """;

    /** Crowded, and so a result that is not committed. */
    private static final List<String> FRONTIERS = List.of(FrontierSectionTest.RATES, FrontierSectionTest.DELAYS);

    @TempDir
    private Path work;

    private static String page() throws IOException {
        ReportPage page = new ReportPage();
        for (String frontier : FRONTIERS) {
            JsonNode result = new ObjectMapper().readTree(frontier);
            page.add(FrontierSection.of("frontier.json", result), result);
        }
        for (Section section : Sections.ALL) {
            page.add(
                    section,
                    new ObjectMapper()
                            .readTree(Path.of("results", section.file()).toFile()));
        }
        return page.html();
    }

    private Path framed(String page, int width, int height) throws IOException {
        String quoted = page.replace("&", "&amp;").replace("\"", "&quot;");
        return Files.writeString(work.resolve("framed-" + width + ".html"), AROUND.formatted(width, height, quoted));
    }

    private Chromium chromium() {
        Optional<Chromium> installed = Chromium.installed(work);
        assumeTrue(installed.isPresent(), "no Chromium on this machine: install the package chromium to run this test");
        return installed.get();
    }

    private static JsonNode measured(Chromium.Seen seen) throws IOException {
        Matcher found = MEASURED.matcher(seen.document());
        assertThat(found.find()).as("%s", seen.log()).isTrue();
        return new ObjectMapper()
                .readTree(
                        found.group(1).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1280, PHONE})
    void isWholeOnAScreenAndOnAPhone(int width) throws IOException, InterruptedException {
        Chromium chromium = chromium();
        int window = Math.max(width, SMALLEST_WINDOW);
        String page = page();
        Chromium.Seen seen = chromium.open(framed(page, width, WINDOW_HEIGHT), window, WINDOW_HEIGHT);
        JsonNode measured = measured(seen);
        int high = measured.path("high").asInt();
        chromium.picture(framed(page, width, high), window, high, Path.of("target", "report-" + width + ".png"));

        assertThat(seen.log()).as("messages of the console").doesNotContain("CONSOLE");
        assertThat(measured.path("scripts").asInt()).isZero();
        assertThat(measured.path("loaded")).as("what it asked a network for").isEmpty();
        assertThat(measured.path("wide").asInt())
                .as("scrolls sideways")
                .isLessThanOrEqualTo(measured.path("room").asInt());
        assertThat(measured.path("sections").asInt()).isEqualTo(FRONTIERS.size() + Sections.ALL.size());
        assertThat(measured.path("charts")).isNotEmpty().allSatisfy(chart -> {
            assertThat(chart.path("marks").asInt()).as("marks of %s", chart).isPositive();
            assertThat(chart.path("textPx").asDouble()).as("text of %s", chart).isGreaterThan(READABLE_PX);
            assertThat(chart.path("clash")).as("labels of %s", chart).isEmpty();
            assertThat(chart.path("outside")).as("labels of %s", chart).isEmpty();
        });
        assertThat(measured.path("tables")).isNotEmpty().allSatisfy(table -> {
            assertThat(table.path("widest").asDouble()).as("bars of %s", table).isGreaterThan(20);
            assertThat(table.path("missing").asInt()).as("bars of %s", table).isZero();
        });
    }

    /** Otherwise the test above could not see it. */
    @Test
    void seesWhatScrollsSidewaysAndWhatIsLoaded() throws IOException, InterruptedException {
        Chromium chromium = chromium();
        String wrong = "<!doctype html><p style=\"width:900px\">wide</p><img src=\"http://pictures.invalid/a.png\">"
                + "<script>undefinedFunction()</script>";
        Chromium.Seen seen = chromium.open(framed(wrong, PHONE, WINDOW_HEIGHT), SMALLEST_WINDOW, WINDOW_HEIGHT);
        JsonNode measured = measured(seen);
        assertThat(measured.path("wide").asInt())
                .isGreaterThan(measured.path("room").asInt());
        assertThat(measured.path("loaded")).hasSize(1);
        assertThat(seen.log()).contains("CONSOLE");
    }
}
