package io.microbatch.connect.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProducerCheckTest {

    @ParameterizedTest
    @CsvSource({
        "producer.override.linger.ms, 100, latency.target.ms",
        "producer.override.batch.size, 1000, at least 16384",
        "producer.override.batch.size, 4000000, producer.override.max.request.size",
        "producer.override.transaction.timeout.ms, 5000, at least 15000",
        "producer.override.max.in.flight.requests.per.connection, 5, enable.idempotence=true"
    })
    void namesTheKeyAndTheRemedy(String key, String value, String cure) {
        assertThat(ProducerCheck.warnings(Map.of(key, value)))
                .singleElement()
                .asString()
                .startsWith(key + "=" + value)
                .contains(cure);
    }

    @ParameterizedTest
    @CsvSource({
        "producer.override.linger.ms, 25",
        "producer.override.linger.ms, soon",
        "producer.override.batch.size, 1000000",
        "producer.override.transaction.timeout.ms, 60000",
        "producer.override.max.in.flight.requests.per.connection, 1",
        "producer.override.compression.type, lz4"
    })
    void acceptsHarmlessSettings(String key, String value) {
        assertThat(ProducerCheck.warnings(Map.of(key, value))).isEmpty();
    }

    @Test
    void derivesALimitFromOtherKeys() {
        assertThat(ProducerCheck.warnings(Map.of("producer.override.linger.ms", "100", "latency.target.ms", "200")))
                .isEmpty();
        assertThat(ProducerCheck.warnings(Map.of("producer.override.linger.ms", "25", "latency.target.ms", "40")))
                .hasSize(1);
        assertThat(ProducerCheck.warnings(Map.of(
                        "producer.override.batch.size", "4000000", "producer.override.max.request.size", "8000000")))
                .isEmpty();
        assertThat(ProducerCheck.warnings(Map.of(
                        "producer.override.max.in.flight.requests.per.connection",
                        "5",
                        "producer.override.enable.idempotence",
                        "true")))
                .isEmpty();
    }
}
