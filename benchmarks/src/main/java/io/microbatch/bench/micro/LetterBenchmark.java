package io.microbatch.bench.micro;

import io.microbatch.connect.config.MicrobatchConfig;
import io.microbatch.connect.convert.Conversion;
import io.microbatch.connect.transforms.DeadLetterConverter;
import io.microbatch.connect.upstream.RecordConversion;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.json.JsonConverter;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.storage.Converter;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Nanoseconds that a change event takes from its upstream's hands to JSON in bytes: what the reader thread and the
 * worker's converters do for it, one after the other on one thread, without transforms.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class LetterBenchmark {

    static final String JSON = "org.apache.kafka.connect.json.JsonConverter";

    /** A label of {@link LetterKind}. */
    @Param({"none", "convert", "try"})
    public String kind;

    private RecordConversion conversion;
    private Converter keyConverter;
    private Converter valueConverter;
    private SourceRecord[] records;
    private int next;

    /** As a worker leaves bytes alone. */
    private static final class LeaveAlone implements Converter {
        @Override
        public void configure(Map<String, ?> configs, boolean isKey) {}

        @Override
        public byte[] fromConnectData(String topic, Schema schema, Object value) {
            return (byte[]) value;
        }

        @Override
        public SchemaAndValue toConnectData(String topic, byte[] value) {
            throw new UnsupportedOperationException();
        }
    }

    /** Makes the conversion, the worker's converters and the records. */
    @Setup
    public void prepare() {
        LetterKind measured = ForkedCommand.ofLabel(LetterKind.class, kind);
        conversion = measured == LetterKind.NONE ? RecordConversion.NONE : withDeadLetters(measured);
        conversion.open();
        keyConverter = worker(measured, true);
        valueConverter = worker(measured, false);
        records = ChangeRecords.updates();
    }

    private static RecordConversion withDeadLetters(LetterKind measured) {
        Map<String, String> properties = new HashMap<>(measured.settings());
        properties.put("upstream.connector.class", "org.example.Any");
        properties.put("deadletter.topic", "dead");
        properties.put("deadletter.mode", ForkedCommand.label(measured));
        return Conversion.withDeadLetters(
                        new MicrobatchConfig(properties).deadLetter().orElseThrow(), false, new AtomicLong())
                .get();
    }

    private static Converter worker(LetterKind measured, boolean isKey) {
        Converter converter = switch (measured) {
            case NONE -> new JsonConverter();
            case CONVERT -> new LeaveAlone();
            case TRY -> new DeadLetterConverter();
        };
        converter.configure(
                measured == LetterKind.TRY
                        ? Map.of("delegate", JSON, "delegate.schemas.enable", "false")
                        : Map.of("schemas.enable", "false"),
                isKey);
        return converter;
    }

    /** One record. Its bytes are there as they go to the producer. */
    @Benchmark
    public int record() throws InterruptedException {
        SourceRecord record = conversion.convert(records[next++ & (SampleRecords.COUNT - 1)], () -> {});
        Headers headers = new RecordHeaders();
        byte[] key = keyConverter.fromConnectData(record.topic(), headers, record.keySchema(), record.key());
        byte[] value = valueConverter.fromConnectData(record.topic(), headers, record.valueSchema(), record.value());
        if (value.length < ChangeRecords.MIN_JSON_BYTES || !"orders".equals(record.topic())) {
            throw new IllegalStateException(kind + " wrote " + value.length + " bytes for " + record.topic());
        }
        return key.length + value.length;
    }

    /** Closes the converters. */
    @TearDown
    public void close() {
        conversion.close();
    }
}
