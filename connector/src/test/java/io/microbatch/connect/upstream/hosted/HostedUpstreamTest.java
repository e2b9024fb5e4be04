package io.microbatch.connect.upstream.hosted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microbatch.connect.config.HostedConfig;
import io.microbatch.connect.upstream.hosted.HostedSample.SampleConnector;
import io.microbatch.connect.upstream.hosted.HostedSample.SampleTask;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.ConnectorTransactionBoundaries;
import org.apache.kafka.connect.source.ExactlyOnceSupport;
import org.junit.jupiter.api.Test;

class HostedUpstreamTest {

    private final HostedUpstream upstream = new HostedUpstream();

    private static Map<String, String> config(String... more) {
        Map<String, String> config = new HashMap<>(
                Map.of("name", "orders", "tasks.max", "2", HostedConfig.CLASS_CONFIG, SampleConnector.class.getName()));
        for (int i = 0; i < more.length; i += 2) {
            config.put(more[i], more[i + 1]);
        }
        return config;
    }

    @Test
    void reportsOnlyErrorsOfTheHostedConnectorAtTheUsersKeys() {
        assertThat(upstream.validate(config("upstream.connector.secret", "hunter2")))
                .singleElement()
                .satisfies(value -> {
                    assertThat(value.name()).isEqualTo("upstream.connector.url");
                    assertThat(value.errorMessages()).isNotEmpty();
                    assertThat(value.value()).isNull();
                });
    }

    @Test
    void acceptsACompleteConfiguration() {
        assertThat(upstream.validate(config("upstream.connector.url", "here"))).isEmpty();
    }

    @Test
    void masksAPasswordInAMessage() {
        Map<String, String> config =
                config("upstream.connector.url", "bad", "upstream.connector.secret", " hunter2-and-more ");
        assertThat(upstream.validate(config)).singleElement().satisfies(value -> {
            assertThat(value.name()).isEqualTo("upstream.connector.url");
            assertThat(value.errorMessages()).containsExactly("no login at bad with '[hidden]'");
        });
        config.put("upstream.connector.url", "worse");
        assertThat(upstream.validate(config)).singleElement().satisfies(value -> {
            assertThat(value.name()).isEqualTo(HostedConfig.CLASS_CONFIG);
            assertThat(value.errorMessages()).singleElement().asString().endsWith("crashed with '[hidden]'");
        });
    }

    @Test
    void reportsAnErrorOfAnInheritedKeyWhereTheUserWroteIt() {
        String url = "upstream.connector.url";
        assertThat(names(config(url, "here", "errors.tolerance", "all"))).containsExactly("errors.tolerance");
        assertThat(names(config(url, "here", "errors.tolerance", "all", "upstream.connector.errors.tolerance", "some")))
                .containsExactly("upstream.connector.errors.tolerance");
        assertThat(names(config(url, "here", "key.converter", "B"))).containsExactly("key.converter");
        assertThat(names(config(
                        url,
                        "here",
                        "deadletter.topic",
                        "dead",
                        "key.converter",
                        "A",
                        "deadletter.key.converter",
                        "B")))
                .containsExactly("deadletter.key.converter");
        assertThat(names(config(url, "here", "key.converter", "A", "errors.tolerance", "none")))
                .isEmpty();
    }

    private List<String> names(Map<String, String> config) {
        return upstream.validate(config).stream().map(ConfigValue::name).toList();
    }

    @Test
    void reportsAMissingClassAtItsKey() {
        assertThat(upstream.validate(config(HostedConfig.CLASS_CONFIG, "org.example.NoSuch")))
                .singleElement()
                .satisfies(value -> {
                    assertThat(value.name()).isEqualTo(HostedConfig.CLASS_CONFIG);
                    assertThat(value.errorMessages()).singleElement().asString().contains("not installed");
                });
    }

    /** The JVM's message is a name only. */
    @Test
    void saysThatAClassOfTheHostedConnectorIsMissing() {
        assertThat(upstream.validate(config("upstream.connector.url", "incomplete")))
                .singleElement()
                .satisfies(value -> {
                    assertThat(value.name()).isEqualTo(HostedConfig.CLASS_CONFIG);
                    assertThat(value.errorMessages())
                            .singleElement()
                            .asString()
                            .endsWith("settings: java.lang.NoClassDefFoundError: org/example/Driver");
                });
    }

    @Test
    void assignsTheHostedTasksWithTheUsersKeys() {
        upstream.start(config("upstream.connector.url", "here"), null);
        List<Map<String, String>> tasks = upstream.taskConfigs(2);

        assertThat(tasks).hasSize(2);
        assertThat(tasks.get(0))
                .containsEntry("upstream.connector.task", "0")
                .containsEntry("upstream.connector.url", "here")
                .containsEntry("upstream.connector.name", "orders")
                .containsEntry(HostedConfig.TASK_CLASS, SampleTask.class.getName())
                .doesNotContainKey("upstream.connector.unset");
        assertThat(tasks.get(1))
                .containsOnly(
                        Map.entry("upstream.connector.task", "1"),
                        Map.entry(HostedConfig.CLASS_CONFIG, SampleConnector.class.getName()),
                        Map.entry(HostedConfig.TASK_CLASS, SampleTask.class.getName()));
        upstream.stop();
    }

    /** Debezium reads the class of the converters, and MongoDB's connector what happens to errors. */
    @Test
    void givesTheHostedTasksTheKeysOfTheWorkerThatConnectorsRead() {
        upstream.start(
                config(
                        "key.converter",
                        "A",
                        "value.converter",
                        "org.example.Json",
                        "upstream.connector.value.converter",
                        "org.example.Own",
                        "errors.tolerance",
                        "none",
                        "errors.log.enable",
                        "true",
                        "errors.retry.timeout",
                        "7"),
                null);
        assertThat(HostedConfig.taskSettings(upstream.taskConfigs(2).get(0)))
                .containsEntry("key.converter", "A")
                .containsEntry("value.converter", "org.example.Own")
                .containsEntry("errors.tolerance", "none")
                .containsEntry("errors.log.enable", "true")
                .doesNotContainKey("errors.retry.timeout");
        upstream.stop();
    }

    @Test
    void stopsWithoutAStart() {
        upstream.stop();
        upstream.start(config("upstream.connector.url", "here"), null);
        assertThat(upstream.taskConfigs(2)).as("the upstream starts again").hasSize(2);
        upstream.stop();
    }

    @Test
    void asksTheHostedConnectorForItsSupportAndItsOffsets() {
        assertThat(upstream.exactlyOnceSupport(config())).isEqualTo(ExactlyOnceSupport.UNSUPPORTED);
        assertThat(upstream.exactlyOnceSupport(config("upstream.connector.url", "here")))
                .isEqualTo(ExactlyOnceSupport.SUPPORTED);
        assertThat(upstream.canDefineTransactionBoundaries(config()))
                .isEqualTo(ConnectorTransactionBoundaries.SUPPORTED);
        assertThat(upstream.alterOffsets(config(), Map.of(Map.of("p", 1), Map.of("o", 1))))
                .isTrue();
        assertThatThrownBy(() -> upstream.alterOffsets(config(), Map.of()))
                .isInstanceOf(ConnectException.class)
                .hasMessage("no offsets");
    }
}
