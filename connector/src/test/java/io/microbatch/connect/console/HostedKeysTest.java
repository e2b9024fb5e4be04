package io.microbatch.connect.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HostedKeysTest {

    private static final Map<String, String> PLAIN = Map.of(
            "name", "shop",
            "connector.class", "io.debezium.connector.postgresql.PostgresConnector",
            "tasks.max", "1",
            "database.hostname", "db",
            "errors.max.retries", "3",
            "batch.size", "500",
            "errors.tolerance", "all",
            "transforms.a.type", "x.Y",
            "producer.override.linger.ms", "5",
            "upstream.connector.odd", "kept");

    @Test
    void unwrapsWhatItHasWrapped() {
        assertThat(HostedKeys.unwrapped(HostedKeys.wrapped(PLAIN))).isEqualTo(PLAIN);
    }

    @Test
    void dropsTheSettingsOfThisConnectorOnTheWayBack() {
        Map<String, String> hosted = new HashMap<>(HostedKeys.wrapped(PLAIN));
        hosted.put("latency.target.ms", "100");
        hosted.put("calibration.directory", "/var/lib/microbatch");

        assertThat(HostedKeys.unwrapped(hosted)).isEqualTo(PLAIN);
    }

    @Test
    void leavesOutWhatTheWorkerWouldReadOnTheWayBack() {
        Map<String, String> hosted = new HashMap<>(HostedKeys.wrapped(PLAIN));
        hosted.put("upstream.connector.offsets.storage.topic", "elsewhere");
        hosted.put("upstream.connector.tasks.max", "7");
        hosted.put("upstream.connector.connector.plugin.version", "1");

        assertThat(HostedKeys.ambiguous(hosted))
                .containsExactly(
                        "upstream.connector.connector.plugin.version",
                        "upstream.connector.offsets.storage.topic",
                        "upstream.connector.tasks.max");
        assertThat(HostedKeys.unwrapped(hosted)).isEqualTo(PLAIN);
    }
}
