package io.microbatch.connect.upstream.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DatabaseFailureTest {

    private final AtomicLong nanos = new AtomicLong(7);
    private final DatabaseFailure failures = new DatabaseFailure(nanos::get);

    private ConnectException failure(String state) {
        return failures.of(new SQLException("SELECT secret", state), "the reading of rows");
    }

    /** For each state: whether it is retried, for how long, on which connection, and what cures it. */
    @ParameterizedTest
    @CsvSource({
        "08001, ALWAYS, false, ",
        "08006, ALWAYS, false, ",
        "53300, ALWAYS, false, ",
        "57P01, ALWAYS, false, ",
        "57P03, ALWAYS, false, ",
        "40001, ALWAYS, true, ",
        "40P01, ALWAYS, true, ",
        "55P03, ALWAYS, true, ",
        "0A000, LIMITED, false, log",
        "25006, LIMITED, false, default_transaction_read_only",
        "26000, LIMITED, false, prepareThreshold=0",
        "42P05, LIMITED, false, prepareThreshold=0",
        "55000, LIMITED, false, primary",
        "57014, LIMITED, true, statement_timeout",
        "58030, LIMITED, false, log",
        "22003, NEVER, false, ",
        "28P01, NEVER, false, ",
        "42501, NEVER, false, ",
        "42703, NEVER, false, ",
        "42P01, NEVER, false, ",
        "XX000, NEVER, false, ",
    })
    void isRetriedAsItsStateSays(String state, String retried, boolean keepsConnection, String cure) {
        assertThat(DatabaseFailure.keepsConnection(new SQLException("", state))).isEqualTo(keepsConnection);
        assertThat(failure(state) instanceof RetriableException).isEqualTo(!retried.equals("NEVER"));
        nanos.addAndGet(DatabaseFailure.LIMIT_NANOS - 1);
        assertThat(failure(state) instanceof RetriableException).isEqualTo(!retried.equals("NEVER"));
        nanos.addAndGet(1);
        ConnectException last = failure(state);
        assertThat(last instanceof RetriableException).isEqualTo(retried.equals("ALWAYS"));
        assertThat(last).hasMessageContaining("the reading of rows").hasMessageContaining(state);
        assertThat(last.getMessage()).doesNotContain("secret").contains(cure == null ? "" : cure);
    }

    @Test
    void aSuccessEndsTheLimitedTime() {
        assertThat(failure("57014")).isInstanceOf(RetriableException.class);
        nanos.addAndGet(DatabaseFailure.LIMIT_NANOS);
        failures.succeeded();
        assertThat(failure("57014")).isInstanceOf(RetriableException.class);
        nanos.addAndGet(DatabaseFailure.LIMIT_NANOS);
        assertThat(failure("0A000")).isNotInstanceOf(RetriableException.class);
    }

    @Test
    void anUnknownStateIsNotRetried() {
        assertThat(failure(null)).isNotInstanceOf(RetriableException.class);
    }
}
