package io.microbatch.connect.transforms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microbatch.connect.pressure.PressureLevel;
import io.microbatch.connect.pressure.ReturnedBatch;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;

class StampPressureTest {

    private static StampPressure<SourceRecord> transform(Map<String, String> settings) {
        StampPressure<SourceRecord> transform = new StampPressure<>();
        transform.configure(settings);
        return transform;
    }

    private static Map<String, Object> headers(SourceRecord record) {
        Map<String, Object> headers = new LinkedHashMap<>();
        for (Header header : record.headers()) {
            assertThat(headers).as("each name once").doesNotContainKey(header.key());
            headers.put(header.key(), header.value());
        }
        return headers;
    }

    @Test
    void addsHeadersAfterTheExistingOnes() {
        SourceRecord stamped = transform(Map.of()).apply(new Records.Placed(Records.source(), Records.batch(), 3));
        Map<String, Object> expected = new LinkedHashMap<>();
        expected.put("trace", "abc");
        expected.put("retries", 2);
        expected.put("microbatch.level", 4);
        expected.put("microbatch.batch.sequence", 7L);
        expected.put("microbatch.batch.position", 3);
        expected.put("microbatch.batch.size", 10);
        expected.put("microbatch.linger.ms", 25.5);
        expected.put("microbatch.arrival.ms", Records.TIMESTAMP_MS - 25);
        assertThat(headers(stamped)).containsExactlyEntriesOf(expected);
    }

    @Test
    void usesTheConfiguredNamesAndLeavesOutHeadersWithoutOne() {
        Map<String, String> settings = new HashMap<>();
        for (Stamp stamp : Stamp.values()) {
            settings.put(stamp.key(), "");
        }
        settings.put("batch.size.header", "of");
        settings.put("batch.position.header", "trace");
        SourceRecord stamped = transform(settings).apply(new Records.Placed(Records.source(), Records.batch(), 3));
        assertThat(headers(stamped)).containsOnly(Map.entry("retries", 2), Map.entry("trace", 3), Map.entry("of", 10));
    }

    @Test
    void usesTheValuesOfEachBatch() {
        StampPressure<SourceRecord> transform = transform(Map.of());
        for (int i = 0; i < 1_000; i++) {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            PressureLevel level = PressureLevel.ofNumber(random.nextInt(1, 11));
            ReturnedBatch batch = new ReturnedBatch(i / 3, level, random.nextLong(0, 1_000_000_000));
            batch.complete(random.nextInt(1, 9), 0, random.nextLong(), random.nextLong(1L << 40));
            int position = random.nextInt(batch.sizeRecords());
            SourceRecord bare = new SourceRecord(Map.of(), Map.of(), "t", null, null);
            assertThat(headers(transform.apply(new Records.Placed(bare, batch, position))))
                    .containsEntry("microbatch.level", level.number())
                    .containsEntry("microbatch.batch.sequence", batch.sequence())
                    .containsEntry("microbatch.batch.position", position)
                    .containsEntry("microbatch.batch.size", batch.sizeRecords())
                    .containsEntry("microbatch.linger.ms", batch.lingerNanos() / 1e6)
                    .containsEntry("microbatch.arrival.ms", batch.epochMs(100_000_000));
        }
    }

    @Test
    void replacesHeadersOfAnEarlierRun() {
        SourceRecord record = new Records.Placed(Records.source(), Records.batch(), 3);
        record.headers().addString("microbatch.level", "of another task").addInt("microbatch.level", 9);
        SourceRecord stamped = transform(Map.of()).apply(record);
        assertThat(headers(stamped)).hasSize(8).containsEntry("microbatch.level", 4);
    }

    @Test
    void passesRecordsWithoutABatch() {
        SourceRecord foreign = Records.source();
        assertThat(transform(Map.of()).apply(foreign)).isSameAs(foreign);
        SourceRecord inNone = new Records.Placed(foreign, null, 0);
        assertThat(transform(Map.of()).apply(inNone)).isSameAs(inNone);
        StampPressure<SinkRecord> onSink = new StampPressure<>();
        onSink.configure(Map.of());
        SinkRecord sink = Records.sinks().get(0);
        assertThat(onSink.apply(sink)).isSameAs(sink);
    }

    @Test
    void rejectsTwoHeadersWithOneNameAndNoHeaderAtAll() {
        assertThatThrownBy(() -> transform(Map.of("level.header", "x", "linger.header", "x")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("level.header")
                .hasMessageContaining("linger.header");
        Map<String, String> nothing = new HashMap<>();
        for (Stamp stamp : Stamp.values()) {
            nothing.put(stamp.key(), " ");
        }
        assertThatThrownBy(() -> transform(nothing))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("level.header");
    }

    @Test
    void sharesNoHeadersThatALaterTransformCouldChange() {
        StampPressure<SourceRecord> transform = transform(Map.of());
        ReturnedBatch batch = Records.batch();
        SourceRecord first = transform.apply(new Records.Placed(Records.source(), batch, 0));
        first.headers().clear();
        SourceRecord second = transform.apply(new Records.Placed(Records.source(), batch, 1));
        assertThat(headers(second)).hasSize(8);
        assertThat(new ConnectHeaders(second.headers())).hasSize(8);
    }
}
