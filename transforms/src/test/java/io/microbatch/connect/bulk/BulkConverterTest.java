package io.microbatch.connect.bulk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.data.ConnectSchema;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.json.JsonConverter;
import org.apache.kafka.connect.storage.Converter;
import org.apache.kafka.connect.storage.StringConverter;
import org.junit.jupiter.api.Test;

/** Tests the value that a sink connector gets, with Kafka's own converters as inner converters. */
class BulkConverterTest {

    private static final BulkWriter NULLS = BulkWriter.of(BulkFormat.FLAG_NULL_VALUES);

    @Test
    void isFoundByTheServiceLoader() {
        assertThat(ServiceLoader.load(Converter.class)).hasAtLeastOneElementOfType(BulkConverter.class);
    }

    @Test
    void returnsAnArrayOfBytes() {
        SchemaAndValue array = converter(Map.of()).toConnectData("topic", record("a", "", null));
        assertThat(array.schema().valueSchema()).isEqualTo(Schema.OPTIONAL_BYTES_SCHEMA);
        assertThat((List<?>) array.value())
                .usingRecursiveComparison()
                .isEqualTo(Arrays.asList(new byte[] {'a'}, new byte[0], null));
        ConnectSchema.validateValue(array.schema(), array.value());
    }

    @Test
    void returnsAnArrayOfStrings() {
        SchemaAndValue array = converter(Map.of("inner.converter", StringConverter.class.getName()))
                .toConnectData("topic", record("a", "", null, "ä"));
        assertThat(array.schema().valueSchema()).isEqualTo(Schema.OPTIONAL_STRING_SCHEMA);
        assertThat(array.value()).isEqualTo(Arrays.asList("a", "", null, "ä"));
        ConnectSchema.validateValue(array.schema(), array.value());
    }

    @Test
    void keepsTheSchemaOfARecordThatHasOnlyNullEvents() {
        BulkConverter strings = converter(Map.of("inner.converter", StringConverter.class.getName()));
        SchemaAndValue array = strings.toConnectData("topic", record(NULLS, Arrays.asList(null, null)));
        assertThat(array.schema()).isNotNull();
        assertThat(array.schema().valueSchema()).isEqualTo(Schema.OPTIONAL_STRING_SCHEMA);
        assertThat(array.value()).isEqualTo(Arrays.asList(null, null));
        assertThat(strings.toConnectData("topic", record("a", null)).schema())
                .as("the same object, which a cache of schemas needs")
                .isSameAs(array.schema());
    }

    @Test
    void passesSettingsToTheInnerConverter() {
        byte[] latin = {(byte) 0xE4};
        SchemaAndValue array = converter(Map.of(
                        "inner.converter",
                        StringConverter.class.getName(),
                        "inner.converter.converter.encoding",
                        "ISO-8859-1"))
                .toConnectData("topic", record(BulkWriter.of(0), List.of(latin)));
        assertThat(array.value()).isEqualTo(List.of("ä"));
    }

    @Test
    void returnsAListWithoutSchemaForEventsWithoutSchema() {
        SchemaAndValue array = converter(Map.of(
                        "inner.converter", JsonConverter.class.getName(), "inner.converter.schemas.enable", "false"))
                .toConnectData("topic", record("{\"id\":1}", null, "7"));
        assertThat(array.schema()).isNull();
        assertThat(array.value()).isEqualTo(Arrays.asList(Map.of("id", 1L), null, 7L));
    }

    @Test
    void returnsAnArrayOfStructs() {
        Schema schema = SchemaBuilder.struct()
                .name("row")
                .field("id", Schema.INT64_SCHEMA)
                .build();
        SchemaAndValue array = structs().toConnectData("topic", structs(schema, 1L, 2L));
        assertThat(array.schema()).isEqualTo(SchemaBuilder.array(schema).build());
        assertThat(array.value()).isEqualTo(List.of(row(schema, 1L), row(schema, 2L)));
        ConnectSchema.validateValue(array.schema(), array.value());
    }

    @Test
    void makesTheSchemaOptionalIfAStructIsNull() {
        Schema schema = SchemaBuilder.struct()
                .name("row")
                .version(3)
                .doc("a row")
                .parameter("table", "rows")
                .field("id", Schema.INT64_SCHEMA)
                .build();
        Schema optional = SchemaBuilder.struct()
                .optional()
                .name("row")
                .version(3)
                .doc("a row")
                .parameter("table", "rows")
                .field("id", Schema.INT64_SCHEMA)
                .build();
        SchemaAndValue array = structs().toConnectData("topic", structs(schema, null, 1L));
        assertThat(array.schema()).isEqualTo(SchemaBuilder.array(optional).build());
        assertThat(array.value()).isEqualTo(Arrays.asList(null, row(optional, 1L)));
        ConnectSchema.validateValue(array.schema(), array.value());
    }

    @Test
    void makesTheSchemaOptionalIfAnArrayOrAMapIsNull() {
        for (SchemaBuilder builder : List.of(
                SchemaBuilder.array(Schema.INT64_SCHEMA),
                SchemaBuilder.map(Schema.STRING_SCHEMA, Schema.INT64_SCHEMA))) {
            Schema schema = builder.build();
            Object value = schema.type() == Schema.Type.ARRAY ? List.of(1L) : Map.of("a", 1L);
            JsonConverter writer = new JsonConverter();
            writer.configure(Map.of(), false);
            SchemaAndValue array = structs()
                    .toConnectData(
                            "topic",
                            record(NULLS, Arrays.asList(writer.fromConnectData("topic", schema, value), null)));
            assertThat(array.schema().valueSchema().isOptional()).isTrue();
            assertThat(array.value()).isEqualTo(Arrays.asList(value, null));
            ConnectSchema.validateValue(array.schema(), array.value());
        }
    }

