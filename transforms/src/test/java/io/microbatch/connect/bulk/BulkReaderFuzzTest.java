package io.microbatch.connect.bulk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * For any bytes, reading returns events or throws {@link BulkFormatException}, and the events survive another round
 * trip.
 *
 * <p>A build replays the seeds: the golden records and the inputs in {@code fuzz.hex} that once failed. CONTRIBUTING.md
 * describes how to search for new inputs.
 */
class BulkReaderFuzzTest {

    private static final BulkLimits LIMITS = new BulkLimits(1 << 16, 1 << 12);

    static Stream<Arguments> seeds() {
        return Stream.concat(Golden.all().stream().map(Golden::record), Golden.inputs("fuzz.hex").stream())
                .map(record -> arguments((Object) record));
    }

    @MethodSource("seeds")
    @FuzzTest(maxDuration = "2m")
    void returnsEventsOrThrowsTheException(byte[] input) {
        check(input);
        // A fuzzer does not guess checksums, and a wrong checksum hides the code after it.
        check(Damaged.resealed(input.clone()));
    }

    private static void check(byte[] input) {
        BulkReader reader = new BulkReader(LIMITS);
        List<BulkEvent> events;
        try {
            events = reader.read(input).toList();
        } catch (BulkFormatException e) {
            return;
        }
        assertThat(events).hasSize(reader.count());
        long base = (reader.flags() & BulkFormat.FLAG_TIMESTAMPS) == 0
                ? 0
                : ByteBuffer.wrap(input).getLong(BulkFormat.BASE_TIMESTAMP_OFFSET);
        BulkRecordBuilder builder =
                new BulkRecordBuilder(BulkWriter.of(reader.flags(), base), Math.max(input.length, 100));
        for (BulkEvent event : events) {
            // The writer's frames are the shortest possible, so they fit.
            assertThat(builder.append(event.key(), event.timestampMs(), event.value()))
                    .isTrue();
        }
        byte[] written = builder.build();
        assertThat(written.length).isLessThanOrEqualTo(input.length);
        assertThat(reader.read(written).toList()).isEqualTo(events);
    }
}
