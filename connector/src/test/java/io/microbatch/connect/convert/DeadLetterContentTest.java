package io.microbatch.connect.convert;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.config.MicrobatchConfig;
import io.microbatch.connect.upstream.RecordConversion;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a dead letter has of an event that is not converted: a legal value of Connect in each of its forms. */
class DeadLetterContentTest {

    private static final int LIMIT = 20_000;
    private static final Schema ROW = SchemaBuilder.struct()
            .field("id", Schema.INT64_SCHEMA)
            .field("image", Schema.OPTIONAL_BYTES_SCHEMA)
            .field("note", Schema.OPTIONAL_STRING_SCHEMA)
            .build();

    private final Map<String, String> properties = new HashMap<>(Map.of(
            "upstream.connector.class", "org.example.Any",
            "deadletter.topic", "orders.dead",
            "deadletter.key.converter", TestConverter.class.getName(),
            "deadletter.value.converter", TestConverter.class.getName(),
            "deadletter.max.bytes", Integer.toString(LIMIT)));
    private RecordConversion conversion;

    /** The dead letter of an event that the key's converter refuses, so that its value is not converted. */
    private SourceRecord letter(Object value) throws InterruptedException {
        return letter(
                new SourceRecord(Map.of("table", "a"), Map.of("lsn", 7L), "orders", null, null, "poison", null, value));
    }

    private SourceRecord letter(SourceRecord record) throws InterruptedException {
        if (conversion == null) {
            conversion = Conversion.withDeadLetters(
                            new MicrobatchConfig(properties).deadLetter().orElseThrow(), false, new AtomicLong())
                    .get();
            conversion.open();
        }
        return conversion.convert(record, () -> {});
    }

    @AfterEach
    void close() {
        conversion.close();
    }

    private static String text(Object bytes) {
        return new String((byte[]) bytes, StandardCharsets.UTF_8);
    }

    private static String header(SourceRecord letter, String name) {
        return text(letter.headers().lastWithName("__connect.errors." + name).value());
    }

    private static ByteBuffer buffer(int... bytes) {
        ByteBuffer buffer = ByteBuffer.allocate(bytes.length);
        for (int b : bytes) {
            buffer.put((byte) b);
        }
        return buffer.flip();
    }

    @Test
    void hasTheBytesOfABuffer() throws InterruptedException {
        ByteBuffer value = ByteBuffer.wrap(new byte[] {9, 1, 2, 3, 9}, 1, 3);
        SourceRecord letter = letter(value);
        assertThat((byte[]) letter.value()).containsExactly(1, 2, 3);
        assertThat(header(letter, "value.encoding")).isEqualTo("bytes");
        assertThat(header(letter, "value.bytes")).isEqualTo("3");
        assertThat(value.position()).as("the event's own position").isEqualTo(1);

        ByteBuffer outsideTheHeap = ByteBuffer.allocateDirect(2).put(new byte[] {4, 5});
        assertThat((byte[]) letter(outsideTheHeap.flip().asReadOnlyBuffer()).value())
                .containsExactly(4, 5);
    }

    @Test
    void hasTheFirstBytesOfALargeBufferAndItsLength() throws InterruptedException {
        SourceRecord letter = letter(ByteBuffer.allocate(90_000));
        assertThat((byte[]) letter.value()).hasSizeBetween(1_000, LIMIT);
        assertThat(header(letter, "value.bytes")).isEqualTo("90000");
    }

    @Test
    void hasTheBytesOfARefusedHeaderThatIsABuffer() throws InterruptedException {
        properties.put("deadletter.header.converter", BytesOnlyHeaders.class.getName());
        SourceRecord record =
                new SourceRecord(Map.of("table", "a"), Map.of("lsn", 7L), "orders", null, null, "k", null, "v");
        record.headers().add("hash", buffer(1, 2, 3), Schema.BYTES_SCHEMA);
        record.headers().add("hashes", List.of(buffer(1, 2, 3)), null);
        SourceRecord letter = letter(record);
        assertThat(header(letter, "stage")).isEqualTo("HEADER_CONVERTER");
        assertThat((byte[]) letter.headers().lastWithName("hash").value()).containsExactly(1, 2, 3);
        assertThat(text(letter.headers().lastWithName("hashes").value())).isEqualTo("[AQID]");
    }

