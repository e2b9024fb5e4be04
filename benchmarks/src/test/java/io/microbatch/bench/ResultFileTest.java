package io.microbatch.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ResultFileTest {

    private static final String ROOT = "bench.root";
    private static final Path CHECKOUT = Path.of("..");

    @TempDir
    private Path directory;

    @BeforeEach
    void benchRunsFromTheCheckout() {
        System.setProperty(ROOT, CHECKOUT.toString());
    }

    @AfterEach
    void forgetTheCheckout() {
        System.clearProperty(ROOT);
    }

    @Test
    void holdsTheFiguresAndWhatTheyWereMeasuredOn() throws IOException {
        Path file = directory.resolve("results/result.json");
        parsed("--json", file.toString()).write(Map.of("per_s", 7));

        JsonNode result = new ObjectMapper().readTree(file.toFile());
        assertThat(result.path("per_s").asInt()).isEqualTo(7);
        JsonNode environment = result.path("environment");
        assertThat(environment.path("code").asText()).isEqualTo(CodeVersion.of(CHECKOUT));
        for (String fact : new String[] {"cpu", "os", "arch", "java", "kafka", "transaction_version", "disk", "at"}) {
            assertThat(environment.path(fact).asText()).as(fact).isNotBlank();
        }
    }

    @Test
    void isNotWrittenUnlessItIsAskedFor() throws IOException {
        parsed().write(Map.of("per_s", 7));

        try (var files = Files.list(directory)) {
            assertThat(files).isEmpty();
        }
    }

    private static ResultFile parsed(String... arguments) {
        return CommandLine.populateCommand(new ResultFile(), arguments);
    }
}
