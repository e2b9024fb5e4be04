package io.microbatch.connect.transforms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microbatch.connect.bulk.BulkFormat;
import io.microbatch.connect.bulk.BulkFormatException;
import io.microbatch.connect.bulk.BulkRecordBuilder;
import io.microbatch.connect.bulk.BulkWriter;
import io.microbatch.connect.bulk.ClosingConverter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.connector.ConnectRecord;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.storage.Converter;
import org.apache.kafka.connect.storage.StringConverter;
import org.junit.jupiter.api.Test;

class UnpackBulkTest {

    private static <R extends ConnectRecord<R>> UnpackBulk<R> transform(Map<String, String> settings) {
        UnpackBulk<R> transform = new UnpackBulk<>();
        transform.configure(settings);
        return transform;
    }

    private static byte[] bulk(String... events) {
        int flags = Arrays.asList(events).contains(null) ? BulkFormat.FLAG_NULL_VALUES : 0;
        BulkRecordBuilder record = new BulkRecordBuilder(BulkWriter.of(flags), 1_000_000);
        for (String event : events) {
            assertThat(record.append(null, -1, event == null ? null : event.getBytes(StandardCharsets.UTF_8)))
                    .isTrue();
        }
        return record.build();
    }

    private static SinkRecord sink(Object value) {
        return Records.sink(Schema.STRING_SCHEMA, "key", Schema.BYTES_SCHEMA, value);
    }

    @Test
    void returnsAnArrayOfBytes() {
        SinkRecord record = sink(bulk("a", "", null, "äß"));
        SinkRecord unpacked = UnpackBulkTest.<SinkRecord>transform(Map.of()).apply(record);
        assertThat((List<?>) unpacked.value())
                .usingRecursiveComparison()
                .isEqualTo(Arrays.asList(new byte[] {'a'}, new byte[0], null, "äß".getBytes(StandardCharsets.UTF_8)));
        assertThat(unpacked.valueSchema())
                .isEqualTo(SchemaBuilder.array(Schema.OPTIONAL_BYTES_SCHEMA).build());
        assertThat(unpacked.key()).isEqualTo("key");
        assertThat(unpacked.keySchema()).isEqualTo(Schema.STRING_SCHEMA);
        assertThat(unpacked.kafkaOffset()).isEqualTo(record.kafkaOffset());
        assertThat(unpacked.headers()).isEqualTo(record.headers()).isNotSameAs(record.headers());
    }

    @Test
    void returnsAnArrayOfStrings() {
        SinkRecord unpacked =
                UnpackBulkTest.<SinkRecord>transform(Map.of("as", "string")).apply(sink(bulk("a", "", null, "äß")));
        assertThat((List<?>) unpacked.value()).isEqualTo(Arrays.asList("a", "", null, "äß"));
        assertThat(unpacked.valueSchema())
                .isEqualTo(SchemaBuilder.array(Schema.OPTIONAL_STRING_SCHEMA).build());
        assertThat(unpacked.valueSchema().valueSchema().isOptional()).isTrue();
    }

    @Test
    void returnsAnArrayOfConvertedEvents() {
        UnpackBulk<SinkRecord> transform = transform(Map.of(
                "as", "converted", "inner.converter", OrderConverter.class.getName(), "inner.converter.note", "hello"));
        SinkRecord unpacked = transform.apply(sink(bulk("1", "22")));
        assertThat((List<?>) unpacked.value())
                .isEqualTo(List.of(OrderConverter.order(1, "hello orders"), OrderConverter.order(22, "hello orders")));
        assertThat(unpacked.valueSchema())
                .isEqualTo(SchemaBuilder.array(Records.ORDER).build());
        assertThat(transform.apply(sink(bulk("3"))).valueSchema())
                .as("one schema object")
                .isSameAs(unpacked.valueSchema());
    }

    @Test
    void closesTheConverterOfTheEvents() {
        int before = ClosingConverter.OPEN.get();
        UnpackBulk<SinkRecord> transform =
                transform(Map.of("as", "converted", "inner.converter", ClosingConverter.class.getName()));
        assertThat(ClosingConverter.OPEN).hasValue(before + 1);
        transform.close();
        assertThat(ClosingConverter.OPEN).hasValue(before);
        UnpackBulkTest.<SinkRecord>transform(Map.of()).close();
        new UnpackBulk<SinkRecord>().close();
    }

    @Test
    void returnsAnArrayWithoutSchemaIfTheConverterReturnsNone() {
        UnpackBulk<SinkRecord> transform =
                transform(Map.of("as", "converted", "inner.converter", OrderConverter.class.getName()));
        SinkRecord unpacked = transform.apply(sink(bulk("schemaless", "schemaless", null)));
        assertThat((List<?>) unpacked.value())
                .isEqualTo(Arrays.asList(Map.of("id", "schemaless"), Map.of("id", "schemaless"), null));
        assertThat(unpacked.valueSchema()).isNull();
        assertThat((List<?>) transform.apply(sink(bulk())).value()).isEmpty();
    }

    @Test
    void rejectsEventsOfSeveralSchemasInOneRecord() {
        UnpackBulk<SinkRecord> transform =
                transform(Map.of("as", "converted", "inner.converter", OrderConverter.class.getName()));
        assertThatThrownBy(() -> transform.apply(sink(bulk("1", null, "schemaless"))))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("Event 2");
        assertThatThrownBy(() -> transform.apply(sink(bulk("schemaless", "1"))))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("Event 1");
    }

