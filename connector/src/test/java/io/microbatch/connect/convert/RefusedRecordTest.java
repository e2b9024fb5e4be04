package io.microbatch.connect.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microbatch.connect.config.MicrobatchConfig;
import io.microbatch.connect.upstream.RecordConversion;
import io.microbatch.connect.upstream.Refused;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RefusedRecordTest {

    private static final ConnectException WHY = new ConnectException("a payload of 200 MB");

    private RecordConversion conversion;

    /** A record whose value the upstream did not read. */
    private static final class Unread extends SourceRecord implements Refused {
        Unread(Object key) {
            super(Map.of("table", "a"), Map.of("seq", 7L), "orders", 2, null, key, null, null);
        }

        @Override
        public ConnectException why() {
            return WHY;
        }

        @Override
        public boolean isWhole() {
            return false;
        }
    }

    private RecordConversion opened(RecordConversion created) {
        conversion = created;
        conversion.open();
        return conversion;
    }

    @AfterEach
    void close() {
        conversion.close();
    }

    private static String header(SourceRecord record, String name) {
        return text(record.headers().lastWithName("__connect.errors." + name).value());
    }

    private static String text(Object bytes) {
        return new String((byte[]) bytes, StandardCharsets.UTF_8);
    }

    private RecordConversion withDeadLetters(AtomicLong total) {
        return withDeadLetters(total, false);
    }

    private RecordConversion withDeadLetters(AtomicLong total, boolean onlyWhole) {
        Map<String, String> properties = Map.of(
                "upstream.connector.class",
                "org.example.Any",
                "deadletter.topic",
                "orders.dead",
                "deadletter.key.converter",
                TestConverter.class.getName(),
                "deadletter.value.converter",
                TestConverter.class.getName(),
                "deadletter.max.bytes",
                "20000");
        return opened(Conversion.withDeadLetters(
                        new MicrobatchConfig(properties).deadLetter().orElseThrow(), onlyWhole, total)
                .get());
    }

    @Test
    void becomesADeadLetterWithTheReasonAndWhatItHas() throws InterruptedException {
        AtomicLong total = new AtomicLong();
        SourceRecord record = new Unread("k");
        SourceRecord deadLetter = withDeadLetters(total).convert(record, () -> {});

        assertThat(deadLetter.topic()).isEqualTo("orders.dead");
        assertThat(deadLetter.sourceOffset()).isEqualTo(record.sourceOffset());
        assertThat(text(deadLetter.key())).isEqualTo("k");
        assertThat(header(deadLetter, "stage")).isEqualTo("UPSTREAM");
        assertThat(header(deadLetter, "class.name")).isEqualTo(Unread.class.getName());
        assertThat(header(deadLetter, "exception.message")).isEqualTo("a payload of 200 MB");
        assertThat(total).hasValue(1);
    }

    @Test
    void hasTheUpstreamsReasonEvenIfItsKeyCannotBeConverted() throws InterruptedException {
        SourceRecord deadLetter = withDeadLetters(new AtomicLong()).convert(new Unread("poison"), () -> {});
        assertThat(header(deadLetter, "stage")).isEqualTo("UPSTREAM");
        assertThat(text(deadLetter.key())).isEqualTo("poison");
        assertThat(header(deadLetter, "key.encoding")).isEqualTo("text");
    }

    @Test
    void failsTheTaskIfTheUpstreamDeletesWhatTheLetterLacks() {
        AtomicLong total = new AtomicLong();
        RecordConversion converting = withDeadLetters(total, true);
        assertThatThrownBy(() -> converting.convert(new Unread("k"), () -> {}))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("a payload of 200 MB")
                .hasMessageContaining("deletes");
        for (SourceRecord large : List.of(event("k", "v".repeat(20_000), 0), event("k".repeat(20_000), null, 0))) {
            assertThatThrownBy(() -> converting.convert(large, () -> {}))
                    .isInstanceOf(ConnectException.class)
                    .hasMessageContaining("20000 bytes: raise deadletter.max.bytes")
                    .hasMessageContaining("deletes");
        }
        // The letter has no room for all of its headers. A converter's message may quote the event.
        assertThatThrownBy(() -> converting.convert(event("k", "poison", 6_000), () -> {}))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("VALUE_CONVERTER")
                .hasMessageContaining("deletes")
                .hasMessageNotContaining("poison")
                .hasNoCause();
        SourceRecord longTopic = new SourceRecord(
                Map.of("table", "a"), Map.of("seq", 7L), "t".repeat(300), null, null, "k", null, "poison");
        assertThatThrownBy(() -> converting.convert(longTopic, () -> {})).hasMessageContaining("deletes");
        assertThat(total).as("the dead letters").hasValue(0);
    }

    @Test
    void becomesADeadLetterIfTheLetterHasAllThatTheUpstreamDeletes() throws InterruptedException {
        AtomicLong total = new AtomicLong();
        RecordConversion converting = withDeadLetters(total, true);
        SourceRecord letter = converting.convert(event("k", "poison", 10), () -> {});
        assertThat(text(letter.value())).isEqualTo("poison");
        assertThat(letter.headers().lastWithName("own")).isNotNull();
        assertThat(total).hasValue(1);
    }

    /** Connect refuses such a record only later. */
    @Test
    void becomesADeadLetterWithoutATopic() throws InterruptedException {
        SourceRecord record = new SourceRecord(Map.of("p", 1), Map.of("o", 1), null, null, null, "k", null, "poison");
        SourceRecord letter = withDeadLetters(new AtomicLong()).convert(record, () -> {});
        assertThat(text(letter.value())).isEqualTo("poison");
    }

    private static SourceRecord event(String key, String value, int headerBytes) {
        SourceRecord event =
                new SourceRecord(Map.of("table", "a"), Map.of("seq", 7L), "orders", null, null, key, null, value);
        event.headers().addString("own", "h".repeat(headerBytes));
        return event;
    }

    @Test
    void failsTheTaskWithBulkRecordsAndWithoutDeadLetters() {
        Map<String, String> properties = Map.of(
                "upstream.connector.class",
                "org.example.Any",
                "bulk.enabled",
                "true",
                "bulk.inner.key.converter",
                TestConverter.class.getName(),
                "bulk.inner.value.converter",
                TestConverter.class.getName());
        RecordConversion converting = opened(
                Conversion.forBulk(new MicrobatchConfig(properties).bulk().orElseThrow())
                        .get());
        assertThatThrownBy(() -> converting.convert(new Unread("k"), () -> {})).isSameAs(WHY);
    }

    @Test
    void failsTheTaskWithoutConversion() {
        conversion = RecordConversion.NONE;
        assertThatThrownBy(() -> conversion.convert(new Unread("k"), () -> {})).isSameAs(WHY);
    }
}
