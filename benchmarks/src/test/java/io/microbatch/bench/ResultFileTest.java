package io.microbatch.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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

    @Test
    void namesTheCommandLineAndTheHeap() throws IOException {
        Path file = directory.resolve("result.json");
        Holder some = new Holder();
        Object ignored = new CommandLine(new Root())
                .addSubcommand("some", some)
                .parseArgs("some", "--quick", "--json", file.toString());
        some.result.write(Map.of());

        JsonNode environment = new ObjectMapper().readTree(file.toFile()).path("environment");
        assertThat(environment.path("command").asText())
                .startsWith("some --quick --json ")
                .endsWith("/result.json")
                .doesNotContain(directory.toString());
        assertThat(environment.path("heap").has("bench")).isTrue();
    }

    @Test
    void hasTheHeapsOfServersThatRunElsewhere() throws IOException {
        Path file = directory.resolve("result.json");
        ResultFile result = parsed("--json", file.toString());
        result.serversHave(Map.of("worker", "-Xms256m -Xmx1g", "broker", "unknown"));
        result.write(Map.of());

        JsonNode heap = new ObjectMapper().readTree(file.toFile()).at("/environment/heap");
        assertThat(heap.path("worker").asText()).isEqualTo("-Xms256m -Xmx1g");
        assertThat(heap.path("broker").asText()).isEqualTo("unknown");
        assertThat(heap.has("bench")).isTrue();
    }

    @Test
    void hidesSecretsAndThisMachinesDirectoriesWhereverTheyAre() throws IOException {
        Path file = directory.resolve("result.json");
        Path temporary = Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath();
        parsed("--json", file.toString())
                .write(Map.of(
                        "settings",
                        Map.of("adaptive", Map.of("database.password", "1234", "directory", temporary + "/x/y")),
                        "paths",
                        List.of(CHECKOUT.toAbsolutePath().normalize() + "/docs")));

        JsonNode result = new ObjectMapper().readTree(file.toFile());
        assertThat(result.at("/settings/adaptive/database.password").asText()).isEqualTo("***");
        assertThat(result.at("/settings/adaptive/directory").asText()).isEqualTo("TMP/x/y");
        assertThat(result.at("/paths/0").asText()).isEqualTo("CHECKOUT/docs");
    }

    /** As the bench's own. */
    @Command(name = "root")
    private static final class Root {}

    private static ResultFile parsed(String... arguments) {
        Holder holder = new Holder();
        Object ignored = new CommandLine(holder).parseArgs(arguments);
        return holder.result;
    }

    /** A command with a result. */
    @Command(name = "holder")
    private static final class Holder {

        @Mixin
        private ResultFile result;

        @Option(names = "--quick")
        private boolean unusedQuick;
    }
}
