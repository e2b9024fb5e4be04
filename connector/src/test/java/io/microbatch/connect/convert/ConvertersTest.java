package io.microbatch.connect.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microbatch.connect.config.ConverterConfig;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.storage.SimpleHeaderConverter;
import org.junit.jupiter.api.Test;

class ConvertersTest {

    private static final String CONVERTER = TestConverter.class.getName();
    private static final ConverterConfig HEADERS = new ConverterConfig(SimpleHeaderConverter.class.getName(), Map.of());

    private final int openBefore = TestConverter.OPEN.get();

    private static ConverterConfig prefixed(String prefix) {
        return new ConverterConfig(CONVERTER, Map.of("prefix", prefix));
    }

    private static SourceRecord record(Object key, Object value) {
        return new SourceRecord(
                Map.of(), Map.of(), "t", 0, null, key, null, value, 0L, new ConnectHeaders().addString("h", "v"));
    }

    private static String text(byte[] bytes) {
        return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
    }

    @Test
    void convertsHeadersKeyAndValueWithTheirOwnConverters() {
        try (Converters conversion = new Converters(prefixed("key "), prefixed("value "), HEADERS)) {
            Converted converted = conversion.convert(record("k", "v"));

            assertThat(converted.failure()).isNull();
            assertThat(text(converted.key())).isEqualTo("key k");
            assertThat(text(converted.value())).isEqualTo("value v");
            assertThat(text(converted.headers().lastHeader("h").value())).isEqualTo("v");
        }
        assertThat(TestConverter.OPEN.get()).as("closed").isEqualTo(openBefore);
    }

    @Test
    void omitsHeadersWithoutAHeaderConverter() {
        try (Converters conversion = new Converters(prefixed(""), prefixed(""), null)) {
            assertThat(conversion.convert(record("k", "v")).headers()).isEmpty();
        }
    }

    @Test
    void returnsTheFailedStageAndTheResultsBeforeIt() {
        try (Converters conversion = new Converters(prefixed(""), prefixed(""), HEADERS)) {
            Converted value = conversion.convert(record("k", "poison"));
            assertThat(value.failure().stage()).isEqualTo(Stage.VALUE_CONVERTER);
            assertThat(value.failure().className()).isEqualTo(CONVERTER);
            assertThat(value.failure().cause()).isInstanceOf(DataException.class);
            assertThat(text(value.key())).isEqualTo("k");
            assertThat(value.value()).isNull();

            Converted key = conversion.convert(record("poison", "v"));
            assertThat(key.failure().stage()).isEqualTo(Stage.KEY_CONVERTER);
            assertThat(key.headers()).hasSize(1);
            assertThat(key.key()).isNull();
        }
    }

    @Test
    void returnsTheStageOfARefusedHeader() {
        ConverterConfig refusing = new ConverterConfig(RefusingHeaders.class.getName(), Map.of());
        try (Converters conversion = new Converters(prefixed(""), prefixed(""), refusing)) {
            Failure failure = conversion.convert(record("k", "v")).failure();
            assertThat(failure.stage()).isEqualTo(Stage.HEADER_CONVERTER);
            assertThat(failure.className()).isEqualTo(RefusingHeaders.class.getName());
        }
    }

    @Test
    void rethrowsRetriableErrorsAndErrorsOfTheJvm() {
        try (Converters conversion = new Converters(prefixed(""), prefixed(""), null)) {
            SourceRecord again = record("k", "retry 1");
            assertThatThrownBy(() -> conversion.convert(again)).isInstanceOf(RetriableException.class);
            assertThat(conversion.convert(again).failure()).isNull();
            assertThatThrownBy(() -> conversion.convert(record("k", "memory"))).isInstanceOf(OutOfMemoryError.class);
        }
    }

    @Test
    void closesItsConvertersWhenOneCannotBeConfigured() {
        ConverterConfig refused = new ConverterConfig(CONVERTER, Map.of("refuse", "yes"));
        assertThatThrownBy(() -> new Converters(prefixed(""), refused, null)).isInstanceOf(ConfigException.class);
        assertThat(TestConverter.OPEN.get()).isEqualTo(openBefore);
    }

    /** Refuses every header. */
    public static final class RefusingHeaders extends SimpleHeaderConverter {
        @Override
        public byte[] fromConnectHeader(String topic, String headerKey, Schema schema, Object value) {
            throw new DataException("no");
        }
    }
}
