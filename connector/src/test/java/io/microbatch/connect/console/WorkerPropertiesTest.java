package io.microbatch.connect.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorkerPropertiesTest {

    /** As Connect chooses what it advertises. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "|''|http",
                "http://:8083|''|http",
                "https://:8443|''|https",
                "HTTPS://:8443|''|https",
                "https://:8443,http://:8083|''|http",
                "http://:8083,https://:8443|https|https",
                "http://:8083,https://:8443|HTTPS|https",
            })
    void knowsHowWorkersAdvertiseThemselves(String listeners, String advertised, String scheme) {
        WorkerProperties worker = new WorkerProperties(
                Map.of("listeners", listeners == null ? "" : listeners, "rest.advertised.listener", advertised));
        assertThat(worker.scheme()).isEqualTo(scheme);
    }

    @Test
    void knowsTheFlushIntervalOrItsDefault() {
        assertThat(new WorkerProperties(Map.of("offset.flush.interval.ms", "1000")).flushMs())
                .isEqualTo(1_000);
        assertThat(new WorkerProperties(Map.of()).flushMs()).isEqualTo(60_000);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|true",
                "All|true",
                "com.example.OwnPolicy|true",
                "None|false",
                "Principal|false",
                "NoneConnectorClientConfigOverridePolicy|false",
                "org.apache.kafka.connect.connector.policy.PrincipalConnectorClientConfigOverridePolicy|false",
                "org.apache.kafka.connect.connector.policy.AllConnectorClientConfigOverridePolicy|true",
            })
    void knowsWhetherProducersCanBeSet(String policy, boolean allows) {
        WorkerProperties properties = new WorkerProperties(Map.of("connector.client.config.override.policy", policy));
        assertThat(properties.producer().allows("linger.ms")).isEqualTo(allows);
        assertThat(new WorkerProperties(Map.of()).producer().allows("linger.ms"))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Allowlist",
                "AllowlistConnectorClientConfigOverridePolicy",
                "org.apache.kafka.connect.connector.policy.AllowlistConnectorClientConfigOverridePolicy"
            })
    void knowsTheListOfWhatConnectorsMaySet(String policy) {
        String key = "connector.client.config.override.policy";
        assertThat(new WorkerProperties(Map.of(key, policy)).producer().allows("linger.ms"))
                .as("without a list nothing is allowed")
                .isFalse();
        String list = "connector.client.config.override.allowlist";
        WorkerProducer producer = new WorkerProperties(Map.of(key, policy, list, "client.id, linger.ms")).producer();
        assertThat(producer.allows("linger.ms")).isTrue();
        assertThat(producer.allows("batch.size")).isFalse();
    }

    @Test
    void knowsTheWorkersSettingsOfProducersAndNoSecret() {
        Map<String, Object> properties = Map.of(
                "producer.linger.ms", 100,
                "producer.batch.size", " 65536 ",
                "producer.sasl.jaas.config", "hunter2",
                "batch.size", "1");
        assertThat(new WorkerProperties(properties).producer().settings())
                .isEqualTo(Map.of("linger.ms", "100", "batch.size", "65536"));
    }

    @Test
    void needsNoTlsForHttpAndSurvivesAStoreThatCannotBeRead() {
        assertThat(new WorkerProperties(Map.of()).tls()).isNull();
        Map<String, String> broken = Map.of(
                "listeners", "https://:8443",
                "ssl.truststore.location", "absent.p12",
                "ssl.truststore.password", "hunter2");
        assertThat(new WorkerProperties(broken).tls()).isNull();
        assertThat(new WorkerProperties(Map.of("listeners", "https://:8443")).tls())
                .as("the JVM's own stores")
                .isNotNull();
    }
}
