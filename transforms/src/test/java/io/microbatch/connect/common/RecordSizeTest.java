package io.microbatch.connect.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;

class RecordSizeTest {

    private static int of(Object value) {
        return RecordSize.estimateBytes(new SourceRecord(null, null, "t", null, value));
    }

    @Test
    void countsBytesAndCharacters() {
        int nothing = of(null);
        assertThat(of(new byte[10_000])).isBetween(nothing + 10_000, nothing + 10_100);
        assertThat(of("x".repeat(10_000))).isBetween(nothing + 10_000, nothing + 10_100);
        ByteBuffer buffer = ByteBuffer.allocate(20_000).position(10_000);
        assertThat(of(buffer)).isBetween(nothing + 10_000, nothing + 10_100);
        assertThat(buffer.position()).as("the buffer is unchanged").isEqualTo(10_000);
    }

    @Test
    void countsTheKeyToo() {
        SourceRecord record = new SourceRecord(null, null, "t", null, new byte[5_000], null, new byte[3_000]);
        assertThat(RecordSize.estimateBytes(record)).isBetween(8_000, 8_500);
    }

    @Test
    void countsTheContentOfStructsListsAndMaps() {
        Schema inner = SchemaBuilder.struct()
                .field("text", Schema.OPTIONAL_STRING_SCHEMA)
                .field("number", Schema.OPTIONAL_INT64_SCHEMA)
                .build();
        Schema outer = SchemaBuilder.struct().field("inner", inner).build();
        Struct struct = new Struct(outer).put("inner", new Struct(inner).put("text", "x".repeat(4_000)));
        assertThat(of(struct)).isBetween(4_000, 4_500);
        assertThat(of(List.of("x".repeat(1_000), "y".repeat(1_000)))).isBetween(2_000, 2_500);
        assertThat(of(Map.of("k".repeat(1_000), "v".repeat(1_000)))).isBetween(2_000, 2_500);
    }

    @Test
    void countsOtherValuesAsAConstant() {
        assertThat(of(7L)).isEqualTo(of(true)).isLessThan(500).isPositive();
    }

    @Test
    void countsHeadersWithTheirNames() {
        SourceRecord record = new SourceRecord(null, null, "t", null, null);
        int nothing = RecordSize.estimateBytes(record);
        record.headers().addBytes("image", new byte[1_000_000]);
        assertThat(RecordSize.estimateBytes(record)).isBetween(nothing + 1_000_000, nothing + 1_000_200);
        record.headers().addString("n".repeat(2_000), "v".repeat(3_000));
        assertThat(RecordSize.estimateBytes(record)).isBetween(nothing + 1_005_000, nothing + 1_005_400);
        record.headers().add("nothing", null, null);
        assertThat(RecordSize.estimateBytes(record)).isBetween(nothing + 1_005_000, nothing + 1_005_500);
    }

    private static Object wrappedInLists(Object value, int times) {
        Object wrapped = value;
        for (int i = 0; i < times; i++) {
            wrapped = List.of(wrapped);
        }
        return wrapped;
    }

    @Test
    void countsDeepContent() {
        String text = "x".repeat(1_000_000);
        assertThat(of(wrappedInLists(text, 12))).isBetween(1_000_000, 1_001_000);
        assertThat(of(wrappedInLists(Map.of("k".repeat(5_000), text), 12))).isBetween(1_005_000, 1_006_000);
        Schema schema = SchemaBuilder.struct()
                .field("text", Schema.OPTIONAL_STRING_SCHEMA)
                .field("none", Schema.OPTIONAL_STRING_SCHEMA)
                .build();
        Struct struct = new Struct(schema).put("text", text);
        assertThat(of(wrappedInLists(struct, 12))).isBetween(1_000_000, 1_001_000);
        assertThat(of(wrappedInLists(Arrays.asList(text, null, new byte[7_000], 5), 30)))
                .isBetween(1_007_000, 1_009_000);
    }

    @Test
    void countsEachOfSeveralEqualDeepStructures() {
        List<Object> twins = List.of(new ArrayList<>(List.of("x".repeat(4_000))), List.of("x".repeat(4_000)));
        assertThat(of(wrappedInLists(twins, 12))).isBetween(8_000, 9_000);
    }

    @Test
    void countsAStructureThatIsDeeperThanAStack() {
        assertThat(of(wrappedInLists("x".repeat(10_000), 100_000))).isBetween(10_000, 10_000_000);
    }

    @Test
    void returnsForAListThatContainsItself() {
        List<Object> self = new ArrayList<>();
        self.add(self);
        assertThat(of(self)).isLessThan(1_000);
        self.add("x".repeat(10_000));
        assertThat(of(self)).as("a list that contains itself").isGreaterThan(10_000);
    }
}
