package io.microbatch.bench.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OutcomeTest {

    @ParameterizedTest
    @CsvSource({
        "200, false, WRITTEN",
        "200, true, UNKNOWN",
        "204, false, UNKNOWN",
        "400, true, NOT_WRITTEN",
        "401, true, NOT_WRITTEN",
        "408, true, NOT_WRITTEN",
        "409, true, UNKNOWN",
        "413, true, NOT_WRITTEN",
        "422, true, NOT_WRITTEN",
        "429, true, NOT_WRITTEN",
        "500, true, UNKNOWN",
        "502, true, UNKNOWN",
        "503, true, NOT_WRITTEN",
        "504, true, UNKNOWN"
    })
    void followsTheTableOfStatuses(int status, boolean hasError, Outcome outcome) {
        assertThat(Outcome.of(status, hasError)).isEqualTo(outcome);
    }
}
