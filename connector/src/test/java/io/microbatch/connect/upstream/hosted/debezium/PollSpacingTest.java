package io.microbatch.connect.upstream.hosted.debezium;

import static org.assertj.core.api.Assertions.assertThat;

import io.debezium.connector.common.BaseSourceTask;
import io.debezium.connector.postgresql.PostgresConnectorTask;
import java.util.Map;
import org.apache.kafka.connect.source.SourceTask;
import org.junit.jupiter.api.Test;

class PollSpacingTest {

    private static final long MICROSECOND = 1_000;
    private static final Map<String, String> BY_ONE = Map.of("max.batch.size", "1");

    private long nowNanos = 7;

    private static PollSpacing byOne() {
        return PollSpacing.of(PostgresConnectorTask.class, BY_ONE);
    }

    /**
     * Ends this number of polls of the given duration at the given distance. Returns the pause after the last of them.
     */
    private long after(PollSpacing spacing, int polls, long gapMicros, long pollMicros) {
        long pauseNanos = -1;
        for (int i = 0; i < polls; i++) {
            nowNanos += gapMicros * MICROSECOND;
            pauseNanos = spacing.pauseNanosAfter(nowNanos - pollMicros * MICROSECOND, nowNanos);
        }
        return pauseNanos;
    }

    @Test
    void pausesAfterAPollThatWaitedWhileEventsArriveFast() {
        PollSpacing spacing = byOne();
        assertThat(after(spacing, 200, 40, 30)).isEqualTo(1_000 * MICROSECOND);
    }

    @Test
    void doesNotPauseWhileEventsAreAvailable() {
        PollSpacing spacing = byOne();
        assertThat(after(spacing, 200, 4, 3)).isZero();
    }

    @Test
    void doesNotDelayEventsThatArriveSlowly() {
        PollSpacing spacing = byOne();
        assertThat(after(spacing, 500, 250, 240)).isZero();
        assertThat(after(byOne(), 1, 10, 30)).as("the first poll").isZero();
    }

    @Test
    void stopsPausingWhenEventsArriveSlowlyAgain() {
        PollSpacing spacing = byOne();
        long ignored = after(spacing, 200, 40, 30);
        assertThat(after(spacing, 3, 1_040, 1_030)).isZero();
    }

    @Test
    void pausesAgainAfterABurstWithoutAWait() {
        PollSpacing spacing = byOne();
        long ignored = after(spacing, 200, 40, 30);
        for (int i = 0; i < 20; i++) {
            nowNanos += 1_000 * MICROSECOND;
            assertThat(after(spacing, 25, 3, 2)).isZero();
            assertThat(after(spacing, 1, 35, 30)).isPositive();
        }
    }

    @Test
    void doesNotPauseOtherConnectors() {
        for (PollSpacing spacing : new PollSpacing[] {
            PollSpacing.of(SourceTask.class, BY_ONE),
            PollSpacing.of(PostgresConnectorTask.class, Map.of()),
            PollSpacing.of(PostgresConnectorTask.class, Map.of("max.batch.size", "16"))
        }) {
            assertThat(after(spacing, 200, 40, 30)).isZero();
        }
        assertThat(after(PollSpacing.of(BaseSourceTask.class, BY_ONE), 200, 40, 30))
                .as("of any database")
                .isPositive();
    }
}
