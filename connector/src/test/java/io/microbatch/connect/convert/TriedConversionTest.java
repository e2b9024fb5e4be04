package io.microbatch.connect.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microbatch.connect.common.DeadLetterSchema;
import io.microbatch.connect.config.DeadLetterConfig;
import io.microbatch.connect.config.MicrobatchConfig;
import io.microbatch.connect.upstream.RecordConversion;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.storage.StringConverter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@link Conversion} in trial mode: transforms see the events, and the result of a conversion is discarded. */
@Timeout(60)
class TriedConversionTest {

    private static final int LIMIT = 20_000;

    private final Map<String, String> properties = new HashMap<>(Map.of(
            "name", "orders",
            "upstream.connector.class", "org.example.Any",
            "deadletter.topic", "orders.dead",
            "deadletter.mode", "try",
            "key.converter.delegate", TestConverter.class.getName(),
            "value.converter.delegate", TestConverter.class.getName(),
            "value.converter.delegate.prefix", "v:",
            "producer.override.max.request.size", Integer.toString(LIMIT)));

    private final AtomicLong deadLetterTotal = new AtomicLong();

    private RecordConversion conversion() {
        DeadLetterConfig config = new MicrobatchConfig(properties).deadLetter().orElseThrow();
        RecordConversion conversion =
                Conversion.withDeadLetters(config, false, deadLetterTotal).get();
        conversion.open();
        return conversion;
    }

    private static SourceRecord record(Object key, Object value) {
        return new SourceRecord(Map.of("table", "a"), Map.of("lsn", 7L), "orders", null, null, key, null, value);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(Object bytes) {
        return new String((byte[]) bytes, StandardCharsets.UTF_8);
    }

    private static String cause(SourceRecord deadLetter, String name) {
        Header header = deadLetter.headers().lastWithName("__connect.errors." + name);
        return header == null ? "absent" : text(header.value());
    }

    @Test
    void passesOnTheEventItself() throws InterruptedException {
        RecordConversion conversion = conversion();
        SourceRecord record = record("k", "content");
        assertThat(conversion.convert(record, () -> {})).isSameAs(record);
        SourceRecord tombstone = record("k", null);
        assertThat(conversion.convert(tombstone, () -> {})).isSameAs(tombstone);
        assertThat(deadLetterTotal).hasValue(0);
    }

    @Test
    void replacesAFailedEventByAMarkedDeadLetter() throws InterruptedException {
        RecordConversion conversion = conversion();
        SourceRecord record = record("k", "poison 1");
        record.headers().addString("trace", "t1");
        SourceRecord deadLetter = conversion.convert(record, () -> {});

        assertThat(deadLetter.topic()).isEqualTo("orders.dead");
        assertThat(deadLetter.sourceOffset()).isEqualTo(record.sourceOffset());
        assertThat(text(deadLetter.key())).isEqualTo("k");
        assertThat(text(deadLetter.value())).isEqualTo("poison 1");
        assertThat(text(deadLetter.headers().lastWithName("trace").value())).isEqualTo("t1");
        assertThat(cause(deadLetter, "exception.message")).isEqualTo("cannot convert poison 1");
        assertThat(deadLetter.keySchema()).isEqualTo(DeadLetterSchema.BYTES);
        assertThat(deadLetter.valueSchema()).isEqualTo(DeadLetterSchema.BYTES);
        assertThat(deadLetter.headers()).allMatch(header -> header.schema().equals(DeadLetterSchema.BYTES));
        assertThat(deadLetterTotal).hasValue(1);
    }

    /** Transforms that drop tombstones, and the compaction of a topic, would drop a dead letter without a value. */
    @Test
    void createsADeadLetterWithAValueForATombstone() throws InterruptedException {
        SourceRecord deadLetter = conversion().convert(record("poison", null), () -> {});
        assertThat(cause(deadLetter, "stage")).isEqualTo("KEY_CONVERTER");
        assertThat(cause(deadLetter, "value.encoding")).isEqualTo("null");
        assertThat(cause(deadLetter, "value.bytes")).isEqualTo("0");
        assertThat((byte[]) deadLetter.value()).isEmpty();

        properties.put("deadletter.mode", "convert");
        properties.put("deadletter.key.converter", TestConverter.class.getName());
        properties.put("deadletter.value.converter", TestConverter.class.getName());
        SourceRecord converted = conversion().convert(record("poison", null), () -> {});
        assertThat(cause(converted, "value.encoding")).isEqualTo("null");
        assertThat((byte[]) converted.value()).as("with bytes only").isEmpty();
    }

    @Test
    void measuresTheResultOfTheTrial() throws InterruptedException {
        RecordConversion conversion = conversion();
        long overhead = RecordBytes.of(bytes("k"), bytes("v:" + "v".repeat(15_000)), new RecordHeaders()) - 15_000;
        int longest = (int) (LIMIT - overhead);
        assertThat(conversion
                        .convert(record("k", "v".repeat(longest)), () -> {})
                        .topic())
                .isEqualTo("orders");
        SourceRecord deadLetter = conversion.convert(record("k", "v".repeat(longest + 1)), () -> {});
        assertThat(deadLetter.topic()).isEqualTo("orders.dead");
        assertThat(cause(deadLetter, "stage")).isEqualTo("KAFKA_PRODUCE");
        assertThat(cause(deadLetter, "value.encoding")).isEqualTo("converted");
    }

    @Test
    void usesItsOwnConverterForTrialsIfSet() throws InterruptedException {
        assertThat(conversion().convert(record("k", "poison"), () -> {}).topic())
                .as("refused by the delegate")
                .isEqualTo("orders.dead");
        properties.put("deadletter.value.converter", StringConverter.class.getName());
        assertThat(conversion().convert(record("k", "poison"), () -> {}).topic())
                .isEqualTo("orders");
    }

    @Test
    void failsOnAnOutageInsteadOfCreatingADeadLetter() {
        RecordConversion conversion = conversion();
        assertThatThrownBy(() -> conversion.convert(record("k", "retry 1000"), () -> {}))
                .isExactlyInstanceOf(ConnectException.class)
                .hasMessageContaining("errors.retry.timeout");
        assertThat(deadLetterTotal).hasValue(0);
    }
}
