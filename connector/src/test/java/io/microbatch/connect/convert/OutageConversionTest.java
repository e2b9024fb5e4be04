package io.microbatch.connect.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microbatch.connect.config.MicrobatchConfig;
import io.microbatch.connect.upstream.RecordConversion;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.storage.SimpleHeaderConverter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@link Conversion} while a registry does not accept connections. */
@Timeout(60)
class OutageConversionTest {

    private final Map<String, String> properties = new HashMap<>(Map.of(
            "upstream.connector.class",
            "org.example.Any",
            "deadletter.topic",
            "orders.dead",
            "deadletter.key.converter",
            TestConverter.class.getName(),
            "deadletter.value.converter",
            TestConverter.class.getName()));

    private final AtomicLong deadLetterTotal = new AtomicLong();

    private RecordConversion conversion() {
        RecordConversion conversion = Conversion.withDeadLetters(
                        new MicrobatchConfig(properties).deadLetter().orElseThrow(), false, deadLetterTotal)
                .get();
        conversion.open();
        return conversion;
    }

    private static SourceRecord record(String value) {
        return new SourceRecord(
                Map.of("table", "a"),
                Map.of("lsn", 7L),
                "orders",
                null,
                null,
                "k",
                null,
                value,
                null,
                new ConnectHeaders().addString("trace", "t1"));
    }

    /** Refuses every header as a converter does whose registry does not accept connections. */
    public static final class UnreachableHeaders extends SimpleHeaderConverter {
        @Override
        public byte[] fromConnectHeader(String topic, String headerKey, Schema schema, Object value) {
            throw new DataException("x", new java.net.ConnectException("Connection refused"));
        }
    }

    /** Confluent's converters report a registry that cannot be reached like an event that they refuse. */
    @Test
    void failsTheTaskInsteadOfCreatingADeadLetter() {
        RecordConversion conversion = conversion();
        assertThatThrownBy(() -> conversion.convert(record("outage 1000"), () -> {}))
                .isExactlyInstanceOf(ConnectException.class)
                .hasMessageContaining("errors.retry.timeout")
                .hasStackTraceContaining("Connection refused");
        assertThat(deadLetterTotal).hasValue(0);
    }

    @Test
    void deliversTheEventAfterTheOutage() throws InterruptedException {
        properties.put("errors.retry.timeout", "-1");
        assertThat(conversion().convert(record("outage 2"), () -> {}).topic()).isEqualTo("orders");
        assertThat(deadLetterTotal).hasValue(0);
    }

    @Test
    void failsTheTaskForTheRegistryOfHeadersToo() {
        properties.put("deadletter.header.converter", UnreachableHeaders.class.getName());
        RecordConversion conversion = conversion();
        assertThatThrownBy(() -> conversion.convert(record("content"), () -> {}))
                .isExactlyInstanceOf(ConnectException.class)
                .hasMessageContaining("errors.retry.timeout");
        assertThat(deadLetterTotal).hasValue(0);
    }
}
