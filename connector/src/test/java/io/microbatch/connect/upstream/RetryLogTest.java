package io.microbatch.connect.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.kafka.connect.errors.RetriableException;
import org.junit.jupiter.api.Test;

class RetryLogTest {

    private final LogLines log = new LogLines();
    private final List<String> lines = log.written();
    private final RetriableException cause = new RetriableException("down");
    private final RetryLog retries = new RetryLog(log.logger(), "The registry");

    @Test
    void warnsLessAndLessOften() {
        for (int i = 0; i < 1_000; i++) {
            retries.asked(100, cause);
        }
        assertThat(lines).hasSize(1_000);
        assertThat(lines.get(0))
                .isEqualTo(
                        "warn The registry asks for a retry, number 1 in a row; " + "next attempt in 100 ms with down");
        assertThat(lines.get(2))
                .isEqualTo("debug The registry asks for a retry, number 3 in a row; "
                        + "next attempt in 100 ms with down");
        assertThat(lines.stream().filter(line -> line.startsWith("warn")))
                .as("1, 2, 4 to 512")
                .hasSize(10);
    }

    @Test
    void logsTheEndOfTheRetriesAndStartsAgain() {
        retries.succeeded();
        assertThat(lines).isEmpty();
        for (int i = 0; i < 3; i++) {
            retries.asked(100, cause);
        }
        retries.succeeded();
        retries.succeeded();
        retries.asked(100, cause);
        assertThat(lines)
                .hasSize(5)
                .contains("info The registry continues after 3 retries")
                .last()
                .asString()
                .startsWith("warn")
                .contains("number 1 in a row");
    }
}
