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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the compose files come to, as the installed Compose resolves them: on a bridge, and on the host's network.
 * Skipped where there is no Compose. No daemon.
 */
class ComposeFileTest {

    private static final Path DOCKER = Path.of("..", "docker");
    private static final List<List<String>> COMPOSES = List.of(List.of("docker", "compose"), List.of("docker-compose"));
    private static final Pattern PINNED = Pattern.compile("[a-z/-]+:v?\\d+(\\.\\d+)*");

    private static final Pattern PUBLISHED = Pattern.compile("127\\.0\\.0\\.1:(\\d+):(\\d+)(/tcp)?");

    /** Whatever stands before a port of four or five digits. */
    private static final Pattern ADDRESS = Pattern.compile("(?<host>[^\\s/@=,\"]*):\\d{4,5}\\b");

    /** The services on a bridge, as somebody starts them in the directory. */
    private static JsonNode services;

    private static JsonNode onHost;

    @BeforeAll
    static void resolve() throws IOException, InterruptedException {
        Optional<List<String>> compose = Optional.empty();
        for (List<String> each : COMPOSES) {
            if (compose.isEmpty() && run(each, "version").isPresent()) {
                compose = Optional.of(each);
            }
        }
        assumeTrue(compose.isPresent(), "no Compose is installed");
        services = resolve(compose.get(), "compose.yaml", "compose.override.yaml");
        onHost = resolve(compose.get(), "compose.yaml", "compose.host.yaml");
    }

    private static JsonNode resolve(List<String> compose, String... files) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>();
        for (String file : files) {
            arguments.addAll(List.of("-f", DOCKER.resolve(file).toString()));
        }
        arguments.addAll(List.of("--profile", "bench", "--profile", "monitoring", "config"));
        Optional<String> resolved = run(compose, arguments.toArray(String[]::new));
        assertThat(resolved).as("the compose files are valid").isPresent();
        return new YAMLMapper().readTree(resolved.get()).path("services");
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
    void publishesOnLoopbackOnly(String service) {
        JsonNode definition = services.path(service);
        assertThat(definition.has("network_mode")).isFalse();
        assertThat(definition.path("ports")).allMatch(port -> published(port).matches());
    }

    /** The official image fills a new database over the socket of its own directory. */
    @Test
    void leavesTheDatabaseItsSocket() {
        for (JsonNode each : List.of(services, onHost)) {
            assertThat(each.path("postgres").path("command").toString())
                    .contains("wal_level")
                    .doesNotContain("unix_socket");
        }
    }

    /** A service that others reach has the port that it listens on, and the name by which they ask for it. */
    @Test
    void findEachOtherByName() {
        List<String> named = services().stream()
                .flatMap(service -> addresses(services.path(service)))
                .filter(host -> !List.of("127.0.0.1", "0.0.0.0").contains(host))
                .distinct()
                .toList();
        assertThat(named).isNotEmpty().allMatch(services()::contains);
        assertThat(services.path("connect-1")
                        .path("environment")
                        .path("POSTGRES_HOST")
                        .asText())
                .isEqualTo("postgres");
    }

    @ParameterizedTest
    @MethodSource("services")
    void listensOnLoopbackOnlyOnTheHostsNetwork(String service) {
        JsonNode definition = onHost.path(service);
        assertThat(definition.path("network_mode").asText()).isEqualTo("host");
        assertThat(definition.has("ports")).isFalse();
        assertThat(addresses(definition)).allMatch("127.0.0.1"::equals);
        assertThat(definition.path("environment").path("POSTGRES_HOST").asText("127.0.0.1"))
                .isEqualTo("127.0.0.1");
    }

    @Test
    void givesAWorkerItsWholeHeapFromTheStart() {
        assertThat(List.of("connect-1", "connect-2"))
                .allSatisfy(worker -> assertThat(services.path(worker)
                                .path("environment")
                                .path("KAFKA_HEAP_OPTS")
                                .asText())
                        .matches("-Xms(\\w+) -Xmx\\1"));
    }

    /** The same ports on both networks, so that the same commands work. */
    @Test
    void hasTheSamePortsOnBothNetworks() {
        List<String> ports = services().stream()
                .flatMap(service -> services.path(service).path("ports").valueStream())
                .map(port -> {
                    Matcher found = published(port);
                    assertThat(found.matches()).isTrue();
                    assertThat(found.group(1)).isEqualTo(found.group(2));
                    return found.group(1);
                })
                .toList();
        assertThat(ports).containsExactlyInAnyOrder("9092", "8083", "9404", "8084", "9405", "5432", "9090", "3000");
        String host = onHost.toString();
        assertThat(ports)
                .filteredOn(port -> !List.of("5432", "3000").contains(port))
                .allMatch(port -> host.contains("127.0.0.1:" + port));
    }

    /** The addresses before the ports of a service's settings and commands. */
    private static Stream<String> addresses(JsonNode definition) {
        return Stream.of("environment", "command", "entrypoint")
                .flatMap(key -> ADDRESS.matcher(definition.path(key).toString()).results())
                .map(found -> found.group(1));
    }

    /** A published port as HOST:PORT:PORT, which newer versions of Compose write as a map. */
    private static Matcher published(JsonNode port) {
        String text = port.isTextual()
                ? port.asText()
                : port.path("host_ip").asText() + ":" + port.path("published").asText() + ":"
                        + port.path("target").asText();
        return PUBLISHED.matcher(text);
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
