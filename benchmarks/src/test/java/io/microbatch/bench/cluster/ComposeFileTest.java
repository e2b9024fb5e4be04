package io.microbatch.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the compose file comes to, as the installed Compose resolves it. Skipped where there is none. No daemon. */
class ComposeFileTest {

    private static final Path DOCKER = Path.of("..", "docker");
    private static final List<List<String>> COMPOSES = List.of(List.of("docker", "compose"), List.of("docker-compose"));
    private static final Pattern PINNED = Pattern.compile("[a-z/-]+:v?\\d+(\\.\\d+)*");

    /** Whatever stands before a port of four or five digits. */
    private static final Pattern ADDRESS = Pattern.compile("(?<host>[^\\s/@=,\"]*):\\d{4,5}\\b");

    private static JsonNode services;

    @BeforeAll
    static void resolve() throws IOException, InterruptedException {
        Optional<List<String>> compose = Optional.empty();
        for (List<String> each : COMPOSES) {
            if (compose.isEmpty() && run(each, "version").isPresent()) {
                compose = Optional.of(each);
            }
        }
        assumeTrue(compose.isPresent(), "no Compose is installed");
        Optional<String> resolved = run(
                compose.get(),
                "-f",
                DOCKER.resolve("compose.yaml").toString(),
                "--profile",
                "bench",
                "--profile",
                "monitoring",
                "config");
        assertThat(resolved).as("the compose file is valid").isPresent();
        services = new YAMLMapper().readTree(resolved.get()).path("services");
    }

    static List<String> services() {
        List<String> names = new ArrayList<>();
        services.fieldNames().forEachRemaining(names::add);
        return names;
    }

    @Test
    void hasWhatTheDocumentationSays() {
        assertThat(services())
                .containsExactlyInAnyOrder(
                        "kafka", "connect-1", "connect-2", "postgres", "register", "prometheus", "grafana", "bench");
    }

    @ParameterizedTest
    @MethodSource("services")
    void pinsItsImage(String service) {
        assertThat(services.path(service).path("image").asText()).matches(PINNED);
    }

    @ParameterizedTest
    @MethodSource("services")
    void listensOnLoopbackOnly(String service) {
        JsonNode definition = services.path(service);
        assertThat(definition.path("network_mode").asText()).isEqualTo("host");
        assertThat(definition.has("ports")).isFalse();
        List<String> hosts = Stream.of("environment", "command", "entrypoint")
                .flatMap(key -> ADDRESS.matcher(definition.path(key).toString()).results())
                .map(found -> found.group(1))
                .toList();
        assertThat(hosts).allMatch("127.0.0.1"::equals);
    }

    @ParameterizedTest
    @MethodSource("services")
    void hasNoPrivileges(String service) {
        JsonNode definition = services.path(service);
        assertThat(definition.path("cap_drop").toString()).isEqualTo("[\"ALL\"]");
        assertThat(definition.path("security_opt").toString()).isEqualTo("[\"no-new-privileges:true\"]");
        assertThat(definition.has("privileged")).isFalse();
        assertThat(definition.path("user").asText("")).isNotIn("root", "0");
    }

    @Test
    void keepsThePasswordOutOfTheConnector() throws IOException {
        JsonNode config =
                new ObjectMapper().readTree(DOCKER.resolve("shop.json").toFile());

        assertThat(config.path("upstream.connector.database.password").asText()).isEqualTo("${env:POSTGRES_PASSWORD}");
    }

    /** What a command prints. Empty when it fails or is not there. */
    private static Optional<String> run(List<String> command, String... arguments)
            throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(command);
        all.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(all).redirectError(ProcessBuilder.Redirect.DISCARD);
        // What replaces the images on this machine is not in the file.
        builder.environment().keySet().removeIf(name -> name.endsWith("_IMAGE"));
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            return Optional.empty();
        }
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() == 0 ? Optional.of(printed) : Optional.empty();
    }
}
