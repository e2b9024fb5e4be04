package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.connect.it.keyed.KeyedConnector;
import io.microbatch.connect.it.keyed.KeyedTask;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectRestException;
import io.microbatch.testbed.ConnectWorker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The secrets in a hosted connector's configuration are references to a file or to the worker's environment. Only the
 * task gets their values.
 */
@ExtendWith(Cluster.Shared.class)
class SecretsIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String IN_FILE = "canary-in-file-5071";
    private static final String ROTATED = "canary-rotated-8832";
    private static final String IN_ENVIRONMENT = "canary-in-environment-6149";
    private static final List<String> CANARIES = List.of(IN_FILE, ROTATED, IN_ENVIRONMENT);
    private static final String VARIABLE = "CANARY_TOKEN";

    private final Cluster cluster;

    SecretsIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void reachTheTaskAndNothingElse(Mode mode) throws Exception {
        String name = "secrets-" + mode.suffix();
        Path home = Files.createDirectories(cluster.directory().resolve(name + "-home"));
        Path secrets = Files.createDirectories(home.resolve("secrets")).resolve("keyed.properties");
        Files.writeString(secrets, "password=" + IN_FILE + "\n");
        try (ConnectWorker worker = worker(mode, name, secrets.getParent())) {
            // From here on, because a starting JVM logs every class that it loads.
            worker.rest().call("PUT", "/admin/loggers/root", Map.of("level", "TRACE"));
            Map<String, String> config = config(name, secrets, home);
            worker.rest().create(name, config);
            worker.rest().awaitRunning(name, 1);
            awaitLine(home, IN_FILE);
            awaitDeadLettersAndCalibration(name, home);
            assertThat(placesOf(worker, name, home, config)).isEmpty();

            Files.writeString(secrets, "password=" + ROTATED + "\n");
            worker.rest().restartTask(name, 0);
            awaitLine(home, ROTATED);
            worker.rest().awaitRunning(name, 1);
            assertThat(placesOf(worker, name, home, config)).isEmpty();

            worker.rest().call("PUT", "/admin/loggers/root", Map.of("level", "INFO"));
            worker.rest().delete(name);
            List<String> log = worker.logLines();
            assertThat(log.stream().anyMatch(line -> line.contains(" TRACE ")))
                    .as("logged at every level")
                    .isTrue();
            assertThat(log.stream().filter(SecretsIT::holdsCanary)).isEmpty();
        }
    }

    private ConnectWorker worker(Mode mode, String name, Path secrets) {
        String provider = "org.apache.kafka.common.config.provider.";
        return cluster.worker(mode, name)
                .property("config.storage.topic", name + "-config")
                .property("status.storage.topic", name + "-status")
                .property("config.providers", "file,env")
                .property("config.providers.file.class", provider + "FileConfigProvider")
                .property("config.providers.file.param.allowed.paths", secrets.toString())
                .property("config.providers.env.class", provider + "EnvVarConfigProvider")
                .property("config.providers.env.param.allowlist.pattern", "CANARY_.*")
                .environment(VARIABLE, IN_ENVIRONMENT)
                .start();
    }

    private static Map<String, String> config(String name, Path secrets, Path home) {
        String password = "${file:" + secrets + ":password}";
        String token = "${env:" + VARIABLE + "}";
        Map<String, String> config = new HashMap<>();
        config.put("connector.class", Cluster.CONNECTOR);
        config.put("tasks.max", "1");
        config.put("upstream.connector.class", KeyedConnector.class.getName());
        config.put("upstream.connector.topic", name);
        config.put("upstream.connector.journal", home.resolve("journal").toString());
        config.put("upstream.connector.password", password);
        config.put("upstream.connector.token", token);
        config.put("upstream.connector.url", url(password, token));
        config.put("upstream.connector.connector.only", token);
        config.put("calibration.directory", home.resolve("calibration").toString());
        config.put("deadletter.topic", name + ".dead");
        config.put("deadletter.key.converter", Lines.STRING);
        config.put("deadletter.value.converter", Lines.TEST_CONVERTER);
        config.put("key.converter", Lines.BYTES);
        config.put("value.converter", Lines.BYTES);
        config.put("header.converter", Lines.BYTES);
        return config;
    }

    private static String url(String password, String token) {
        return "queue://user:" + password + "@127.0.0.1/?token=" + token;
    }

    /** Waits for a task that has started with this password and gets it when it asks for its configuration. */
    private static void awaitLine(Path home, String password) {
        String line = KeyedTask.line(
                Map.of("password", password, "token", IN_ENVIRONMENT, "url", url(password, IN_ENVIRONMENT)));
        Path journal = home.resolve("journal");
        Await.until(
                "a task with " + password,
                PATIENCE,
                () -> text(journal).endsWith(line + line),
                () -> "wanted " + line + "but have " + text(journal));
    }

    private static String text(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private void awaitDeadLettersAndCalibration(String name, Path home) {
        Await.until(
                "a dead letter of " + name,
                PATIENCE,
                () -> !cluster.reader().readCommitted(name + ".dead").isEmpty(),
                () -> "none");
        Await.until(
                "calibration of " + name,
                PATIENCE,
                () -> !files(home.resolve("calibration")).isEmpty(),
                () -> "none");
    }

    private static List<Path> files(Path directory) {
        try (Stream<Path> walk = Files.exists(directory) ? Files.walk(directory) : Stream.empty()) {
            return walk.filter(Files::isRegularFile).toList();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** All places that might show a secret, except the log. */
    private List<String> placesOf(ConnectWorker worker, String name, Path home, Map<String, String> config)
            throws IOException {
        List<String> places = new ArrayList<>();
        for (String topic : List.of(name + "-config", name + "-status", name + "-offsets", name + ".dead", name)) {
            cluster.reader().readUncommitted(topic, record -> {
                if (holdsCanary(text(record))) {
                    places.add("topic " + topic + ": " + (record.key() == null ? "" : latin(record.key())));
                }
            });
        }
        String connector = "/connectors/" + name;
        for (String path : List.of("", "/config", "/tasks", "/tasks/0/status", "/status", "/topics", "/offsets")) {
            if (holdsCanary(worker.rest().call("GET", connector + path, null).toString())) {
                places.add("GET " + path);
            }
        }
        assertThat(tasksConfigStatus(worker, connector))
                .as("Connect 4 has no /tasks-config")
                .isEqualTo(404);
        if (holdsCanary(validation(worker, config).toString())) {
            places.add("validation of a valid configuration");
        }
        Map<String, String> wrong = new HashMap<>(config);
        wrong.put("upstream.connector.size", "many");
        JsonNode refused = validation(worker, wrong);
        assertThat(refused.path("error_count").asInt()).isEqualTo(1);
        if (holdsCanary(refused.toString())) {
            places.add("validation of an invalid configuration");
        }
        Map<String, String> attributes = worker.jmx().everything();
        assertThat(attributes.keySet()).anyMatch(attribute -> attribute.contains("connector=" + name));
        attributes.forEach((attribute, value) -> {
            if (holdsCanary(value)) {
                places.add("JMX " + attribute);
            }
        });
        for (Path file : files(home.resolve("calibration"))) {
            if (holdsCanary(latin(Files.readAllBytes(file)))) {
                places.add("calibration " + file.getFileName());
            }
        }
        return places;
    }

    private static JsonNode validation(ConnectWorker worker, Map<String, String> config) {
        Map<String, String> named = new HashMap<>(config);
        named.put("name", "validated");
        return worker.rest().call("PUT", "/connector-plugins/" + Cluster.CONNECTOR + "/config/validate", named);
    }

    private static int tasksConfigStatus(ConnectWorker worker, String connector) {
        try {
            JsonNode ignored = worker.rest().call("GET", connector + "/tasks-config", null);
            return 200;
        } catch (ConnectRestException e) {
            return e.status();
        }
    }

    private static String text(ConsumerRecord<byte[], byte[]> record) {
        StringBuilder text = new StringBuilder();
        for (byte[] part : Arrays.asList(record.key(), record.value())) {
            text.append(part == null ? "" : latin(part));
        }
        record.headers().forEach(header -> text.append(header.value() == null ? "" : latin(header.value())));
        return text.toString();
    }

    /** Maps every byte to a character. */
    private static String latin(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private static boolean holdsCanary(String text) {
        return CANARIES.stream().anyMatch(text::contains);
    }
}
