package io.microbatch.connect.transforms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microbatch.connect.pressure.PressureLevel;
import io.microbatch.connect.pressure.ReturnedBatch;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.data.Timestamp;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RouteByPressureTest {

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private final AtomicLong epochMs = new AtomicLong(Records.TIMESTAMP_MS);

    private RouteByPressure<SourceRecord> transform(Map<String, String> settings) {
        RouteByPressure<SourceRecord> transform = new RouteByPressure<>(nanos::get, epochMs::get);
        transform.configure(settings);
        return transform;
    }

    private RouteByPressure<SourceRecord> byAge(long budgetMs, String field) {
        return transform(
                Map.of("route.by", "age", "age.budget.ms", Long.toString(budgetMs), "event.time.field", field));
    }

    private static SourceRecord on(String topic) {
        return new SourceRecord(Map.of(), Map.of(), topic, null, null, null, "v");
    }

    @ParameterizedTest
    @EnumSource
    void usesTheLevelOfTheBatch(PressureLevel level) {
        ReturnedBatch batch = new ReturnedBatch(0, level, 0);
        SourceRecord routed = transform(Map.of()).apply(new Records.Placed(Records.source(), batch, 0));
        assertThat(routed.topic()).isEqualTo("orders-L" + level.number());
    }

    @Test
    void usesTheLevelOfTheRateForARecordWithoutABatch() {
        RouteByPressure<SourceRecord> transform = transform(Map.of("smoothing.ms", "500"));
        assertThat(transform.apply(on("t")).topic()).isEqualTo("t-L1");
        String last = "";
        for (int i = 0; i < 100_000; i++) {
            nanos.addAndGet(50_000);
            last = transform.apply(on("t")).topic();
        }
        assertThat(last).as("20,000 records per second").isEqualTo("t-L6");
        for (int i = 0; i < 40; i++) {
            nanos.addAndGet(1_000_000_000);
            last = transform.apply(on("t")).topic();
        }
        assertThat(last).as("one record per second").isEqualTo("t-L1");
    }

    private String topicAfter(RouteByPressure<SourceRecord> transform, int records, long everyNanos) {
        String topic = "";
        for (int i = 0; i < records; i++) {
            nanos.addAndGet(everyNanos);
            topic = transform.apply(on("t")).topic();
        }
        return topic;
    }

    /** At a high rate the level is not computed for each record. */
    @Test
    void hasTheLevelOfASlowStreamWithItsFirstRecord() {
        for (int more = 0; more < 32; more++) {
            RouteByPressure<SourceRecord> transform = transform(Map.of());
            assertThat(topicAfter(transform, 100_000 + more, 20_000))
                    .as("50,000 records per second")
                    .isEqualTo("t-L6");
            assertThat(topicAfter(transform, 1, 600_000_000_000L)).isEqualTo("t-L1");
        }
    }

    @Test
    void noticesAStreamThatBecomesSlowWithoutALongPause() {
        for (int more = 0; more < 32; more++) {
            RouteByPressure<SourceRecord> transform = transform(Map.of("smoothing.ms", "500"));
            assertThat(topicAfter(transform, 100_000 + more, 20_000)).isEqualTo("t-L6");
            // Fewer than the records between two computations at a high rate, in twelve seconds.
            assertThat(topicAfter(transform, 30, 400_000_000)).isEqualTo("t-L1");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"t-L1", "t-L10", "t-x-L9"})
    void doesNotChangeATopicThatItHasProduced(String made) {
        SourceRecord record = on(made);
        assertThat(transform(Map.of()).apply(record)).isSameAs(record);
    }

    @ParameterizedTest
    @ValueSource(strings = {"t-L0", "t-L11", "-L1", "tL1", "L1-t"})
    void recognizesOnlyTopicsThatItHasProduced(String topic) {
        assertThat(transform(Map.of()).apply(on(topic)).topic()).isEqualTo(topic + "-L1");
    }

    @Test
    void keepsManyTopicsApart() {
        RouteByPressure<SourceRecord> transform = transform(Map.of("level.topic.format", "${level}.x_${topic}"));
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 1_000; i++) {
                assertThat(transform.apply(on("topic" + i)).topic()).isEqualTo("L1.x_topic" + i);
            }
        }
    }

    @Test
    void sendsAnEventThatIsOlderThanItsBudgetToTheLateTopic() {
        RouteByPressure<SourceRecord> transform = byAge(100, "");
        SourceRecord record = Records.source();
        epochMs.set(Records.TIMESTAMP_MS + 100);
        assertThat(transform.apply(record)).isSameAs(record);
        epochMs.set(Records.TIMESTAMP_MS + 101);
        SourceRecord late = transform.apply(record);
        assertThat(late.topic()).isEqualTo("orders-late");
        assertThat(late.headers()).isEqualTo(record.headers()).isNotSameAs(record.headers());
    }

    private static String topicOfEventAt(RouteByPressure<SourceRecord> transform, long timestampMs) {
        return transform
                .apply(new SourceRecord(Map.of(), Map.of(), "t", null, null, null, null, "v", timestampMs))
                .topic();
    }

    @Test
    void detectsAnEventThatBecameLateSinceTheLastReadingOfTheClock() {
        RouteByPressure<SourceRecord> transform = byAge(100, "");
        epochMs.set(1_101);
        assertThat(topicOfEventAt(transform, 1_000)).isEqualTo("t-late");
        assertThat(topicOfEventAt(transform, 1_001)).isEqualTo("t");
        epochMs.set(1_102);
        assertThat(topicOfEventAt(transform, 1_001)).isEqualTo("t-late");
    }

    @Test
    void detectsAClockThatWasSetBack() {
        RouteByPressure<SourceRecord> transform = byAge(100, "");
        epochMs.set(5_000_000);
        assertThat(topicOfEventAt(transform, 1_000_000)).isEqualTo("t-late");
        epochMs.set(1_000_000);
        for (int i = 0; i < AgeWatch.MAX_STRIDE; i++) {
            String ignored = topicOfEventAt(transform, 1_000_000);
        }
        assertThat(topicOfEventAt(transform, 1_000_000)).isEqualTo("t");
    }

    static Stream<Object> timed() {
        Schema inner =
                SchemaBuilder.struct().field("ts_ms", Schema.INT64_SCHEMA).build();
        Schema outer = SchemaBuilder.struct().field("source", inner).build();
        Schema dated = SchemaBuilder.struct().field("ts_ms", Timestamp.SCHEMA).build();
        Schema datedOuter = SchemaBuilder.struct().field("source", dated).build();
        return Stream.of(
                new Struct(outer).put("source", new Struct(inner).put("ts_ms", 1_000L)),
                new Struct(datedOuter).put("source", new Struct(dated).put("ts_ms", new Date(1_000))),
                Map.of("source", Map.of("ts_ms", 1_000L)));
    }

    @ParameterizedTest
    @MethodSource("timed")
    void findsTheTimeInTheValue(Object value) {
        RouteByPressure<SourceRecord> transform = byAge(100, "source.ts_ms");
        SourceRecord record = new SourceRecord(Map.of(), Map.of(), "t", null, value);
        epochMs.set(1_100);
        assertThat(transform.apply(record).topic()).isEqualTo("t");
        epochMs.set(1_101);
        assertThat(transform.apply(record).topic()).isEqualTo("t-late");
    }

    @Test
    void countsNoEventOfUnknownTimeAsLate() {
        for (String field : new String[] {"absent", "note", "note.deeper", "id"}) {
            RouteByPressure<SourceRecord> transform = byAge(0, field);
            Map<String, Object> value = new HashMap<>();
            value.put("note", "text");
            value.put("id", null);
            for (SourceRecord record : new SourceRecord[] {
                new SourceRecord(Map.of(), Map.of(), "t", null, value),
                new SourceRecord(Map.of(), Map.of(), "t", null, null),
                new SourceRecord(Map.of(), Map.of(), "t", Records.ORDER, null),
            }) {
                assertThat(transform.apply(record)).isSameAs(record);
            }
        }
        SourceRecord untimed = on("t");
        assertThat(byAge(0, "").apply(untimed)).isSameAs(untimed);
    }

    /** Connect and MirrorMaker write -1 for a record without a timestamp. */
    @ParameterizedTest
    @ValueSource(longs = {-1, -2, Long.MIN_VALUE})
    void takesANegativeTimestampForNone(long timestampMs) {
        assertThat(topicOfEventAt(byAge(100, ""), timestampMs)).isEqualTo("t");
        assertThat(topicOfEventAt(byAge(100, ""), 0)).as("1970").isEqualTo("t-late");
    }

    @Test
    void rejectsInvalidSettingsAndNamesTheKey() {
        assertRefused(Map.of("route.by", "age"), "age.budget.ms");
        assertRefused(Map.of("route.by", "age", "age.budget.ms", "-1"), "age.budget.ms");
        assertRefused(Map.of("level.topic.format", "${topic}"), "level.topic.format");
        assertRefused(Map.of("level.topic.format", "${level} $topic"), "level.topic.format");
        Map<String, String> age = Map.of("route.by", "age", "age.budget.ms", "1");
        for (String format : new String[] {"${topic}", "", "${level}", "a b", "${oops}"}) {
            Map<String, String> settings = new HashMap<>(age);
            settings.put("late.topic.format", format);
            assertRefused(settings, "late.topic.format");
        }
        assertRefused(Map.of("route.by", "mood"), "route.by");
    }

    private void assertRefused(Map<String, String> settings, String key) {
        assertThatThrownBy(() -> transform(settings))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(key);
    }
}
