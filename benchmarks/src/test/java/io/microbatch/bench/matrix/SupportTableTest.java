package io.microbatch.bench.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of docs/versions.md and the README's requirements say what the stored runs of the matrix showed. */
class SupportTableTest {

    private static final Path ROOT = Path.of("..");
    private static final Path PAGE = ROOT.resolve("docs/versions.md");
    private static final String STORED = "matrix*.json";

    @Test
    void everyRowIsAVerifiedCellOfAStoredRun() throws IOException {
        List<String> shown = Files.readAllLines(PAGE).stream()
                .filter(line -> line.matches("\\| [0-9]+\\.[0-9]+\\.[0-9]+ .*"))
                .toList();
        assertThat(shown)
                .containsExactlyInAnyOrderElementsOf(
                        verified().stream().map(SupportTableTest::row).toList());
    }

    @Test
    void theOldestAndTheNewestReleaseHaveAVerifiedCell() throws IOException {
        for (KafkaRelease release : List.of(KafkaRelease.oldest(), KafkaRelease.newest())) {
            assertThat(verified()).anyMatch(cell -> cell.path("worker").asText().equals(release.version()));
        }
    }

    @Test
    void theReadmeNamesTheEndsAndTheJavas() throws IOException {
        String readme = Files.readString(ROOT.resolve("README.md")).replaceAll("\\s+", " ");
        assertThat(readme)
                .contains("Kafka and Connect " + KafkaRelease.oldest().line() + " to "
                        + KafkaRelease.newest().line());
        for (JsonNode cell : verified()) {
            String java = cell.path("java").asText().replaceFirst("\\..*", "");
            assertThat(readme).containsPattern("on Java [0-9 and]*" + java);
        }
        assertThat(readme)
                .contains("with Debezium " + lines("debezium", "\\.[0-9]+$").first() + " to "
                        + lines("debezium", "\\.[0-9]+$").last()
                        + " and PostgreSQL " + String.join(" and ", lines("postgres", "\\..*")));
    }

    /** The versions of the verified cells without what a pattern matches. */
    private static TreeSet<String> lines(String part, String patch) throws IOException {
        return verified().stream()
                .map(cell -> cell.path(part).asText().replaceFirst(patch, ""))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<JsonNode> verified() throws IOException {
        List<JsonNode> cells = new ArrayList<>();
        try (Stream<Path> runs = Files.list(ROOT.resolve("benchmarks/results"))) {
            for (Path run : runs.filter(file -> file.getFileSystem()
                            .getPathMatcher("glob:" + STORED)
                            .matches(file.getFileName()))
                    .sorted()
                    .toList()) {
                for (JsonNode cell : new ObjectMapper().readTree(run.toFile()).path("cells")) {
                    if (cell.path("verified").asBoolean()) {
                        cells.add(cell);
                    }
                }
            }
        }
        return cells;
    }

    private static String row(JsonNode cell) {
        return String.format(
                Locale.ROOT,
                "| %s | %s | %s | %s | %s | %,d | %d | %d | %d | %d |",
                cell.path("worker").asText(),
                cell.path("broker").asText(),
                cell.path("java").asText(),
                cell.path("debezium").asText(),
                cell.path("postgres").asText(),
                cell.path("events").asLong(),
                cell.path("lost").asLong(),
                cell.path("duplicated").asLong(),
                cell.path("reordered").asLong(),
                cell.path("metrics").asInt());
    }
}
