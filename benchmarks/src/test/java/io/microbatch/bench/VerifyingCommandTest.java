package io.microbatch.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class VerifyingCommandTest {

    private static final String ROOT = "bench.root";

    @TempDir
    private Path directory;

    @BeforeEach
    void benchRunsFromTheCheckout() {
        System.setProperty(ROOT, "..");
    }

    @AfterEach
    void forgetTheCheckout() {
        System.clearProperty(ROOT);
    }

    /** Compares two contenders in as many rounds as its preset says. */
    @Command(name = "some")
    private static final class Some extends VerifyingCommand {

        @Override
        protected Map<String, Object> measure() {
            repeated(3);
            configured("ours", Map.of("batch.mode", "adaptive"));
            configured("theirs", "delay ms 10", Map.of("poll", "1"));
            configured("theirs", "delay ms 100", Map.of("poll", "2"));
            boolean ignored = note(true);
            return Map.of("ours", 7);
        }
    }

    /** Fails in the middle. */
    @Command(name = "broken")
    private static final class Broken extends VerifyingCommand {

        @Override
        protected Map<String, Object> measure() {
            boolean ignored = note(true);
            throw new IllegalStateException("the broker is gone");
        }
    }

    @Test
    void aRunThatFailsReplacesAResultThatWasVerified() throws IOException {
        Path file = directory.resolve("result.json");
        Files.writeString(file, "{\"verified\": true}");
        int code = new CommandLine(new Broken())
                .setOut(new PrintWriter(Writer.nullWriter()))
                .setErr(new PrintWriter(Writer.nullWriter()))
                .execute("--json", file.toString());
        assertThat(code).isEqualTo(1);
        JsonNode result = new ObjectMapper().readTree(file.toFile());
        assertThat(result.path("verified").asBoolean(true)).isFalse();
        assertThat(result.path("problem").asText()).contains("the broker is gone");
    }

    @Test
    void aResultHasTheRoundsAndTheSettingsThatTheCommandLineDoesNotName() throws IOException {
        Path file = directory.resolve("result.json");
        int code = new CommandLine(new Some())
                .setOut(new PrintWriter(Writer.nullWriter()))
                .execute("--json", file.toString());
        assertThat(code).isZero();
        JsonNode result = new ObjectMapper().readTree(file.toFile());
        assertThat(result.path("verified").asBoolean()).isTrue();
        assertThat(result.path("rounds").asInt()).isEqualTo(3);
        assertThat(result.at("/settings/ours/batch.mode").asText()).isEqualTo("adaptive");
        assertThat(result.at("/settings/theirs/poll").asText()).isEqualTo("1");
        assertThat(result.at("/settings/theirs, delay ms 100/poll").asText()).isEqualTo("2");
    }
}
