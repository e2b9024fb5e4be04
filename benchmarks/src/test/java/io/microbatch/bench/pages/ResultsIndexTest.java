package io.microbatch.bench.pages;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.microbatch.testbed.pages.MarkdownPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The list of stored runs in benchmarks/results/README.md, made from the JSON files. {@code -Ddocs.write=true} writes
 * it.
 */
class ResultsIndexTest {

    private static final Path CHECKOUT = Path.of("..");
    private static final String DIRECTORY = "benchmarks/results/";
    private static final String INDEX = DIRECTORY + "README.md";
    private static final String HEADING = "## Stored runs\n";
    private static final Pattern LINK = Pattern.compile("\\]\\(([^()#\\s]+)(?:#[^()\\s]*)?\\)");

    /** Where the result is written to says nothing about it. */
    private static final Pattern OUTPUT = Pattern.compile(" --json \\S+");

    private static final String UNKNOWN = "–";

    @Test
    void listsEveryStoredRun() throws IOException {
        Path index = CHECKOUT.resolve(INDEX);
        String text = Files.readString(index);
        assertThat(text).contains(HEADING);
        String expected = text.substring(0, text.indexOf(HEADING)) + section();
        if (Boolean.getBoolean("docs.write")) {
            assertThat(Files.writeString(index, expected)).exists();
        }
        assertThat(index)
                .as("made from the JSON files: write it again with -Ddocs.write=true")
                .hasContent(expected);
    }

    @Test
    void everyStoredRunBelongsToOnePage() throws IOException {
        Map<String, Set<String>> pages = pagesOfRuns();
        assertThat(pages.keySet()).containsExactlyInAnyOrderElementsOf(runs());
        assertThat(pages)
                .allSatisfy((run, linking) ->
                        assertThat(linking).as("pages with a link to " + run).hasSize(1));
    }

    @Test
    void everyPageOfResultsHasAStoredRun() throws IOException {
        Set<String> withRun = new TreeSet<>();
        pagesOfRuns().values().forEach(withRun::addAll);
        assertThat(MarkdownPage.allOf(CHECKOUT))
                .extracting(MarkdownPage::name)
                .filteredOn(name -> name.startsWith(DIRECTORY) && !name.equals(INDEX))
                .isNotEmpty()
                .allMatch(withRun::contains);
    }

    /** The names of the JSON files. */
    private static List<String> runs() throws IOException {
        try (Stream<Path> files = Files.list(CHECKOUT.resolve(DIRECTORY))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".json"))
                    .sorted()
                    .toList();
        }
    }

    /** The pages but the index that link to a JSON file of a run, by the name of the file. */
    private static Map<String, Set<String>> pagesOfRuns() {
        Path results = CHECKOUT.resolve(DIRECTORY).normalize();
        Map<String, Set<String>> pages = new TreeMap<>();
        for (MarkdownPage page : MarkdownPage.allOf(CHECKOUT)) {
            Matcher link = LINK.matcher(page.text());
            while (link.find()) {
                Path target = CHECKOUT.resolve(page.name())
                        .resolveSibling(link.group(1))
                        .normalize();
                if (target.startsWith(results)
                        && target.toString().endsWith(".json")
                        && !page.name().equals(INDEX)) {
                    pages.computeIfAbsent(target.getFileName().toString(), any -> new TreeSet<>())
                            .add(page.name());
                }
            }
        }
        return pages;
    }

    private static String section() throws IOException {
        Map<String, Set<String>> pages = pagesOfRuns();
        List<String> lines = new ArrayList<>(List.of(
                HEADING,
                "Made from the JSON files. A dash: earlier ones do not name their command or code, and those of JMH",
                "check no events. *Verified* means that every check of the command held; the page of a run",
                "says what did not.",
                "",
                "| result | page | command | code | date | verified |",
                "|---|---|---|---|---|---|"));
        for (String run : runs()) {
            JsonNode result = new ObjectMapper()
                    .readTree(CHECKOUT.resolve(DIRECTORY + run).toFile());
            JsonNode environment = result.path("environment");
            String page = pages.getOrDefault(run, Set.of()).stream().findFirst().orElse(UNKNOWN);
            lines.add(String.join(
                    " | ",
                    "| [" + run.replace(".json", "") + "](" + run + ")",
                    link(page),
                    command(environment),
                    text(environment.path("code")),
                    text(environment.path("at")).replaceFirst("T.*", ""),
                    verified(result.path("verified")) + " |"));
        }
        return String.join("\n", lines) + "\n";
    }

    private static String link(String page) {
        String name = page.replaceFirst(".*/", "").replace(".md", "");
        return "[" + name + "](" + (page.startsWith(DIRECTORY) ? name + ".md" : "../../" + page) + ")";
    }

    private static String command(JsonNode environment) {
        String command = text(environment.path("command"));
        return command.equals(UNKNOWN)
                ? UNKNOWN
                : "`bench " + OUTPUT.matcher(command).replaceAll("") + "`";
    }

    private static String verified(JsonNode verified) {
        return verified.isBoolean() ? verified.asBoolean() ? "yes" : "no" : UNKNOWN;
    }

    private static String text(JsonNode value) {
        String text = value.asText("");
        return text.isEmpty() || text.equals("unknown") ? UNKNOWN : text;
    }
}
