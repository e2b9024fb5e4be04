package io.microbatch.connect.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ConfigBodyTest {

    private static final Map<String, String> SHOP = Map.of(
            "connector.class", "io.debezium.connector.postgresql.PostgresConnector",
            "tasks.max", "1",
            "database.hostname", "db",
            "database.password", "hunter2",
            "topic.prefix", "shop",
            "value.converter.schemas.enable", "false",
            "producer.override.compression.type", "lz4",
            "transaction.boundary", "interval",
            "transaction.boundary.interval.ms", "500",
            "errors.max.retries", "3");

    private static ConfigBody body(Map<String, String> config, Change change, String... passwords) {
        ConnectorSettings settings = new ConnectorSettings(config, ConnectorSettings.FLUSH_MS_DEFAULT);
        return ConfigBody.of(settings, change, new Secrets(Set.of(passwords)));
    }

    @Test
    void setsKeysAndKeepsTheRest() {
        ConfigBody body = body(SHOP, Change.setting(Map.of("transaction.boundary.interval.ms", "80")));

        assertThat(body.patch()).containsExactlyEntriesOf(Map.of("transaction.boundary.interval.ms", "80"));
        Map<String, String> expected = new HashMap<>(SHOP);
        expected.put("transaction.boundary.interval.ms", "80");
        expected.put("database.password", ConfigBody.HIDDEN);
        assertThat(body.put()).isEqualTo(expected);
        assertThat(body.hidden()).containsExactly("database.password");
    }

    @Test
    void removesKeysThatAreThere() {
        ConfigBody body = body(SHOP, Change.removing(Set.of("transaction.boundary", "absent")));

        assertThat(body.patch()).containsOnlyKeys("transaction.boundary").containsEntry("transaction.boundary", null);
        assertThat(body.put()).doesNotContainKey("transaction.boundary").containsKey("topic.prefix");
    }

    @Test
    void movesTheConnectorsOwnKeysWhenItIsHosted() {
        Map<String, String> config = new HashMap<>(SHOP);
        config.put("connector.plugin.version", "3.6.1");
        ConfigBody body = body(config, Change.wrapping(Map.of("latency.target.ms", "100")));

        assertThat(body.patch()).as("names change, and hidden values with them").isNull();
        assertThat(body.put())
                .isEqualTo(Map.of(
                        "connector.class", "io.microbatch.connect.MicrobatchSourceConnector",
                        "latency.target.ms", "100",
                        "tasks.max", "1",
                        "value.converter.schemas.enable", "false",
                        "producer.override.compression.type", "lz4",
                        "upstream.connector.class", "io.debezium.connector.postgresql.PostgresConnector",
                        "upstream.connector.database.hostname", "db",
                        "upstream.connector.database.password", ConfigBody.HIDDEN,
                        "upstream.connector.topic.prefix", "shop",
                        "upstream.connector.errors.max.retries", "3"));
        assertThat(body.hidden()).containsExactly("upstream.connector.database.password");
    }

    @Test
    void keepsReferencesToConfigProviders() {
        String reference = "${file:/run/secrets/shop:password}";
        ConfigBody body = body(
                Map.of("connector.class", "a.B", "database.password", reference),
                Change.setting(Map.of("poll.interval.ms", "10")),
                "database.password");

        assertThat(body.put()).containsEntry("database.password", reference);
        assertThat(body.hidden()).isEmpty();
    }

    /** Whatever the key is called: its definition decides. */
    @Test
    void containsNoPasswordByDefinitionInAnyBody() {
        Map<String, String> config = Map.of("connector.class", "a.B", "entry.code", "hunter2");
        for (Change change :
                new Change[] {Change.setting(Map.of("a", "1")), Change.wrapping(Map.of("latency.target.ms", "5"))}) {
            ConfigBody body = body(config, change, "entry.code");
            assertThat(body.put().values()).doesNotContain("hunter2");
            assertThat(body.hidden()).hasSize(1);
        }
    }

    /** Connect stores a key without a value, and the connector runs. */
    @Test
    void leavesKeysWithoutAValueOut() {
        Map<String, String> config = new HashMap<>(SHOP);
        config.put("database.initial.statements", null);
        ConnectorSettings settings = new ConnectorSettings(config, ConnectorSettings.FLUSH_MS_DEFAULT);
        assertThat(settings.isKnown()).isTrue();
        assertThat(settings.config()).isEqualTo(SHOP);
    }

    @Test
    void showsNoValueInItsSourcesText() {
        assertThat(new ConnectorSettings(SHOP, 1).toString()).doesNotContain("hunter2", "shop");
        assertThat(new WorkerProperties(Map.of("ssl.key.password", "hunter2")).toString())
                .doesNotContain("hunter2");
    }
}
