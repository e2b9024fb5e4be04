package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.InstalledProgram;
import io.microbatch.testbed.Ports;
import io.microbatch.testbed.pages.CommandRegistry;
import io.microbatch.testbed.pages.PageCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs the commands of docs/http.md with curl: they create the connector of the example and post to it. */
@ExtendWith(Cluster.Shared.class)
class HttpPageIT {

    private static final Path PAGE = Path.of("..", "docs", "http.md");
    private static final Path EXAMPLE = Path.of("..", "config-examples", "http.json");
    private static final Pattern COMMAND_AND_ANSWER =
            Pattern.compile("```bash\n([^`]*?)\n *```\n\n *```json\n *([^`]*?)\n *```");
    private static final int ANSWERS = 13;
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String PORT = "8090";
    private static final String WORKER = "http://127.0.0.1:8083";

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
        PageShell shell = shell(mode, config);
        String port = config.get("upstream.http.port");
        Map<String, String> answers = answers();
        assertThat(answers).hasSize(ANSWERS);

        List<PageCommand> commands = new CommandRegistry(Path.of("..")).commands("docs/http.md", HttpPageIT.class);
        assertThat(commands).extracting(PageCommand::text).containsAll(answers.keySet());
        for (PageCommand each : commands) {
            String command = withTopics(each.text().replace(PORT, port), mode).replace(WORKER, address(mode));
            String answer = shell.run(command, LIMIT);
            if (answers.containsKey(each.text())) {
                assertThat(VARIABLE.matcher(answer).replaceAll("0"))
                        .as(command)
                        .isEqualTo(VARIABLE.matcher(answers.get(each.text())).replaceAll("0"));
            } else if (each.text().contains("-X POST")) {
                assertThat(answer).startsWith("{\"name\":\"http\",\"config\":");
                cluster.worker(mode).awaitRunning("http", 2);
            } else {
                assertThat(answer).as(command).contains("\"tasks\":[{\"id\":0,\"state\":\"RUNNING\"");
            }
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

    /** The answers that the page shows, by the command. */
    private static Map<String, String> answers() throws IOException {
        return COMMAND_AND_ANSWER
                .matcher(Files.readString(PAGE))
                .results()
                .collect(Collectors.toMap(match -> match.group(1).strip(), match -> match.group(2)));
    }

    private String address(Mode mode) {
        return cluster.rest(mode).address().toString().replaceAll("/$", "");
    }

    /** A directory with the example as it is configured here. */
    private PageShell shell(Mode mode, Map<String, String> config) throws IOException {
        Path directory = cluster.directory().resolve("http-page-" + mode.suffix());
        Path examples = Files.createDirectories(directory.resolve("config-examples"));
        new ObjectMapper().writeValue(examples.resolve("http.json").toFile(), Map.of("name", "http", "config", config));
        return PageShell.in(directory);
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
        config.put("upstream.http.stall.ms", "60000");
        config.put("calibration.directory", cluster.calibrationDirectory().toString());
        return config;
    }

    private static String withTopics(String command, Mode mode) {
        return command.replaceAll("/(orders|clicks)\\b", "/$1-" + mode.suffix());
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
