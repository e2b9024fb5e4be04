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
    void answersWhatTheHostedConnectorFindsWrongUnderTheUsersKeys() {
        List<ConfigValue> values = upstream.validate(config());
        assertThat(values)
                .extracting(ConfigValue::name)
                .containsExactlyInAnyOrder("upstream.connector.url", "upstream.connector.secret");
        assertThat(values)
                .filteredOn(value -> value.name().equals("upstream.connector.url"))
                .singleElement()
                .satisfies(value -> assertThat(value.errorMessages()).isNotEmpty());
    }

    @Test
    void findsNothingWrongWithAWholeConfiguration() {
        assertThat(upstream.validate(config("upstream.connector.url", "here")))
                .allSatisfy(value -> assertThat(value.errorMessages()).isEmpty());
    }

    @Test
    void answersAMissingClassAtItsKey() {
        assertThat(upstream.validate(config(HostedConfig.CLASS_CONFIG, "org.example.NoSuch")))
                .singleElement()
                .satisfies(value -> {
                    assertThat(value.name()).isEqualTo(HostedConfig.CLASS_CONFIG);
                    assertThat(value.errorMessages()).singleElement().asString().contains("not installed");
                });
    }

    @Test
    void dealsOutTheHostedTasksUnderTheirPrefix() {
        upstream.start(config("upstream.connector.url", "here"), null);
        List<Map<String, String>> tasks = upstream.taskConfigs(2);

        assertThat(tasks).hasSize(2);
        assertThat(tasks.get(0))
                .containsEntry("upstream.task.task", "0")
                .containsEntry("upstream.task.url", "here")
                .containsEntry("upstream.task.name", "orders")
                .containsEntry(HostedConfig.TASK_CLASS, SampleTask.class.getName())
                .doesNotContainKey("upstream.task.unset");
        assertThat(tasks.get(1))
                .containsOnly(
                        Map.entry("upstream.task.task", "1"),
                        Map.entry(HostedConfig.TASK_CLASS, SampleTask.class.getName()));
        upstream.stop();
    }

    @Test
    void stopsWithoutAStart() {
        upstream.stop();
        upstream.start(config("upstream.connector.url", "here"), null);
        assertThat(upstream.taskConfigs(2)).as("not stopped for good").hasSize(2);
        upstream.stop();
    }

    @Test
    void asksTheHostedConnectorWhatItSupportsAndWhichOffsetsItTakes() {
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
