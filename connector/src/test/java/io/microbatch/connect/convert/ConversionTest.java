package io.microbatch.connect.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microbatch.connect.ack.DurableWatermark;
import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.config.DeadLetterConfig;
import io.microbatch.connect.config.MicrobatchConfig;
import io.microbatch.connect.stripe.StripeSet;
import io.microbatch.connect.upstream.DeadLetterRecord;
import io.microbatch.connect.upstream.Intake;
import io.microbatch.connect.upstream.ReaderGroup;
import io.microbatch.connect.upstream.RecordConversion;
import io.microbatch.connect.upstream.UpstreamReader;
import java.net.BindException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ConversionTest {

    private static final int LIMIT = 20_000;

    private final Map<String, String> properties = new HashMap<>(Map.of(
            "name", "orders",
            "microbatch.task.number", "3",
            "upstream.connector.class", "org.example.Any",
            "deadletter.topic", "orders.dead",
            "deadletter.key.converter", TestConverter.class.getName(),
            "deadletter.value.converter", TestConverter.class.getName(),
            "producer.override.max.request.size", Integer.toString(LIMIT)));
    private final FakeUpstream upstream = new FakeUpstream();
    private final AtomicLong deadLetterTotal = new AtomicLong();

    /** Returns one event. Fails its first start if requested. */
    private static final class FakeUpstream implements UpstreamReader {
        private final CountDownLatch brought = new CountDownLatch(1);
        private volatile boolean busy;
        private volatile boolean stopped;

        @Override
        public void start() {
            if (busy) {
                busy = false;
                throw new ConnectException("cannot listen", new BindException("port in use"));
            }
        }

        @Override
        public void fetch(Intake intake) throws InterruptedException {
            if (brought.getCount() > 0) {
                intake.addAll(List.of(record("k", "content")), false, System.nanoTime(), event -> {});
                brought.countDown();
            }
        }

        @Override
        public void stop() {
            stopped = true;
        }
    }

    private final int openBefore = TestConverter.OPEN.get();

    private Supplier<RecordConversion> conversions() {
        DeadLetterConfig config = new MicrobatchConfig(properties).deadLetter().orElseThrow();
        return Conversion.withDeadLetters(config, false, deadLetterTotal);
    }

    private RecordConversion conversion() {
        RecordConversion conversion = conversions().get();
        conversion.open();
        return conversion;
    }

    private static SourceRecord record(Object key, Object value) {
        return record(key, value, 123L);
    }

    private static SourceRecord record(Object key, Object value, Long timestampMs) {
        return new SourceRecord(
                Map.of("table", "a"),
                Map.of("lsn", 7L),
                "orders",
                2,
                null,
                key,
                null,
                value,
                timestampMs,
                new ConnectHeaders());
    }

    private static String text(Object bytes) {
        return bytes == null ? null : new String((byte[]) bytes, StandardCharsets.UTF_8);
    }

    private static String header(SourceRecord deadLetter, String name) {
        Header header = deadLetter.headers().lastWithName("__connect.errors." + name);
        return header == null ? "absent" : text(header.value());
    }

    private static long bytes(SourceRecord record) {
        RecordHeaders headers = new RecordHeaders();
        record.headers().forEach(header -> headers.add(header.key(), (byte[]) header.value()));
        return RecordBytes.of((byte[]) record.key(), (byte[]) record.value(), headers);
    }

    @Test
    void convertsADeliverableEventAndKeepsItsOtherFields() throws InterruptedException {
        properties.put("deadletter.value.converter.prefix", "v:");
        SourceRecord record = record("k", "content");
        record.headers().addString("trace", "t1");
        SourceRecord outgoing = conversion().convert(record, () -> {});
        assertThat(text(outgoing.key())).isEqualTo("k");
        assertThat(text(outgoing.value())).isEqualTo("v:content");
        assertThat(outgoing.valueSchema()).isEqualTo(Schema.OPTIONAL_BYTES_SCHEMA);
        assertThat(outgoing.topic()).isEqualTo("orders");
        assertThat(outgoing.kafkaPartition()).isEqualTo(2);
        assertThat(outgoing.timestamp()).isEqualTo(123L);
        assertThat(outgoing.sourceOffset()).isEqualTo(record.sourceOffset());
        assertThat(text(outgoing.headers().lastWithName("trace").value())).isEqualTo("t1");
    }

    @Test
    void keepsATombstone() throws InterruptedException {
        SourceRecord outgoing = conversion().convert(record("k", null), () -> {});
        assertThat(outgoing.value()).isNull();
        assertThat(outgoing.topic()).isEqualTo("orders");
    }

    @Test
    void replacesAnInconvertibleEventByADeadLetterWithTheCause() throws InterruptedException {
        RecordConversion conversion = conversion();
        SourceRecord record = record("k", "poison 1");
        record.headers().addString("trace", "t1");
        SourceRecord deadLetter = conversion.convert(record, () -> {});

        assertThat(deadLetter).isInstanceOf(DeadLetterRecord.class);
        assertThat(deadLetter.topic()).isEqualTo("orders.dead");
        assertThat(deadLetter.kafkaPartition()).as("of another topic").isNull();
        assertThat(deadLetter.sourcePartition()).isEqualTo(record.sourcePartition());
        assertThat(deadLetter.sourceOffset()).isEqualTo(record.sourceOffset());
        assertThat(text(deadLetter.key())).isEqualTo("k");
        assertThat(text(deadLetter.value())).isEqualTo("poison 1");
        assertThat(text(deadLetter.headers().lastWithName("trace").value())).isEqualTo("t1");
        assertThat(header(deadLetter, "topic")).isEqualTo("orders");
        assertThat(header(deadLetter, "connector.name")).isEqualTo("orders");
        assertThat(header(deadLetter, "task.id")).isEqualTo("3");
        assertThat(header(deadLetter, "stage")).isEqualTo("VALUE_CONVERTER");
        assertThat(header(deadLetter, "class.name")).isEqualTo(TestConverter.class.getName());
        assertThat(header(deadLetter, "exception.class.name"))
                .isEqualTo("org.apache.kafka.connect.errors.DataException");
        assertThat(header(deadLetter, "exception.message")).isEqualTo("cannot convert poison 1");
        assertThat(header(deadLetter, "exception.stacktrace")).contains("TestConverter.fromConnectData");
        assertThat(header(deadLetter, "source.offset")).isEqualTo("{lsn=7}");
        assertThat(header(deadLetter, "key.encoding")).isEqualTo("converted");
        assertThat(header(deadLetter, "value.encoding")).isEqualTo("text");
        assertThat(deadLetterTotal).hasValue(1);
    }

    @Test
    void namesTheKeyConverterAsTheStage() throws InterruptedException {
        SourceRecord deadLetter =
                conversion().convert(record("poison", "fine".getBytes(StandardCharsets.UTF_8)), () -> {});
        assertThat(header(deadLetter, "stage")).isEqualTo("KEY_CONVERTER");
        assertThat(header(deadLetter, "value.encoding")).isEqualTo("bytes");
        assertThat(text(deadLetter.value())).isEqualTo("fine");
    }

    /** The dead letter is the only copy of the event. */
    @Test
    void keepsAllHeadersWhereOneOfThemIsRefused() throws InterruptedException {
        properties.put("deadletter.header.converter", BytesOnlyHeaders.class.getName());
        SourceRecord record = record("k", "content");
        record.headers().addBytes("a", "1".getBytes(StandardCharsets.UTF_8));
        record.headers().addString("b", "text");
        record.headers().addBytes("c", "3".getBytes(StandardCharsets.UTF_8));
        SourceRecord deadLetter = conversion().convert(record, () -> {});
        assertThat(header(deadLetter, "stage")).isEqualTo("HEADER_CONVERTER");
        assertThat(text(deadLetter.headers().lastWithName("a").value())).isEqualTo("1");
        assertThat(text(deadLetter.headers().lastWithName("b").value())).isEqualTo("text");
        assertThat(text(deadLetter.headers().lastWithName("c").value())).isEqualTo("3");
    }

    @Test
    void acceptsAnEventOfTheMaximumSizeAndNoLargerOne() throws InterruptedException {
        RecordConversion conversion = conversion();
        int overhead = (int) (bytes(conversion.convert(record("k", "v".repeat(15_000)), () -> {})) - 15_000);
        assertThat(conversion
                        .convert(record("k", "v".repeat(LIMIT - overhead)), () -> {})
                        .topic())
                .isEqualTo("orders");
        SourceRecord deadLetter = conversion.convert(record("k", "v".repeat(LIMIT - overhead + 1)), () -> {});
        assertThat(deadLetter.topic()).isEqualTo("orders.dead");
        assertThat(header(deadLetter, "stage")).isEqualTo("KAFKA_PRODUCE");
        assertThat(header(deadLetter, "exception.message"))
                .contains("20001 bytes", "20000", "raise producer.override.max.request.size");
    }

    @Test
    void replacesAnEventWithAnInvalidTimestampByADeadLetterWithoutOne() throws InterruptedException {
        RecordConversion conversion = conversion();
        SourceRecord deadLetter = conversion.convert(record("k", "content", -2L), () -> {});
        assertThat(deadLetter.topic()).isEqualTo("orders.dead");
        assertThat(deadLetter.timestamp()).isNull();
        assertThat(text(deadLetter.value())).isEqualTo("content");
        assertThat(header(deadLetter, "stage")).isEqualTo("KAFKA_PRODUCE");
        assertThat(header(deadLetter, "exception.message")).contains("-2 ms");

        assertThat(conversion
                        .convert(record("poison", "content", -2L), () -> {})
                        .timestamp())
                .as("of a dead letter for another reason")
                .isNull();
        assertThat(conversion.convert(record("k", "content", -1L), () -> {}).topic())
                .as("no timestamp")
                .isEqualTo("orders");
    }

    @Test
    void namesTheEventThatFailsATaskWithoutDeadLetters() {
        Map<String, String> bulk = Map.of(
                "upstream.connector.class",
                "org.example.Any",
                "bulk.enabled",
                "true",
                "bulk.inner.key.converter",
                TestConverter.class.getName(),
                "bulk.inner.value.converter",
                TestConverter.class.getName());
        RecordConversion converting = Conversion.forBulk(
                        new MicrobatchConfig(bulk).bulk().orElseThrow())
                .get();
        converting.open();
        assertThatThrownBy(() -> converting.convert(record("k", "content", -2L), () -> {}))
                .isInstanceOf(ConnectException.class)
                .hasMessageContainingAll("{lsn=7}", "{table=a}", "orders", "cannot be sent (KAFKA_PRODUCE)")
                .hasRootCauseMessage("The record's timestamp is -2 ms, and Kafka takes none before 1970");
        assertThatThrownBy(() -> converting.convert(record("k", "poison"), () -> {}))
                .isInstanceOf(ConnectException.class)
                .hasMessageContainingAll("{lsn=7}", "{table=a}", "cannot be converted (VALUE_CONVERTER)");
    }

    @Test
    void createsNoDeadLetterThatExceedsTheLimit() throws InterruptedException {
        RecordConversion conversion = conversion();
        SourceRecord record = record("k".repeat(50_000), "v".repeat(90_000));
        record.headers().addString("big", "h".repeat(30_000));
        SourceRecord deadLetter = conversion.convert(record, () -> {});
        assertThat(bytes(deadLetter)).isLessThanOrEqualTo(LIMIT).isGreaterThan(LIMIT - 100);
        assertThat(header(deadLetter, "key.bytes")).isEqualTo("50000");
        assertThat(header(deadLetter, "value.bytes")).isEqualTo("90000");
        assertThat((byte[]) deadLetter.value()).hasSizeBetween(1_000, LIMIT);
        assertThat(deadLetter.headers().lastWithName("big")).isNull();

        SourceRecord smallKey = conversion.convert(record("k", "v".repeat(90_000)), () -> {});
        assertThat(text(smallKey.key())).as("cuts the value first").isEqualTo("k");
        assertThat(bytes(smallKey)).isLessThanOrEqualTo(LIMIT).isGreaterThan(LIMIT - 100);
    }

    @Test
    void survivesAnEventWhoseToStringFails() throws InterruptedException {
        Object hostile = new Object() {
            @Override
            public String toString() {
                throw new IllegalStateException("not even that");
            }
        };
        SourceRecord deadLetter = conversion().convert(record("k", hostile), () -> {});
        assertThat(deadLetter.topic()).isEqualTo("orders.dead");
        assertThat(text(deadLetter.value())).contains("unreadable").contains("IllegalStateException");
    }

    @Test
    void retriesAConversionOnRequestAndThenDelivers() throws InterruptedException {
        properties.put("errors.retry.timeout", "-1");
        assertThat(conversion().convert(record("k", "retry 2"), () -> {}).topic())
                .isEqualTo("orders");
    }

    @Test
    void failsOnAnOutageInsteadOfCreatingADeadLetter() {
        RecordConversion conversion = conversion();
        assertThatThrownBy(() -> conversion.convert(record("k", "retry 1000"), () -> {}))
                .isExactlyInstanceOf(ConnectException.class)
                .hasMessageContaining("errors.retry.timeout");
        assertThat(deadLetterTotal).hasValue(0);
    }

    @Test
    void endsARetryWhenTheTaskStops() {
        properties.put("errors.retry.timeout", "-1");
        RecordConversion conversion = conversion();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> conversion.convert(record("k", "retry 1000"), () -> {}))
                .isInstanceOf(InterruptedException.class);
    }

    @Test
    void createsNoDeadLetterForAnErrorOfTheJvm() {
        RecordConversion conversion = conversion();
        assertThatThrownBy(() -> conversion.convert(record("k", "memory"), () -> {}))
                .isInstanceOf(OutOfMemoryError.class);
        assertThat(deadLetterTotal).hasValue(0);
    }

    @Test
    void holdsConvertersWhileOpen() {
        RecordConversion conversion = conversions().get();
        assertThat(TestConverter.OPEN).as("not open").hasValue(openBefore);
        conversion.open();
        assertThat(TestConverter.OPEN).as("key and value").hasValue(openBefore + 2);
        conversion.close();
        assertThat(TestConverter.OPEN).as("closed").hasValue(openBefore);
    }

    @Test
    void convertsAfterARepeatedStart() throws InterruptedException {
        upstream.busy = true;
        StripeSet<EventRecord> stripes = new StripeSet<>(1, 8, 1 << 20, System::nanoTime);
        ReaderGroup group = new ReaderGroup(
                "orders-3",
                List.of(upstream),
                conversions(),
                stripes,
                new DurableWatermark(System.nanoTime()),
                System::nanoTime);
        group.start();
        assertThat(upstream.brought.await(30, TimeUnit.SECONDS)).isTrue();
        List<EventRecord> drained = new ArrayList<>();
        int count = stripes.drain((event, size) -> drained.add(event), 10, 1 << 20, EventRecord::sameOffset);
        group.stop(30_000);

        assertThat(count).isOne();
        assertThat(drained.get(0).topic()).isEqualTo("orders");
        assertThat(text(drained.get(0).value())).isEqualTo("content");
        assertThat(deadLetterTotal).hasValue(0);
        assertThat(upstream.stopped).isTrue();
        assertThat(TestConverter.OPEN).hasValue(openBefore);
    }

    @Test
    void namesAMissingConverterBeforeTheStart() {
        properties.put("deadletter.key.converter", "org.example.NoSuch");
        assertThatThrownBy(this::conversions)
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("org.example.NoSuch is not installed");
    }

    @Test
    void closesAllConvertersWhenOneRefusesItsSettings() {
        properties.put("deadletter.value.converter.refuse", "any");
        assertThatThrownBy(this::conversions)
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("refuse");
        assertThat(TestConverter.OPEN).hasValue(openBefore);
    }

    /** An upstream that waits for acknowledgements would send its events again. */
    @Test
    void deliversAcknowledgementsWhileAConverterIsRetried() throws InterruptedException {
        properties.put("errors.retry.timeout", "-1");
        AtomicInteger letThrough = new AtomicInteger();
        SourceRecord outgoing = conversion().convert(record("k", "retry 3"), letThrough::incrementAndGet);
        assertThat(text(outgoing.value())).isEqualTo("retry 3");
        assertThat(letThrough.get()).isEqualTo(3);
    }
}