    @Test
    void rejectsEventsOfDifferentSchemas() {
        BulkConverter converter = structs();
        Schema one = SchemaBuilder.struct().field("id", Schema.INT64_SCHEMA).build();
        Schema two = SchemaBuilder.struct().field("no", Schema.INT64_SCHEMA).build();
        JsonConverter writer = new JsonConverter();
        writer.configure(Map.of(), false);
        byte[] mixed = record(
                NULLS,
                List.of(
                        writer.fromConnectData("topic", one, row(one, 1L)),
                        writer.fromConnectData("topic", two, new Struct(two).put("no", 1L))));
        assertThatThrownBy(() -> converter.toConnectData("topic", mixed))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("an array has one schema");
    }

    @Test
    void passesATombstone() {
        assertThat(converter(Map.of()).toConnectData("topic", null)).isEqualTo(SchemaAndValue.NULL);
    }

    @Test
    void namesTheTopicOfARecordThatIsNotABulkRecord() {
        BulkConverter converter = converter(Map.of());
        assertThatThrownBy(() -> converter.toConnectData("orders", text("a plain record")))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("orders")
                .hasMessageContaining("does not begin with B5 62")
                .hasCauseInstanceOf(BulkFormatException.class);
    }

    @Test
    void keepsItsLimits() {
        BulkConverter converter = converter(Map.of(BulkReaderConfig.MAX_EVENTS_CONFIG, "1"));
        assertThatThrownBy(() -> converter.toConnectData("topic", record("a", "b")))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("the limit is 1");
    }

    @Test
    void rejectsReadingKeysAndWriting() {
        assertThatThrownBy(() -> new BulkConverter().configure(Map.of(), true))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("key.converter");
        BulkConverter converter = converter(Map.of());
        assertThatThrownBy(() -> converter.fromConnectData("topic", null, List.of()))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("bulk.enabled");
    }

    @Test
    void closesItsInnerConverterUnderTheLoaderOfItsClass() throws IOException {
        int before = ClosingConverter.OPEN.get();
        BulkConverter converter = converter(Map.of("inner.converter", ClosingConverter.class.getName()));
        assertThat(ClosingConverter.OPEN).hasValue(before + 1);
        closeElsewhere(converter);
        assertThat(ClosingConverter.OPEN).hasValue(before);
        closeElsewhere(converter(Map.of()));
        closeElsewhere(new BulkConverter());
    }

    @Test
    void closesAnInnerConverterThatRejectsItsSettings() {
        int before = ClosingConverter.OPEN.get();
        Map<String, String> settings =
                Map.of("inner.converter", ClosingConverter.class.getName(), "inner.converter.refuse", "any");
        assertThatThrownBy(() -> converter(settings)).hasMessageContaining("refuse must not be set");
        assertThat(ClosingConverter.OPEN).hasValue(before);
    }

    /** Calls with the class loader of another plugin. */
    private static void closeElsewhere(BulkConverter converter) throws IOException {
        ClassLoader own = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader other = new URLClassLoader(new URL[0], own)) {
            Thread.currentThread().setContextClassLoader(other);
            converter.close();
        } finally {
            Thread.currentThread().setContextClassLoader(own);
        }
    }

    @Test
    void rejectsAnInnerConverterThatIsNotAConverter() {
        assertThatThrownBy(() -> converter(Map.of("inner.converter", "java.lang.String")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("inner.converter")
                .hasMessageContaining("java.lang.String");
        assertThatThrownBy(() -> converter(Map.of("inner.converter", "no.such.Converter")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("inner.converter");
    }

    private static BulkConverter converter(Map<String, ?> settings) {
        BulkConverter converter = new BulkConverter();
        Map<String, Object> configs = new HashMap<>(settings);
        configs.put("converter.type", "value");
        converter.configure(configs, false);
        return converter;
    }

    private static BulkConverter structs() {
        return converter(Map.of("inner.converter", JsonConverter.class.getName()));
    }

    private static byte[] structs(Schema schema, Long... ids) {
        JsonConverter writer = new JsonConverter();
        writer.configure(Map.of(), false);
        List<byte[]> values = new ArrayList<>();
        for (Long id : ids) {
            values.add(id == null ? null : writer.fromConnectData("topic", schema, row(schema, id)));
        }
        return record(NULLS, values);
    }

    private static Struct row(Schema schema, Long id) {
        return new Struct(schema).put("id", id);
    }

    private static byte[] record(String... values) {
        return record(NULLS, Arrays.stream(values).map(BulkConverterTest::text).toList());
    }

    private static byte[] record(BulkWriter writer, List<byte[]> values) {
        BulkRecordBuilder builder = new BulkRecordBuilder(writer, 100_000);
        values.forEach(value ->
                assertThat(builder.append(null, BulkFormat.NO_TIMESTAMP, value)).isTrue());
        return builder.build();
    }

    private static byte[] text(String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }
}
