package io.microbatch.connect.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
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
    void countsTheBytesAndCharactersThatMakeARecordLarge() {
        int nothing = of(null);
        assertThat(of(new byte[10_000])).isBetween(nothing + 10_000, nothing + 10_100);
        assertThat(of("x".repeat(10_000))).isBetween(nothing + 10_000, nothing + 10_100);
        ByteBuffer buffer = ByteBuffer.allocate(20_000).position(10_000);
        assertThat(of(buffer)).isBetween(nothing + 10_000, nothing + 10_100);
        assertThat(buffer.position()).as("the buffer is as it was").isEqualTo(10_000);
    }

    @Test
    void countsTheKeyToo() {
        SourceRecord record = new SourceRecord(null, null, "t", null, new byte[5_000], null, new byte[3_000]);
        assertThat(RecordSize.estimateBytes(record)).isBetween(8_000, 8_500);
    }

    @Test
    void looksIntoStructsListsAndMaps() {
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
    void countsAnythingElseAsAConstant() {
        assertThat(of(7L)).isEqualTo(of(true)).isLessThan(500).isPositive();
    }

    @Test
    void comesBackFromAListThatHoldsItself() {
        List<Object> self = new ArrayList<>();
        self.add(self);
        assertThat(of(self)).isLessThan(1_000);
    }
}
