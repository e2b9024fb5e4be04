package io.microbatch.connect.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Fixes every byte of version 1: a change of the golden files needs a new version. */
class GoldenTest {

    static List<Golden> goldens() {
        return Golden.all();
    }

    @ParameterizedTest
    @MethodSource("goldens")
    void isRead(Golden golden) {
        assertThat(new BulkReader(BulkLimits.DEFAULT).read(golden.record()).toList())
                .isEqualTo(golden.events());
    }

    @Test
    void writesTheRecordOfValuesOnly() {
        assertThat(write("v1-plain", BulkWriter.of(0)))
                .isEqualTo(Golden.of("v1-plain").record());
    }

    @Test
    void writesTheRecordWithKeysTimestampsAndNulls() {
        assertThat(write("v1-full", BulkWriter.of(BulkFormat.ALL_FLAGS, 1_700_000_000_000L)))
                .isEqualTo(Golden.of("v1-full").record());
    }

    @Test
    void writesTheRecordWithoutEvents() {
        assertThat(write("v1-none", BulkWriter.of(0)))
                .isEqualTo(Golden.of("v1-none").record());
    }

    private static byte[] write(String name, BulkWriter writer) {
        BulkRecordBuilder builder = new BulkRecordBuilder(writer, 1 << 20);
        for (BulkEvent event : Golden.of(name).events()) {
            assertThat(builder.append(event.key(), event.timestampMs(), event.value()))
                    .isTrue();
        }
        return builder.build();
    }
}
