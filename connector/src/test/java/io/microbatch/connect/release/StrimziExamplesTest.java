package io.microbatch.connect.release;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The resources for Strimzi, against the definitions of its custom resources. Strimzi's own generator makes these from
 * its classes, both from Maven Central. Those of the newest release need a Java 21 somewhere on this machine. Without
 * one they are of the last release that Java 17 can load, which has the same version of the resources, v1.
 */
class StrimziExamplesTest {

    private static final Path EXAMPLES = Path.of("..", "deploy", "strimzi");
    private static final Path STRIMZI = Path.of("target", "strimzi");
    private static final Path STRIMZI_OF_JAVA_17 = Path.of("target", "strimzi-java17");
    private static final Path INSTALLED = Path.of("/usr/lib/jvm");
    private static final Pattern VERSION = Pattern.compile("JAVA_VERSION=\"(\\d+)");
    private static final int STRIMZI_JAVA = 21;
    private static final String PREFIX = "upstream.connector.";

    @TempDir
    private static Path directory;

    private static final Map<String, ResourceSchema> schemas = new HashMap<>();

    @BeforeAll
    static void generateSchemas() throws IOException, InterruptedException {
        Optional<Path> newJava = javaForStrimzi();
        Path java = newJava.orElseGet(() -> Path.of(System.getProperty("java.home")));
        Path strimzi = newJava.isPresent() ? STRIMZI : STRIMZI_OF_JAVA_17;
        String classPath = Stream.of("api.jar", "kubernetes-model-core.jar", "crd-generator.jar")
                .map(jar -> strimzi.resolve(jar).toString())
                .collect(Collectors.joining(File.pathSeparator));
        Map<String, String> classes = Map.of("KafkaConnect", "connect", "KafkaConnector", "connector");
        List<String> command = new ArrayList<>(List.of(
                java.resolve("bin").resolve("java").toString(),
                "-cp",
                classPath,
                "io.strimzi.crdgenerator.CrdGenerator",
                "--target-kube",
                "1.25+",
                "--crd-api-version",
                "v1",
                "--api-versions",
                "v1",
                "--storage-version",
                "v1",
                "--yaml"));
        classes.forEach((kind, part) -> command.add(
                "io.strimzi.api.kafka.model." + part + "." + kind + "=" + directory.resolve(kind + ".yaml")));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        for (String kind : classes.keySet()) {
            ResourceSchema schema = ResourceSchema.of(read(directory.resolve(kind + ".yaml")));
            schemas.put(schema.kind(), schema);
        }
        assertThat(schemas).containsOnlyKeys(classes.keySet());
    }

    /** The home of a Java that is new enough: the one of this test, or an installed one. */
    private static Optional<Path> javaForStrimzi() throws IOException {
        if (Runtime.version().feature() >= STRIMZI_JAVA) {
            return Optional.of(Path.of(System.getProperty("java.home")));
        }
        if (!Files.isDirectory(INSTALLED)) {
            return Optional.empty();
        }
        try (Stream<Path> homes = Files.list(INSTALLED)) {
            return homes.filter(home -> feature(home.resolve("release")) >= STRIMZI_JAVA)
                    .findFirst();
        }
    }

    /** The number of the Java whose file of properties this is. 0 if there is none. */
    private static int feature(Path release) {
        try {
            return VERSION.matcher(Files.readString(release))
                    .results()
                    .mapToInt(found -> Integer.parseInt(found.group(1)))
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            return 0;
        }
    }

