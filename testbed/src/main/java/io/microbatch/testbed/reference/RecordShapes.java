package io.microbatch.testbed.reference;

import java.math.BigDecimal;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.data.Time;
import org.apache.kafka.connect.data.Timestamp;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Converts messages to records, either all of one shape or of all shapes that Connect allows, in turn. The same message
 * always becomes the same record, so that delivered records can be compared. Immutable.
 */
final class RecordShapes {

    /** The key of the offset, and the header with the message's id. */
    static final String ID = "id";

    /** The header with the message itself, for any key and value. */
    static final String EVENT = "event";

    private static final int SHAPES = 6;
    private static final int TOPIC_PARTITIONS = 3;
    private static final long FIRST_TIMESTAMP_MS = 1_700_000_000_000L;
    private static final Schema POINT = SchemaBuilder.struct()
            .name("point")
            .field("x", Schema.INT32_SCHEMA)
            .field("label", Schema.OPTIONAL_STRING_SCHEMA)
            .build();

    private final String topic;
    private final Map<String, String> partition;
    private final boolean everyShape;

    RecordShapes(String topic, String queue, boolean everyShape) {
        this.topic = topic;
        this.partition = Map.of("queue", queue);
        this.everyShape = everyShape;
    }

    /** The source partition. */
    Map<String, String> partition() {
        return partition;
    }

    /** The id of the record's message. */
    static long id(SourceRecord record) {
        return ((Number) record.headers().lastWithName(ID).value()).longValue();
    }

    SourceRecord record(QueueClient.Message message) {
        long id = message.id();
        ConnectHeaders headers = new ConnectHeaders();
        headers.addLong(ID, id);
        if (!everyShape) {
            return new SourceRecord(
                    partition,
                    Map.of(ID, id),
                    topic,
                    null,
                    Schema.STRING_SCHEMA,
                    "key-" + id,
                    Schema.STRING_SCHEMA,
                    message.body(),
                    null,
                    headers);
        }
        headers.addString(EVENT, message.body());
        addEveryType(headers);
        int shape = (int) (id / TOPIC_PARTITIONS % SHAPES);
        boolean nullKey = shape == 1 || shape == 5;
        boolean nullOffset = shape == 3 || shape == 5;
        return new SourceRecord(
                nullOffset ? null : partition,
                nullOffset ? null : Map.of(ID, id),
                topic,
                (int) (id % TOPIC_PARTITIONS),
                nullKey ? null : Schema.STRING_SCHEMA,
                nullKey ? null : "key-" + id,
                schema(shape),
                value(shape, id),
                FIRST_TIMESTAMP_MS + id,
                headers);
    }

    private static Schema schema(int shape) {
        return switch (shape) {
            case 0 -> POINT;
            case 1 -> Schema.BYTES_SCHEMA;
            case 2 -> Schema.OPTIONAL_STRING_SCHEMA;
            default -> null;
        };
    }

    private static Object value(int shape, long id) {
        return switch (shape) {
            case 0 -> new Struct(POINT).put("x", (int) id).put("label", id % 2 == 0 ? null : "odd");
            case 1 -> Long.toString(id).getBytes(java.nio.charset.StandardCharsets.UTF_8);
            // Sorted, because the order of Map.of differs between JVMs.
            case 3 -> new TreeMap<>(Map.of("number", id, "list", List.of(id, id + 1)));
            case 4 -> List.of("text", id, 0.5, true);
            default -> null;
        };
    }

    private static void addEveryType(ConnectHeaders headers) {
        headers.add("null", null, null)
                .addBoolean("boolean", true)
                .addByte("int8", (byte) 8)
                .addShort("int16", (short) 16)
                .addInt("int32", 32)
                .addLong("int64", 64)
                .addFloat("float32", 0.5f)
                .addDouble("float64", 0.25)
                .addString("string", "text")
                .addString("twice", "first")
                .addString("twice", "second")
                .addBytes("bytes", new byte[] {1, 2, 3})
                .addList(
                        "list",
                        List.of(1, 2),
                        SchemaBuilder.array(Schema.INT32_SCHEMA).build())
                .addMap(
                        "map",
                        Map.of("a", 1),
                        SchemaBuilder.map(Schema.STRING_SCHEMA, Schema.INT32_SCHEMA)
                                .build())
                .addStruct("struct", new Struct(POINT).put("x", 1))
                .addDecimal("decimal", new BigDecimal("1.25"))
                .add("decimal-schema", new BigDecimal("1.25"), Decimal.schema(2))
                .addDate("date", new Date(0))
                .add("time", new Date(1_000), Time.SCHEMA)
                .add("timestamp", new Date(FIRST_TIMESTAMP_MS), Timestamp.SCHEMA);
    }
}
