package io.microbatch.connect.upstream.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.config.MicrobatchConfig;
import io.microbatch.connect.upstream.Refused;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowMapperTest {

    private static final long NOW_MS = 1_750_000_000_000L;
    private static final long HALF_AN_HOUR_MS = 1_800_000;

    private final Map<String, String> config = new HashMap<>(Map.of(
            "upstream.type", "outbox",
            "upstream.outbox.jdbc.url", "jdbc:postgresql://db/shop",
            "upstream.outbox.user", "relay",
            "upstream.outbox.password", "secret"));

    private SourceRecord record(OutboxRow row) {
        return new RowMapper(new MicrobatchConfig(config).outbox(), () -> NOW_MS)
                .record(row, Map.of("p", "1"), Map.of("seq", 7L));
    }

    private static OutboxRow row(String key, String route, Object payload, int bytes) {
        return new OutboxRow(7, 20, "id-7", key, route, payload, payload instanceof byte[], bytes, 20, null, List.of());
    }

    private static String problem(SourceRecord record) {
        return record instanceof Refused refused ? refused.why().getMessage() : "none";
    }

    @Test
    void makesTheRecordOfTheEventRouter() {
        SourceRecord record = record(row("order 1", "orders", "{}", 2));
        assertThat(record.topic()).isEqualTo("outbox.event.orders");
        assertThat(record.keySchema()).isEqualTo(Schema.STRING_SCHEMA);
        assertThat(record.key()).isEqualTo("order 1");
        assertThat(record.valueSchema()).isEqualTo(Schema.OPTIONAL_STRING_SCHEMA);
        assertThat(record.value()).isEqualTo("{}");
        assertThat(record.headers().lastWithName("id").value()).isEqualTo("id-7");
        assertThat(record.kafkaPartition()).isNull();
        assertThat(record.sourceOffset()).isEqualTo(Map.of("seq", 7L));
        assertThat(problem(record)).isEqualTo("none");
    }

    @Test
    void keepsBytesAndNulls() {
        assertThat(record(row("k", "orders", new byte[] {1}, 1)).valueSchema()).isEqualTo(Schema.OPTIONAL_BYTES_SCHEMA);
        OutboxRow nothing = new OutboxRow(7, 20, "id-7", "k", "orders", null, true, 0, 20, null, List.of());
        // The converter of bytes refuses a null that is called text.
        assertThat(record(nothing).valueSchema()).isEqualTo(Schema.OPTIONAL_BYTES_SCHEMA);
        SourceRecord empty = record(row(null, "orders", null, 0));
        assertThat(empty.keySchema()).isNull();
        assertThat(empty.key()).isNull();
        assertThat(empty.value()).isNull();
        assertThat(empty.valueSchema()).isEqualTo(Schema.OPTIONAL_STRING_SCHEMA);
    }

    @Test
    void makesTombstonesWhereItIsTold() {
        config.put("upstream.outbox.tombstone.on.empty", "true");
        for (SourceRecord empty : List.of(record(row("k", "orders", null, 0)), record(row("k", "orders", "", 0)))) {
            assertThat(empty.value()).isNull();
            assertThat(empty.valueSchema()).isNull();
        }
        assertThat(record(row("k", "orders", "{}", 2)).value()).isEqualTo("{}");
    }

    @Test
    void addsHeaders() {
        config.put("upstream.outbox.fields.additional", "type:header:kind,tenant:header");
        SourceRecord record = record(new OutboxRow(
                7, 20, "id-7", "k", "orders", "{}", false, 2, 20, 1_700_000_000_000L, Arrays.asList("created", null)));
        assertThat(record.headers().lastWithName("kind").value()).isEqualTo("created");
        assertThat(record.headers().lastWithName("tenant").value()).isNull();
        assertThat(record.timestamp()).isEqualTo(1_700_000_000_000L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a/b", "\u00fc"})
    void refusesARouteThatMakesNoTopicAndQuotesNothingOfIt(String route) {
        SourceRecord record = record(row("k", route, "{}", 2));
        assertThat(problem(record)).contains("The row of number 7 cannot be sent", "its column for the topic");
        assertThat(record.value()).isEqualTo("{}");
    }

    @Test
    void refusesWhatTheSettingsForbid() {
        assertThat(problem(record(row("k", null, "{}", 2)))).contains("is empty");
        assertThat(problem(record(row("k", "r".repeat(300), "{}", 2)))).contains("Kafka does not allow");
        assertThat(problem(record(row("k", "orders", null, 1_000_001)))).contains("1000001 bytes");
        OutboxRow large = new OutboxRow(7, 20, null, null, null, "{}", false, 2, 1_000_001, null, List.of());
        assertThat(problem(record(large))).contains("its other columns have 1000001 bytes");
        assertThat(((Refused) record(row("k", "orders", null, 1_000_001))).isWhole())
                .isFalse();
        assertThat(((Refused) record(large)).isWhole()).isFalse();
        assertThat(((Refused) record(row("k", null, "{}", 2))).isWhole()).isTrue();
        config.put("upstream.outbox.topics", "outbox[.]event[.](orders|customers)");
        assertThat(problem(record(row("k", "orders", "{}", 2)))).isEqualTo("none");
        assertThat(problem(record(row("k", "others", "{}", 2)))).contains("upstream.outbox.topics");
    }

    /** A row of another key may be in a shard that has read beyond its transaction. */
    @Test
    void saysWhatACorrectionMustSetWhereThereAreSeveralShards() {
        SourceRecord refused = record(row("k", "no topic", "{}", 2));
        assertThat(problem(refused)).doesNotContain("DEFAULT");
        config.put("upstream.outbox.shards", "2");
        config.put("upstream.outbox.column.key", "customer");
        config.put("upstream.outbox.column.xid", "inserted_by");
        assertThat(problem(record(row("k", "no topic", "{}", 2))))
                .startsWith(problem(refused))
                .contains("changes its column customer must also set inserted_by = DEFAULT");
    }

    /** Connect fails a task at such a timestamp, in whatever record it is: in the letter, too. */
    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1_000, -1, NOW_MS + HALF_AN_HOUR_MS + 1, Long.MAX_VALUE})
    void refusesATimestampThatKafkaDoesNotTake(long timestampMs) {
        SourceRecord record =
                record(new OutboxRow(7, 20, "id-7", "k", "orders", "{}", false, 2, 20, timestampMs, List.of()));
        // The letter has the time nowhere else.
        assertThat(problem(record))
                .contains("The row of number 7 cannot be sent: its timestamp, " + timestampMs + " ms");
        assertThat(record.timestamp()).isNull();
        assertThat(record.value()).isEqualTo("{}");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, NOW_MS, NOW_MS + HALF_AN_HOUR_MS})
    void takesTheTimestampsOfKafkaAndKeepsThemInLetters(long timestampMs) {
        SourceRecord record =
                record(new OutboxRow(7, 20, "id-7", "k", "orders", "{}", false, 2, 20, timestampMs, List.of()));
        assertThat(problem(record)).isEqualTo("none");
        assertThat(record.timestamp()).isEqualTo(timestampMs);
        SourceRecord letter =
                record(new OutboxRow(7, 20, "id-7", "k", "no topic", "{}", false, 2, 20, timestampMs, List.of()));
        assertThat(problem(letter)).contains("its column for the topic");
        assertThat(letter.timestamp()).isEqualTo(timestampMs);
    }

    @Test
    void sendsEveryRowToOneTopicWhereItIsTold() {
        config.put("upstream.outbox.topic", "events");
        assertThat(record(row("k", null, "{}", 2)).topic()).isEqualTo("events");
    }
}
