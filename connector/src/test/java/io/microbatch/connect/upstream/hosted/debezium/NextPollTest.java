package io.microbatch.connect.upstream.hosted.debezium;

import static org.assertj.core.api.Assertions.assertThat;

import io.debezium.connector.postgresql.PostgresConnectorTask;
import java.util.Map;
import org.apache.kafka.connect.source.SourceTask;
import org.junit.jupiter.api.Test;

class NextPollTest {

    private static final long MS = 1_000_000;
    private static final long BEGAN = Long.MAX_VALUE - 3 * MS;
    private static final Map<String, String> TEN_MS = Map.of("poll.interval.ms", " 10 ", "max.batch.size", "256");

    private static long pauseMs(Map<String, String> settings, long pollMs, int events) {
        long ended = BEGAN + pollMs * MS;
        long returnsAt = NextPoll.of(PostgresConnectorTask.class, settings).returnsAtNanos(BEGAN, ended, events);
        return (returnsAt - ended) / MS;
    }

    @Test
    void waitsAgainAfterAPollThatWaited() {
        assertThat(pauseMs(TEN_MS, 10, 7)).isEqualTo(10);
        assertThat(pauseMs(TEN_MS, 12, 0)).as("without events").isEqualTo(10);
        assertThat(pauseMs(TEN_MS, 5, 128))
                .as("half of the interval, and half full")
                .isEqualTo(10);
    }

    @Test
    void isUnknownAfterAPollThatItsEventsEndedOrMightHaveEnded() {
        assertThat(pauseMs(TEN_MS, 10, 256)).as("full").isZero();
        assertThat(pauseMs(TEN_MS, 10, 129)).as("more than half full").isZero();
        assertThat(pauseMs(TEN_MS, 4, 7)).as("short").isZero();
    }

    /** Such a poll may be empty because no event came, and the next one returns with the first event. */
    @Test
    void isUnknownWhereFewEventsFillAPoll() {
        assertThat(pauseMs(Map.of("poll.interval.ms", "5", "max.batch.size", "1"), 5, 0))
                .isZero();
        assertThat(pauseMs(Map.of("max.batch.size", "31"), 500, 0)).isZero();
        assertThat(pauseMs(Map.of("max.batch.size", "32"), 500, 0)).isEqualTo(500);
    }

    @Test
    void takesDebeziumsOwnDefaults() {
        assertThat(pauseMs(Map.of(), 500, 1_024)).isEqualTo(500);
        assertThat(pauseMs(Map.of(), 500, 1_025)).isZero();
    }

    @Test
    void isNotLongerThanAPollCanBe() {
        assertThat(pauseMs(Map.of("poll.interval.ms", "60000"), 5_000, 1)).isEqualTo(5_000);
    }

    @Test
    void isUnknownForAnyOtherTask() {
        Map<String, String> settings = Map.of("poll.interval.ms", "10", "max.batch.size", "all");
        assertThat(NextPoll.of(SourceTask.class, settings).returnsAtNanos(BEGAN, BEGAN + 10 * MS, 1))
                .isEqualTo(BEGAN + 10 * MS);
    }
}
