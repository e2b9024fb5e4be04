package io.microbatch.connect.convert;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.internal.AbstractRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordBytesTest {

    @ParameterizedTest
    @CsvSource({
        "-1, -1, 0",
        "0, 0, 0",
        "63, 64, 1",
        "8191, 8192, 2",
        "10, 1048575, 63",
        "1048576, 1048577, 64",
        "-1, 134217728, 3",
    })
    void equalsTheSizeThatTheProducerComputes(int keyBytes, int valueBytes, int headerCount) {
        byte[] key = keyBytes < 0 ? null : new byte[keyBytes];
        byte[] value = valueBytes < 0 ? null : new byte[valueBytes];
        RecordHeaders headers = new RecordHeaders();
        for (int i = 0; i < headerCount; i++) {
            headers.add("h\u00e9ader-" + i, i % 3 == 0 ? null : new byte[i * 10]);
        }
        assertThat(RecordBytes.of(key, value, headers))
                .isEqualTo(AbstractRecords.estimateSizeInBytesUpperBound(
                        RecordBatch.CURRENT_MAGIC_VALUE, Compression.NONE.type(), key, value, headers.toArray()));
    }
}