    static List<Path> resources() throws IOException {
        try (Stream<Path> files = Files.list(EXAMPLES)) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("resources")
    void areValid(Path file) throws IOException {
        JsonNode resource = read(file);

        assertThat(schemas.get(resource.path("kind").asText()).problems(resource))
                .isEmpty();
    }

    /** The schema is checked itself: each of these is a mistake that somebody could make. */
    @Test
    void schemaFindsMistakes() throws IOException {
        ObjectNode resource = (ObjectNode) read(EXAMPLES.resolve("shop-hosted.yaml"));
        ObjectNode spec = (ObjectNode) resource.path("spec");
        spec.put("state", "halted").put("tasksMax", 0).put("conf", "");
        spec.put("class", 5);

        assertThat(schemas.get("KafkaConnector").problems(resource))
                .hasSize(4)
                .anyMatch(problem -> problem.startsWith("spec.state is none of"))
                .contains("spec.tasksMax is less than 1", "spec.conf does not exist", "spec.class is no string");

        ObjectNode workers = (ObjectNode) read(EXAMPLES.resolve("connect.yaml"));
        ((ObjectNode) workers.path("spec")).remove("groupId");
        assertThat(schemas.get("KafkaConnect").problems(workers)).containsExactly("spec lacks groupId");
    }

    /** As docs/operations.md says: the class moves, the connector's own keys get the prefix, nothing else changes. */
    @Test
    void hostedIsThePlainConnectorWrapped() throws IOException {
        Map<String, String> plain = config("shop-plain.yaml");
        Map<String, String> expected = new TreeMap<>();
        plain.forEach((key, value) -> expected.put(isOfWorker(key) ? key : PREFIX + key, value));
        expected.put(PREFIX + "class", spec("shop-plain.yaml").path("class").asText());
        expected.put("latency.target.ms", "100");
        expected.put("calibration.directory", "/mnt/calibration");

        assertThat(config("shop-hosted.yaml")).isEqualTo(expected);
        for (String same : List.of("name", "labels")) {
            assertThat(read(EXAMPLES.resolve("shop-hosted.yaml"))
                            .path("metadata")
                            .path(same))
                    .isEqualTo(read(EXAMPLES.resolve("shop-plain.yaml"))
                            .path("metadata")
                            .path(same));
        }
    }

    /** Two connectors that both run would read from one replication slot. */
    @Test
    void hostedBeginsStopped() throws IOException {
        assertThat(spec("shop-hosted.yaml").path("state").asText()).isEqualTo("stopped");
        assertThat(spec("shop-plain.yaml").path("state").asText()).isEqualTo("running");
    }

    @Test
    void buildChecksEachArchive() throws IOException {
        JsonNode plugins = spec("connect.yaml").at("/build/plugins");

        assertThat(plugins).hasSize(2);
        for (JsonNode plugin : plugins) {
            assertThat(plugin.path("artifacts")).hasSize(1);
            JsonNode artifact = plugin.at("/artifacts/0");
            assertThat(artifact.path("type").asText()).isIn("zip", "tgz");
            assertThat(artifact.path("sha512sum").asText()).matches("[0-9a-f]{128}");
        }
    }

    /** The worker's variable, its allow list and the connectors' references are in three files. */
    @Test
    void keepsThePasswordInTheEnvironment() throws IOException {
        JsonNode workers = spec("connect.yaml");
        String variable = workers.at("/template/connectContainer/env/0/name").asText();

        assertThat(variable)
                .matches(workers.path("config")
                        .path("config.providers.env.param.allowlist.pattern")
                        .asText());
        assertThat(config("shop-plain.yaml")).containsEntry("database.password", "${env:" + variable + "}");
        assertThat(config("shop-hosted.yaml"))
                .containsEntry(
                        "calibration.directory",
                        workers.at("/jvmOptions/javaSystemProperties/0/value").asText());
    }

    private static boolean isOfWorker(String key) {
        return Stream.of("topic.creation.", "key.converter", "value.converter").anyMatch(key::startsWith);
    }

    private static Map<String, String> config(String file) throws IOException {
        Map<String, String> config = new TreeMap<>();
        spec(file)
                .path("config")
                .properties()
                .forEach(each -> config.put(each.getKey(), each.getValue().asText()));
        return config;
    }

    private static JsonNode spec(String file) throws IOException {
        return read(EXAMPLES.resolve(file)).path("spec");
    }

    private static JsonNode read(Path file) throws IOException {
        return new YAMLMapper().readTree(file.toFile());
    }
}
