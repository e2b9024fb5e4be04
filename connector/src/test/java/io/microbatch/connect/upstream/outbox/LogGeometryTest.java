package io.microbatch.connect.upstream.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogGeometryTest {

    private static final LogGeometry LOG = new LogGeometry(8_192, 16 * 1024 * 1024);

    @ParameterizedTest
    @CsvSource({
        // Within a page; behind a page's header; behind a file's header; the same numbers where they are no header.
        "16777816, 16777816",
        "16785432, 16785408",
        "16777256, 16777216",
        "16785448, 16785448"
    })
    void findsWhereTheLastRecordEnds(long insertPosition, long end) {
        assertThat(LOG.endOfLastRecord(insertPosition)).isEqualTo(end);
    }
}