    /** Debezium's form of a row with a column of bytes. */
    @Test
    void hasBinaryValuesWithinTheTextInBase64() throws InterruptedException {
        Struct row = new Struct(ROW).put("id", 1L).put("image", buffer(1, 2, 3));
        SourceRecord letter = letter(row);
        assertThat(text(letter.value())).isEqualTo("Struct{id=1,image=AQID}");
        assertThat(header(letter, "value.encoding")).isEqualTo("text");
        assertThat(header(letter, "value.bytes")).isEqualTo("23");

        Map<String, Object> nested = new LinkedHashMap<>();
        nested.put("list", Arrays.asList(new byte[] {1, 2, 3}, null, row));
        nested.put("none", null);
        assertThat(text(letter(nested).value())).isEqualTo("{list=[AQID, null, Struct{id=1,image=AQID}], none=null}");
    }

    @Test
    void hasTheTextOfEverythingElse() throws InterruptedException {
        Struct row = new Struct(ROW).put("id", 1L).put("note", "gr\u00fc\u00df \ud83d\ude00 \ud83d");
        for (Object value : List.of(row, List.of(row, 1, "a"), Map.of("k", List.of()), Map.of(), 1.5, true)) {
            assertThat((byte[]) letter(value).value())
                    .isEqualTo(value.toString().getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void hasTheBeginningOfALongTextAndItsLength() throws InterruptedException {
        byte[] image = new byte[100_001];
        Arrays.fill(image, (byte) 77);
        String whole = "{image=" + Base64.getEncoder().encodeToString(image) + "}";
        SourceRecord letter = letter(Map.of("image", image));
        assertThat(header(letter, "value.bytes")).isEqualTo(Integer.toString(whole.length()));
        assertThat(whole).startsWith(text(letter.value()));
        assertThat((byte[]) letter.value()).hasSizeBetween(1_000, LIMIT);

        // Two chars and four bytes each, so that a text may be divided only at every second char.
        String pairs = "a" + "\ud83d\ude00".repeat(30_000);
        letter = letter(List.of(pairs));
        assertThat(header(letter, "value.bytes")).isEqualTo("120003");
        assertThat(("[" + pairs).getBytes(StandardCharsets.UTF_8)).startsWith((byte[]) letter.value());
    }

    @Test
    void survivesAValueWithinThatHasNoText() throws InterruptedException {
        Object hostile = new Object() {
            @Override
            public String toString() {
                throw new IllegalStateException("not even that");
            }
        };
        assertThat(text(letter(Arrays.asList(1, hostile, 2)).value()))
                .isEqualTo("[1, unreadable: java.lang.IllegalStateException, 2]");
    }

    @Test
    void hasATextOfAnyDepth() throws InterruptedException {
        Object value = "leaf";
        for (int depth = 0; depth < 1_000; depth++) {
            value = new ArrayList<>(List.of(value));
        }
        assertThat(text(letter(value).value())).isEqualTo("[".repeat(1_000) + "leaf" + "]".repeat(1_000));
    }

    @Test
    void hasSourcePartitionAndOffsetWithBinaryValuesInBase64() throws InterruptedException {
        SourceRecord letter = letter(new SourceRecord(
                Map.of("id", buffer(1, 2, 3)),
                Map.of("mark", new byte[] {1, 2, 3}),
                "orders",
                null,
                null,
                "poison",
                null,
                "v"));
        assertThat(header(letter, "source.partition")).isEqualTo("{id=AQID}");
        assertThat(header(letter, "source.offset")).isEqualTo("{mark=AQID}");
    }
}