    @Test
    void passesTombstonesAndUnpackedRecords() {
        UnpackBulk<SinkRecord> transform = transform(Map.of());
        SinkRecord tombstone = Records.sink(Schema.STRING_SCHEMA, "gone", null, null);
        assertThat(transform.apply(tombstone)).isSameAs(tombstone);
        SinkRecord once = transform.apply(sink(bulk("a", "b")));
        assertThat(transform.apply(once)).isSameAs(once);
        SourceRecord source = Records.source(null, null, null, bulk("a"));
        assertThat((List<?>) UnpackBulkTest.<SourceRecord>transform(Map.of())
                        .apply(source)
                        .value())
                .hasSize(1);
    }

    @Test
    void readsBuffersOfEveryKind() {
        byte[] bulk = bulk("a", "bc");
        ByteBuffer direct = ByteBuffer.allocateDirect(bulk.length + 5).position(5);
        direct.put(bulk).position(5);
        ByteBuffer part = ByteBuffer.allocate(bulk.length + 9).position(4);
        part.put(bulk).position(4).limit(4 + bulk.length);
        for (ByteBuffer buffer : List.of(ByteBuffer.wrap(bulk), direct, part, part.asReadOnlyBuffer())) {
            UnpackBulk<SinkRecord> transform = transform(Map.of("as", "string"));
            assertThat((List<?>) transform.apply(sink(buffer)).value()).isEqualTo(List.of("a", "bc"));
            assertThat((List<?>) transform.apply(sink(buffer)).value())
                    .as("the buffer is unchanged")
                    .isEqualTo(List.of("a", "bc"));
        }
    }

    @Test
    void returnsThePackedEvents() {
        Random random = new Random(7);
        UnpackBulk<SinkRecord> transform = transform(Map.of());
        for (int round = 0; round < 200; round++) {
            List<byte[]> events = new ArrayList<>();
            BulkRecordBuilder record = new BulkRecordBuilder(BulkWriter.of(BulkFormat.ALL_FLAGS, 1_000), 1_000_000);
            for (int i = random.nextInt(50); i > 0; i--) {
                byte[] event = random.nextInt(9) == 0 ? null : new byte[random.nextInt(300)];
                if (event != null) {
                    random.nextBytes(event);
                }
                events.add(event);
                assertThat(record.append(new byte[random.nextInt(3)], 1_000 + i, event))
                        .isTrue();
            }
            Object value = transform.apply(sink(record.build())).value();
            assertThat((List<?>) value).usingRecursiveComparison().isEqualTo(events);
        }
    }

    @Test
    void rejectsOtherRecordsWithAReason() {
        UnpackBulk<SinkRecord> transform = transform(Map.of("bulk.max.events", "2"));
        assertThatThrownBy(() -> transform.apply(sink("a text")))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("ByteArrayConverter");
        byte[] damaged = bulk("a", "b");
        damaged[damaged.length - 1]++;
        for (byte[] bad : List.of(new byte[0], "a plain event".getBytes(StandardCharsets.UTF_8), damaged)) {
            assertThatThrownBy(() -> transform.apply(sink(bad)))
                    .isInstanceOf(DataException.class)
                    .hasCauseInstanceOf(BulkFormatException.class)
                    .hasMessageContaining("orders");
        }
        assertThatThrownBy(() -> transform.apply(sink(bulk("a", "b", "c"))))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("limit");
        assertThat((List<?>) transform.apply(sink(bulk("a", "b"))).value()).hasSize(2);
    }

    @Test
    void rejectsContradictorySettingsAndClassesThatAreNotConverters() {
        assertRefused(Map.of("as", "converted"), ConfigException.class, "inner.converter");
        assertRefused(Map.of("inner.converter", "X"), ConfigException.class, "as=converted");
        assertRefused(Map.of("as", "xml"), ConfigException.class, "as");
        assertRefused(
                Map.of("as", "converted", "inner.converter", "no.such.Converter"),
                ConnectException.class,
                "no.such.Converter");
        assertRefused(
                Map.of("as", "converted", "inner.converter", "java.lang.Object"),
                ConnectException.class,
                "java.lang.Object");
    }

    private static void assertRefused(Map<String, String> settings, Class<?> type, String text) {
        assertThatThrownBy(() -> UnpackBulkTest.<SinkRecord>transform(settings))
                .isInstanceOf(type)
                .hasMessageContaining(text);
    }

    @Test
    void usesAConverterOfKafka() {
        UnpackBulk<SinkRecord> transform =
                transform(Map.of("as", "converted", "inner.converter", StringConverter.class.getName()));
        SinkRecord unpacked = transform.apply(sink(bulk("a", "b")));
        assertThat((List<?>) unpacked.value()).isEqualTo(List.of("a", "b"));
        assertThat(unpacked.valueSchema())
                .isEqualTo(SchemaBuilder.array(Schema.OPTIONAL_STRING_SCHEMA).build());
    }

    /** Reads an order from its number, and a map from "schemaless". The note contains the setting and the topic. */
    public static final class OrderConverter implements Converter {

        private Object note;

        static Struct order(long id, String note) {
            return new Struct(Records.ORDER).put("id", id).put("note", note);
        }

        @Override
        public void configure(Map<String, ?> configs, boolean isKey) {
            assertThat(isKey).isFalse();
            note = configs.get("note");
        }

        @Override
        public byte[] fromConnectData(String topic, Schema schema, Object value) {
            throw new AssertionError("only reads");
        }

        @Override
        public SchemaAndValue toConnectData(String topic, byte[] value) {
            if (value == null) {
                return SchemaAndValue.NULL;
            }
            String text = new String(value, StandardCharsets.UTF_8);
            return text.equals("schemaless")
                    ? new SchemaAndValue(null, Map.of("id", text))
                    : new SchemaAndValue(Records.ORDER, order(Long.parseLong(text), note + " " + topic));
        }
    }
}
