package io.microbatch.bench.micro;

import io.microbatch.connect.bulk.BulkRecordBuilder;
import io.microbatch.connect.bulk.BulkWriter;
import io.microbatch.connect.transforms.UnpackBulk;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.sink.SinkRecord;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Nanoseconds for a bulk record of {@value #RECORD_BYTES} bytes, on one thread: unpacked, and copied. Several records
 * in turn, so that they are not all in the nearest cache. The first unpacking is checked event by event.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class UnpackBenchmark {

    static final int RECORD_BYTES = 900_000;
    private static final int RECORDS = 8;

    /** A label of {@link UnpackKind}. */
    @Param({"arraycopy", "copy-each-64", "unpack-bytes-64", "unpack-bytes-1024"})
    public String kind;

    private final byte[][] bulks = new byte[RECORDS][];
    private final SinkRecord[] records = new SinkRecord[RECORDS];
    private final byte[] target = new byte[RECORD_BYTES];
    private UnpackKind measured;
    private UnpackBulk<SinkRecord> transform;
    private int next;

    /** Packs the records. */
    @Setup
    public void prepare() {
        measured = ForkedCommand.ofLabel(UnpackKind.class, kind);
        Random random = new Random(7);
        for (int i = 0; i < RECORDS; i++) {
            List<byte[]> events = new ArrayList<>();
            bulks[i] = pack(random, events);
            records[i] = new SinkRecord("t", 0, null, null, Schema.BYTES_SCHEMA, bulks[i], i);
            check(records[i], events);
        }
        if (measured.settings() != null) {
            transform = new UnpackBulk<>();
            transform.configure(measured.settings());
        }
    }

    private byte[] pack(Random random, List<byte[]> events) {
        BulkRecordBuilder record = new BulkRecordBuilder(BulkWriter.of(0), RECORD_BYTES);
        while (true) {
            byte[] event = new byte[measured.eventBytes()];
            for (int i = 0; i < event.length; i++) {
                event[i] = (byte) random.nextInt(128);
            }
            if (!record.append(null, -1, event)) {
                return record.build();
            }
            events.add(event);
        }
    }

    private static void check(SinkRecord record, List<byte[]> events) {
        UnpackBulk<SinkRecord> checked = new UnpackBulk<>();
        checked.configure(java.util.Map.of());
        List<?> unpacked = (List<?>) checked.apply(record).value();
        for (int i = 0; i < events.size(); i++) {
            if (!Arrays.equals((byte[]) unpacked.get(i), events.get(i))) {
                throw new IllegalStateException("event " + i + " is another one");
            }
        }
        if (unpacked.size() != events.size()) {
            throw new IllegalStateException(unpacked.size() + " events of " + events.size());
        }
    }

    /** One record. */
    @Benchmark
    public Object unpack() {
        int number = next++ & (RECORDS - 1);
        if (transform != null) {
            return transform.apply(records[number]);
        }
        byte[] bulk = bulks[number];
        return switch (measured) {
            case ARRAYCOPY -> {
                System.arraycopy(bulk, 0, target, 0, bulk.length);
                yield target;
            }
            case CLONE -> bulk.clone();
            case COPY_STRINGS_64, COPY_STRINGS_1024 -> copyStrings(bulk);
            default -> copyEach(bulk);
        };
    }

    private List<byte[]> copyEach(byte[] bulk) {
        int eventBytes = measured.eventBytes();
        List<byte[]> copies = new ArrayList<>(bulk.length / eventBytes);
        for (int at = 0; at + eventBytes <= bulk.length; at += eventBytes) {
            copies.add(Arrays.copyOfRange(bulk, at, at + eventBytes));
        }
        return copies;
    }

    private List<String> copyStrings(byte[] bulk) {
        int eventBytes = measured.eventBytes();
        List<String> copies = new ArrayList<>(bulk.length / eventBytes);
        for (int at = 0; at + eventBytes <= bulk.length; at += eventBytes) {
            copies.add(new String(bulk, at, eventBytes, StandardCharsets.ISO_8859_1));
        }
        return copies;
    }
}
