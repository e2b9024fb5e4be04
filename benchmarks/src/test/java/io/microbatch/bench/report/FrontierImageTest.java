package io.microbatch.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Document;
import org.xml.sax.SAXException;
import picocli.CommandLine;

/** The plots of the pages, made from stored results. {@code -Ddocs.write=true} writes them. */
class FrontierImageTest {

    private static final Path CHECKOUT = Path.of("..");

    private static JsonNode json(String text) throws IOException {
        return new ObjectMapper().readTree(text);
    }

    private static Document parse(String svg) throws IOException, SAXException, ParserConfigurationException {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    }

    private static int plot(Path results, Path image, StringWriter err, String... more) {
        CommandLine command = new CommandLine(new ReportCommand())
                .setOut(new PrintWriter(new StringWriter()))
                .setErr(new PrintWriter(err));
        String[] options = {"--results", results.toString(), "--plot", image.toString()};
        String[] all = new String[options.length + more.length];
        System.arraycopy(options, 0, all, 0, options.length);
        System.arraycopy(more, 0, all, options.length, more.length);
        return command.execute(all);
    }

    /** A plot has the name of the page and of the result that its points are from. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"frontier | 1000,10000", "frontier-brokers | 50,1000"})
    void thePlotsOfThePagesAreThoseOfTheStoredResults(String name, String rates, @TempDir Path work)
            throws IOException {
        Path image = CHECKOUT.resolve("docs/images").resolve(name + ".svg");
        String result = name + ".json";
        Path drawn = work.resolve("drawn.svg");
        StringWriter err = new StringWriter();
        int code = plot(CHECKOUT.resolve("benchmarks/results"), drawn, err, "--frontier", result, "--rates", rates);
        assertThat(code).as("%s", err).isZero();
        String expected = Files.readString(drawn);
        if (Boolean.getBoolean("docs.write")) {
            assertThat(Files.createDirectories(image.getParent())).isDirectory();
            assertThat(Files.writeString(image, expected)).exists();
        }
        assertThat(image)
                .as("made from %s: write it again with -Ddocs.write=true", result)
                .hasContent(expected);
    }

    @Test
    void drawsAPanelForEachWantedRateInOneFileThatNeedsNoOther()
            throws IOException, SAXException, ParserConfigurationException {
        JsonNode low = json(FrontierSectionTest.RATES);
        JsonNode high = json(FrontierSectionTest.RATES.replace("\"rate\":1000,\"c", "\"rate\":10000,\"c"));
        String svg = FrontierImage.of(List.of(low, high), List.of(10_000));
        assertThat(svg)
                .contains(">10,000 events/s<", ">interval-all-20<", ">target-30<", "#ffffff", "Not carried: naive")
                .contains("exactly-once, 3 brokers", "Every event was checked.", "this connector with a fixed linger")
                .doesNotContain(">1,000 events/s<", "<script", "href", "url(", "@import", "NaN");
        Document document = parse(svg);
        assertThat(document.getElementsByTagName("circle").getLength())
                .as("18 points, and three entries of the legend")
                .isEqualTo(21);
        assertThat(document.getDocumentElement().getAttribute("width")).isEqualTo("900");
        String both = FrontierImage.of(List.of(low, high), List.of());
        assertThat(both).contains(">1,000 events/s<", ">10,000 events/s<");
        assertThat(parse(both).getElementsByTagName("circle").getLength()).isEqualTo(39);
    }

    @Test
    void namesTheLengthOfAnIntervalAndALingerOnce() {
        assertThat(FrontierImage.label("interval-20-linger-20")).isEqualTo("interval+linger 20");
        assertThat(FrontierImage.label("interval-20-linger-200")).isEqualTo("interval-20-linger-200");
        assertThat(FrontierImage.label("interval-20")).isEqualTo("interval-20");
    }

    @Test
    void saysWhatIsWrong(@TempDir Path results) throws IOException {
        String rates = FrontierSectionTest.RATES;
        JsonNode failed = json(rates.replace("\"verified\":true", "\"verified\":false"));
        assertThat(FrontierImage.of(List.of(failed), List.of()))
                .contains("NOT VERIFIED")
                .doesNotContain("was checked");
        List<JsonNode> different = List.of(json(rates), json(rates.replace("\"brokers\":3", "\"brokers\":1")));
        assertThatThrownBy(() -> FrontierImage.of(different, List.of())).hasMessageContaining("brokers");

        Path image = results.resolve("image.svg");
        StringWriter err = new StringWriter();
        assertThat(plot(results, image, err)).isEqualTo(2);
        assertThat(err.toString()).contains("no result", "frontier.json");
        Path ignored = Files.writeString(results.resolve("frontier.json"), rates);
        assertThat(plot(results, image, err, "--rates", "50")).isEqualTo(2);
        assertThat(err.toString()).contains("no rate of 50 events/s: there are [1000]");
        ignored = Files.writeString(results.resolve("frontier.json"), FrontierSectionTest.DELAYS);
        assertThat(plot(results, image, err)).isEqualTo(2);
        assertThat(err.toString()).contains("one with delays");
        assertThat(image).doesNotExist();
    }
}
