package io.microbatch.connect.transforms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microbatch.connect.bulk.ClosingConverter;
import io.microbatch.connect.common.DeadLetterSchema;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.json.JsonConverter;
import org.apache.kafka.connect.storage.Converter;
import org.apache.kafka.connect.storage.HeaderConverter;
import org.junit.jupiter.api.Test;

class DeadLetterConverterTest {

    private static final Schema ROW =
            SchemaBuilder.struct().field("id", Schema.INT64_SCHEMA).build();
    private static final Map<String, String> JSON =
            Map.of("delegate", JsonConverter.class.getName(), "delegate.schemas.enable", "false");

    private static DeadLetterConverter of(Map<String, String> settings, boolean isKey) {
        DeadLetterConverter converter = new DeadLetterConverter();
        converter.configure(settings, isKey);
        return converter;
    }

    private static DeadLetterConverter ofHeaders(Map<String, String> settings) {
        DeadLetterConverter converter = new DeadLetterConverter();
        converter.configure(settings);
        return converter;
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Test
    void isFoundByTheServiceLoader() {
        assertThat(ServiceLoader.load(Converter.class)).hasAtLeastOneElementOfType(DeadLetterConverter.class);
        assertThat(ServiceLoader.load(HeaderConverter.class)).hasAtLeastOneElementOfType(DeadLetterConverter.class);
    }

    @Test
    void writesTheBytesOfADeadLetterUnchanged() {
        byte[] bytes = {0, (byte) 0xff, 7};
        DeadLetterConverter converter = of(JSON, false);
        assertThat(converter.fromConnectData("t", DeadLetterSchema.BYTES, bytes))
                .containsExactly(bytes);
        assertThat(converter.fromConnectData("t", new RecordHeaders(), DeadLetterSchema.BYTES, bytes))
                .containsExactly(bytes);
        assertThat(converter.fromConnectData("t", new RecordHeaders(), DeadLetterSchema.BYTES, null))
                .isNull();
        assertThat(ofHeaders(Map.of()).fromConnectHeader("t", "h", DeadLetterSchema.BYTES, bytes))
                .containsExactly(bytes);
    }

    @Test
    void callsTheDelegateForEverythingElse() {
        DeadLetterConverter converter = of(JSON, false);
        Struct row = new Struct(ROW).put("id", 7L);
        assertThat(text(converter.fromConnectData("t", new RecordHeaders(), ROW, row)))
                .isEqualTo("{\"id\":7}");
        assertThat(text(converter.fromConnectData("t", ROW, row))).isEqualTo("{\"id\":7}");
        byte[] bytes = {1, 2};
        assertThat(text(converter.fromConnectData("t", Schema.OPTIONAL_BYTES_SCHEMA, bytes)))
                .as("an event's own bytes")
                .isEqualTo("\"AQI=\"");
        Schema named = SchemaBuilder.bytes().name("org.example.Image").build();
        assertThat(text(converter.fromConnectData("t", named, bytes))).isEqualTo("\"AQI=\"");
        assertThat(text(converter.fromConnectData("t", null, Map.of("id", 7)))).isEqualTo("{\"id\":7}");
        assertThat(text(of(JSON, true).fromConnectData("t", Schema.STRING_SCHEMA, "k")))
                .isEqualTo("\"k\"");
    }

    @Test
    void writesSimpleHeadersByDefault() {
        assertThat(text(ofHeaders(Map.of()).fromConnectHeader("t", "h", Schema.INT32_SCHEMA, 7)))
                .isEqualTo("7");
        assertThat(text(ofHeaders(JSON).fromConnectHeader("t", "h", Schema.STRING_SCHEMA, "x")))
                .isEqualTo("\"x\"");
        assertThat(ofHeaders(Map.of())
                        .toConnectHeader("t", "h", "abc".getBytes(StandardCharsets.UTF_8))
                        .value())
                .isEqualTo("abc");
    }

    @Test
    void readsWithTheDelegate() {
        byte[] json = "{\"id\":7}".getBytes(StandardCharsets.UTF_8);
        assertThat(of(JSON, false).toConnectData("t", json).value()).isEqualTo(Map.of("id", 7L));
        assertThat(of(JSON, false).toConnectData("t", new RecordHeaders(), json).value())
                .isEqualTo(Map.of("id", 7L));
    }

    /** Writes its settings. */
    public static final class TellingConverter implements Converter {
        private String told;

        @Override
        public void configure(Map<String, ?> configs, boolean isKey) {
            told = new TreeMap<>(configs) + (isKey ? " for keys" : " for values");
        }

        @Override
        public byte[] fromConnectData(String topic, Schema schema, Object value) {
            return told.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public SchemaAndValue toConnectData(String topic, byte[] value) {
            throw new AssertionError("only writes");
        }
    }

    @Test
    void passesTheDelegateItsSettingsAndWhetherItIsForKeys() {
        Map<String, String> settings =
                Map.of("delegate", TellingConverter.class.getName(), "delegate.url", "there", "converter.type", "any");
        assertThat(text(of(settings, true).fromConnectData("t", null, "a")))
                .isEqualTo("{converter.type=key, url=there} for keys");
        assertThat(text(of(settings, false).fromConnectData("t", null, "a")))
                .isEqualTo("{converter.type=value, url=there} for values");
    }

    @Test
    void namesTheKeyWithoutAConverter() {
        assertThatThrownBy(() -> of(Map.of(), true))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("key.converter.delegate is missing", "set it to the class");
        assertThatThrownBy(() -> of(Map.of("delegate", "org.example.NoSuch"), false))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("value.converter.delegate", "org.example.NoSuch is not installed");
        assertThatThrownBy(() -> ofHeaders(Map.of("delegate", "org.example.NoSuch")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("header.converter.delegate");
    }

    @Test
    void closesTheDelegate() throws IOException {
        int before = ClosingConverter.OPEN.get();
        Map<String, String> closing = Map.of("delegate", ClosingConverter.class.getName());
        DeadLetterConverter converter = of(closing, false);
        assertThat(ClosingConverter.OPEN).hasValue(before + 1);
        converter.close();
        assertThat(ClosingConverter.OPEN).hasValue(before);

        Map<String, String> refused = Map.of("delegate", ClosingConverter.class.getName(), "delegate.refuse", "any");
        assertThatThrownBy(() -> of(refused, false)).isInstanceOf(ConfigException.class);
        assertThat(ClosingConverter.OPEN).as("not configured").hasValue(before);
        new DeadLetterConverter().close();
    }

    @Test
    void reportsItsVersionAndItsSettings() {
        assertThat(new DeadLetterConverter().version()).isNotEqualTo("undefined");
        assertThat(new DeadLetterConverter().config().names()).containsExactly("delegate");
    }
}
