package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.InstalledProgram;
import io.microbatch.testbed.Ports;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs each command of docs/http.md whose answer the page shows, against the connector of the example. */
@ExtendWith(Cluster.Shared.class)
class HttpPageIT {

    private static final Path PAGE = Path.of("..", "docs", "http.md");
    private static final Path EXAMPLE = Path.of("..", "config-examples", "http.json");
    private static final Pattern COMMAND_AND_ANSWER =
            Pattern.compile("```bash\n([^`]*?)\n *```\n\n *```json\n *([^`]*?)\n *```");
    private static final int COMMANDS = 12;
    private static final long LIMIT_S = 60;
    private static final String PORT = "8090";

    /** The numbers of a place differ, and the page leaves out the text of a message. */
    private static final Pattern VARIABLE = Pattern.compile("(?<=\"message\":\")[^\"]*|(?<=:)\\d+");

    private final Cluster cluster;

    HttpPageIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void everyCommandIsAnsweredAsThePageShows(Mode mode) throws IOException, InterruptedException {
        assumeTrue(InstalledProgram.exists("curl"), "SKIPPED: no curl, so the commands of docs/http.md were not tried");
        Map<String, String> config = config(mode);
        cluster.rest(mode).create("http", config);
        cluster.worker(mode).awaitRunning("http", 2);
        String port = config.get("upstream.http.port");
        new HttpPoster(Integer.parseInt(port)).awaitReady();

        List<String[]> found = COMMAND_AND_ANSWER
                .matcher(Files.readString(PAGE))
                .results()
                .map(match -> new String[] {match.group(1), match.group(2)})
                .toList();
        assertThat(found).hasSize(COMMANDS);
        for (String[] each : found) {
            String command = withTopics(each[0].replace(PORT, port), mode);
            assertThat(VARIABLE.matcher(run(command)).replaceAll("0"))
                    .as(command)
                    .isEqualTo(VARIABLE.matcher(each[1]).replaceAll("0"));
        }
        assertThat(values("orders", mode))
                .containsExactlyInAnyOrder(
                        "{\"id\":4711,\"amount\":5}",
                        "one order",
                        "{\"id\":1}",
                        "{\"id\":2}",
                        "{\"id\":3}",
                        "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/shop\",\"type\":\"order\","
                                + "\"partitionkey\":\"customer-7\",\"data\":{\"id\":4}}",
                        "{\"id\":5}",
                        "{\"id\":6}",
                        "null");
        assertThat(values("clicks", mode)).containsExactly("a click");
        cluster.rest(mode).delete("http");
    }

    /** The example, on a free port. Both workers of the test use one broker, so each has topics of its own. */
    private Map<String, String> config(Mode mode) throws IOException {
        JsonNode example = new ObjectMapper().readTree(EXAMPLE.toFile());
        assertThat(example.path("name").asText()).isEqualTo("http");
        Map<String, String> config = new HashMap<>();
        example.path("config")
                .properties()
                .forEach(each -> config.put(each.getKey(), each.getValue().asText()));
        assertThat(config)
                .containsEntry("upstream.http.port", PORT)
                .containsEntry("upstream.http.topics", "orders,clicks:4")
                .containsEntry("tasks.max", "2");
        config.put("upstream.http.port", Integer.toString(Ports.free()));
        config.put("upstream.http.topics", "orders-" + mode.suffix() + ",clicks-" + mode.suffix() + ":4");
        config.put("calibration.directory", cluster.calibrationDirectory().toString());
        return config;
    }

    private static String withTopics(String command, Mode mode) {
        return command.replaceAll("/(orders|clicks)\\b", "/$1-" + mode.suffix());
    }

    private String run(String command) throws IOException, InterruptedException {
        Path out = cluster.directory().resolve("page-command");
        Process process = new ProcessBuilder("bash", "-c", "set -o pipefail; " + command)
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        try {
            assertThat(process.waitFor(LIMIT_S, TimeUnit.SECONDS)).as(command).isTrue();
        } finally {
            Process ignored = process.destroyForcibly();
        }
        assertThat(process.exitValue()).as(command + Files.readString(out)).isZero();
        return Files.readString(out).strip();
    }

    private List<String> values(String topic, Mode mode) {
        List<String> values = new ArrayList<>();
        cluster.reader()
                .readCommitted(
                        topic + "-" + mode.suffix(),
                        each -> values.add(
                                each.value() == null ? "null" : new String(each.value(), StandardCharsets.UTF_8)));
        return values;
    }
}
