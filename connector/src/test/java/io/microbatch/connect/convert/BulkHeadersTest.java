package io.microbatch.connect.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microbatch.connect.config.MicrobatchConfig;
import io.microbatch.connect.upstream.RecordConversion;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.storage.StringConverter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Converters that write the schema of an event into a header, with bulk records, which have no headers. */
@Timeout(60)
class BulkHeadersTest {

    private static final String HEADER = "schema";

    private final Map<String, String> bulk = new HashMap<>(Map.of(
            "upstream.connector.class",
            "org.example.Any",
            "bulk.enabled",
            "true",
            "bulk.inner.key.converter",
            StringConverter.class.getName(),
            "bulk.inner.value.converter",
            StringConverter.class.getName()));

    private final Map<String, String> deadLetters = new HashMap<>(Map.of(
            "upstream.connector.class",
            "org.example.Any",
            "deadletter.topic",
            "dead",
            "deadletter.key.converter",
            StringConverter.class.getName(),
            "deadletter.value.converter",
            StringConverter.class.getName()));

    private final AtomicLong deadLetterTotal = new AtomicLong();

    private RecordConversion conversion;

    @AfterEach
    void close() {
        conversion.close();
    }

    /** Names the schema in a header, except for null, and replaces a header of that name. */
    public static final class HeaderWriter extends StringConverter {
        @Override
        public byte[] fromConnectData(String topic, Headers headers, Schema schema, Object value) {
            if (value != null) {
                Headers ignored =
                        headers.remove(HEADER).add(HEADER, value.toString().getBytes(StandardCharsets.UTF_8));
            }
            return fromConnectData(topic, schema, value);
        }
    }

    private RecordConversion packed() {
        return opened(Conversion.forBulk(new MicrobatchConfig(bulk).bulk().orElseThrow())
                .get());
    }

    private RecordConversion withDeadLetters() {
        return opened(Conversion.withDeadLetters(
                        new MicrobatchConfig(deadLetters).deadLetter().orElseThrow(), false, deadLetterTotal)
                .get());
    }

    private RecordConversion opened(RecordConversion created) {
        conversion = created;
        conversion.open();
        return conversion;
    }

    private static SourceRecord record(String key, String value) {
        return new SourceRecord(
                Map.of(),
                Map.of(),
                "orders",
                null,
                null,
                key,
                null,
                value,
                null,
                new ConnectHeaders().addString("trace", "t1").addString(HEADER, "old"));
    }

    @Test
    void areRefusedWithTheKeyOfTheConverter() {
        bulk.put("bulk.inner.value.converter", HeaderWriter.class.getName());
        assertThatThrownBy(() -> packed().convert(record("k", "v"), () -> {}))
                .isExactlyInstanceOf(ConnectException.class)
                .hasMessageContainingAll("bulk.inner.value.converter", "bulk records have no headers");
        conversion.close();
        bulk.put("bulk.inner.key.converter", HeaderWriter.class.getName());
        assertThatThrownBy(() -> packed().convert(record("k", "v"), () -> {}))
                .hasMessageContaining("bulk.inner.key.converter");
    }

    @Test
    void areRefusedWithDeadLettersToo() {
        deadLetters.put("bulk.enabled", "true");
        deadLetters.put("deadletter.value.converter", HeaderWriter.class.getName());
        assertThatThrownBy(() -> withDeadLetters().convert(record("k", "v"), () -> {}))
                .isExactlyInstanceOf(ConnectException.class)
                .hasMessageContaining("deadletter.value.converter")
                .hasMessageContaining("bulk records have no headers");
        assertThat(deadLetterTotal).hasValue(0);
    }

    @Test
    void areKeptInSingleRecords() throws InterruptedException {
        deadLetters.put("deadletter.value.converter", HeaderWriter.class.getName());
        SourceRecord outgoing = withDeadLetters().convert(record("k", "v"), () -> {});
        assertThat(new String((byte[]) outgoing.headers().lastWithName(HEADER).value(), StandardCharsets.UTF_8))
                .isEqualTo("v");
    }

    @Test
    void areNotTheHeadersOfTheEvent() throws InterruptedException {
        bulk.put("bulk.inner.value.converter", HeaderWriter.class.getName());
        assertThat(packed().convert(record("k", null), () -> {}).value()).isNull();
        conversion.close();
        deadLetters.put("bulk.enabled", "true");
        assertThat(withDeadLetters().convert(record("k", "v"), () -> {}).topic())
                .isEqualTo("orders");
    }

    /** A dead letter is not packed and keeps its headers. */
    @Test
    void areKeptByADeadLetter() throws InterruptedException {
        deadLetters.put("bulk.enabled", "true");
        deadLetters.put("deadletter.key.converter", HeaderWriter.class.getName());
        deadLetters.put("deadletter.value.converter", TestConverter.class.getName());
        SourceRecord letter = withDeadLetters().convert(record("k", "poison"), () -> {});
        assertThat(letter.topic()).isEqualTo("dead");
        assertThat(new String((byte[]) letter.headers().lastWithName(HEADER).value(), StandardCharsets.UTF_8))
                .isEqualTo("k");
    }
}
