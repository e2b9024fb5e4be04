package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.ConfigValidation;
import io.microbatch.testbed.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Validates every file of config-examples, the example of the first page, the connector of the compose file, and both
 * connectors of the Strimzi example, unchanged on a real worker.
 */
@ExtendWith(Cluster.Shared.class)
class ConfigExamplesIT {

    private static final Path EXAMPLES = Path.of(System.getProperty("config.examples"));
    private static final Path COMPOSED = EXAMPLES.resolveSibling("docker").resolve("shop.json");
    private static final Path FIRST_PAGE = EXAMPLES.resolveSibling("README.md");
    private static final Path STRIMZI = EXAMPLES.resolveSibling("deploy").resolve("strimzi");
    private static final Path STRIMZI_HOSTED = STRIMZI.resolve("shop-hosted.yaml");
    private static final Path STRIMZI_PLAIN = STRIMZI.resolve("shop-plain.yaml");
    private static final String PLAIN_DATABASE = "database.";
    private static final String HOSTED_DATABASE = "upstream.connector." + PLAIN_DATABASE;
    private static final String OUTBOX_DATABASE = "upstream.outbox.jdbc.url";

    private final ObjectMapper json = new ObjectMapper();
    private final Cluster cluster;

    ConfigExamplesIT(Cluster cluster) {
        this.cluster = cluster;
    }

    static List<Path> examples() throws IOException {
        try (Stream<Path> files = Files.list(EXAMPLES)) {
            return Stream.concat(
                            files.filter(file -> file.toString().endsWith(".json")),
                            Stream.of(COMPOSED, FIRST_PAGE, STRIMZI_HOSTED, STRIMZI_PLAIN))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void isValid(Path example) throws IOException {
        Map<String, String> config = config(example);

        ConfigValidation validation = cluster.rest(Mode.EXACTLY_ONCE).validate(config.get("connector.class"), config);

        // These validations connect to the database. The only error that they may report is the missing database.
        assertThat(validation.errors().keySet()).allMatch(ConfigExamplesIT::namesDatabase);
        boolean needsDatabase = config.keySet().stream().anyMatch(ConfigExamplesIT::namesDatabase);
        assertThat(validation.isValid()).isNotEqualTo(needsDatabase);
    }

    private static boolean namesDatabase(String key) {
        return key.startsWith(HOSTED_DATABASE) || key.startsWith(PLAIN_DATABASE) || key.equals(OUTBOX_DATABASE);
    }

    static List<Path> examplesOfDatabases() {
        return List.of(
                EXAMPLES.resolve("postgres-cdc.json"),
                EXAMPLES.resolve("postgres-flattened-dead-letter.json"),
                COMPOSED,
                FIRST_PAGE,
                STRIMZI_HOSTED,
                STRIMZI_PLAIN);
    }

    @ParameterizedTest
    @MethodSource("examplesOfDatabases")
    void isValidWithItsDatabase(Path example) throws IOException {
        PostgresServer postgres = cluster.postgres();
        Map<String, String> config = config(example);
        String prefix = example.equals(STRIMZI_PLAIN) ? PLAIN_DATABASE : HOSTED_DATABASE;
        config.put(prefix + "hostname", postgres.host());
        config.put(prefix + "port", Integer.toString(postgres.port()));
        config.put(prefix + "user", postgres.user());
        config.put(prefix + "password", postgres.password());
        config.put(prefix + "dbname", postgres.database());

        assertThat(cluster.rest(Mode.EXACTLY_ONCE)
                        .validate(config.get("connector.class"), config)
                        .errors())
                .isEmpty();
    }

    /**
     * Reads an example. A file is the body of a POST that creates a connector, or of a PUT with the name in the path.
     */
    private Map<String, String> config(Path example) throws IOException {
        if (example.startsWith(STRIMZI)) {
            return ofResource(new YAMLMapper().readTree(example.toFile()));
        }
        JsonNode document = example.equals(FIRST_PAGE) ? ofPage(example) : json.readTree(example.toFile());
        Map<String, String> config = new HashMap<>(json.convertValue(
                document.has("config") ? document.get("config") : document,
                new TypeReference<Map<String, String>>() {}));
        config.put("name", document.path("name").asText("example"));
        return config;
    }

    /** The only block of JSON of a page. */
    private JsonNode ofPage(Path page) throws IOException {
        String[] parts = Files.readString(page).split("(?m)^```(json)?$");
        List<String> blocks =
                Stream.of(parts).filter(part -> part.startsWith("\n{")).toList();
        assertThat(blocks).as("blocks of JSON in %s", page).hasSize(1);
        return json.readTree(blocks.get(0));
    }

    /** The configuration that Strimzi makes of a KafkaConnector. */
    private Map<String, String> ofResource(JsonNode resource) {
        JsonNode spec = resource.path("spec");
        Map<String, String> config =
                new HashMap<>(json.convertValue(spec.path("config"), new TypeReference<Map<String, String>>() {}));
        config.put("connector.class", spec.path("class").asText());
        config.put("tasks.max", spec.path("tasksMax").asText());
        config.put("name", resource.path("metadata").path("name").asText());
        return config;
    }
}
