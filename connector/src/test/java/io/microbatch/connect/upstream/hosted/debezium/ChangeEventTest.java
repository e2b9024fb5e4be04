package io.microbatch.connect.upstream.hosted.debezium;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;

class ChangeEventTest {

    private static final long NOW_MS = 1_000_000;
    private static final Schema SOURCE =
            SchemaBuilder.struct().field("ts_ms", Schema.INT64_SCHEMA).build();
    private static final Schema ENVELOPE =
            SchemaBuilder.struct().field("source", SOURCE).build();

    private static SourceRecord record(Object value, Long timestamp) {
        return new SourceRecord(Map.of("p", 0), Map.of("o", 1), "t", null, null, null, null, value, timestamp);
    }

    @Test
    void measuresFromTheCommitInTheDatabase() {
        Struct change = new Struct(ENVELOPE).put("source", new Struct(SOURCE).put("ts_ms", NOW_MS - 250));
        assertThat(ChangeEvent.ageMs(record(change, NOW_MS), NOW_MS)).isEqualTo(250);
    }

    @Test
    void measuresFromTheTimestampWithoutACommitTime() {
        Struct other = new Struct(SOURCE).put("ts_ms", 1L);
        assertThat(ChangeEvent.ageMs(record(other, NOW_MS - 40), NOW_MS)).isEqualTo(40);
        assertThat(ChangeEvent.ageMs(record("text", NOW_MS - 40), NOW_MS)).isEqualTo(40);
    }

    @Test
    void isNeverNegativeAndIsUnknownWithoutATime() {
        assertThat(ChangeEvent.ageMs(record("text", NOW_MS + 5), NOW_MS)).isZero();
        assertThat(ChangeEvent.ageMs(record(null, null), NOW_MS)).isNaN();
    }

    /** MirrorMaker gives this timestamp to a copy of a record that has none. */
    @Test
    void takesANegativeTimeForNone() {
        SourceRecord none = record("text", -1L);
        assertThat(ChangeEvent.ageMs(none, NOW_MS)).isNaN();
        assertThat(ChangeEvent.lastAgeMs(List.of(record("text", NOW_MS - 40), none), NOW_MS))
                .isEqualTo(40);
        Struct change = new Struct(ENVELOPE).put("source", new Struct(SOURCE).put("ts_ms", -1L));
        assertThat(ChangeEvent.ageMs(record(change, NOW_MS - 40), NOW_MS)).isEqualTo(40);
    }

    @Test
    void takesTheLastRecordThatHasATime() {
        SourceRecord none = record(null, null);
        SourceRecord older = record("text", NOW_MS - 40);
        SourceRecord newer = record("text", NOW_MS - 30);
        assertThat(ChangeEvent.lastAgeMs(List.of(older, newer, none, none), NOW_MS))
                .isEqualTo(30);
        assertThat(ChangeEvent.lastAgeMs(List.of(none, none), NOW_MS)).isNaN();
    }
}
