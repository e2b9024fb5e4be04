package io.microbatch.connect.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HostedKeysTest {

    @Test
    void saysWhyAConnectorIsNotHosted() {
        assertThat(HostedKeys.obstacle(Map.of("class", "premium"))).contains("with the name class");
        assertThat(HostedKeys.obstacle(Map.of("connector.plugin.version", "1")))
                .startsWith("connector.plugin.version chooses its version");
    }

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

    /** The worker's own keys are those of bytes then, which would fail each event of the plain connector. */
    @Test
    void givesThePlainConnectorTheConvertersThatTheTaskApplies() {
        String json = "org.apache.kafka.connect.json.JsonConverter";
        String bytes = "org.apache.kafka.connect.converters.ByteArrayConverter";
        Map<String, String> plain = new HashMap<>(PLAIN);
        plain.put("value.converter", json);
        plain.put("value.converter.schemas.enable", "false");
        plain.put("key.converter", json);

        Map<String, String> bulkPlain = Map.copyOf(plain);
        plain.put("header.converter", "org.apache.kafka.connect.storage.SimpleHeaderConverter");

        Map<String, String> converting = new HashMap<>(HostedKeys.wrapped(PLAIN));
        converting.putAll(Map.of("deadletter.topic", "dead", "value.converter", bytes, "key.converter", bytes));
        converting.put("header.converter", "io.microbatch.connect.transforms.MixedHeaderConverter");
        converting.put("deadletter.value.converter", json);
        converting.put("deadletter.value.converter.schemas.enable", "false");
        converting.put("deadletter.key.converter", json);
        assertThat(HostedKeys.unwrapped(converting)).isEqualTo(plain);

        String trying = "io.microbatch.connect.transforms.DeadLetterConverter";
        Map<String, String> tried = new HashMap<>(HostedKeys.wrapped(PLAIN));
        tried.putAll(Map.of("deadletter.topic", "dead", "deadletter.mode", "TRY"));
        tried.putAll(Map.of("value.converter", trying, "key.converter", trying, "header.converter", trying));
        tried.put("value.converter.delegate", json);
        tried.put("value.converter.delegate.schemas.enable", "false");
        tried.put("key.converter.delegate", json);
        tried.put("header.converter.delegate", " ");
        assertThat(HostedKeys.unwrapped(tried)).isEqualTo(plain);

        Map<String, String> bulk = new HashMap<>(HostedKeys.wrapped(PLAIN));
        bulk.putAll(Map.of("bulk.enabled", "true", "value.converter", bytes, "key.converter", bytes));
        bulk.put("bulk.inner.value.converter", json);
        bulk.put("bulk.inner.value.converter.schemas.enable", "false");
        bulk.put("bulk.inner.key.converter", json);
        assertThat(HostedKeys.unwrapped(bulk)).isEqualTo(bulkPlain);

        bulk.put("bulk.enabled", "false");
        assertThat(HostedKeys.unwrapped(bulk)).containsEntry("value.converter", bytes);
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
