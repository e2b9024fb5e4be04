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

    /** So many polls of this length that end so far apart, and the pause after the last of them. */
    private long after(PollSpacing spacing, int polls, long gapMicros, long pollMicros) {
        long pauseNanos = -1;
        for (int i = 0; i < polls; i++) {
            nowNanos += gapMicros * MICROSECOND;
            pauseNanos = spacing.pauseNanosAfter(nowNanos - pollMicros * MICROSECOND, nowNanos);
        }
        return pauseNanos;
    }

    @Test
    void pausesAfterAPollThatHadToWaitWhileEventsComeFast() {
        PollSpacing spacing = byOne();
        assertThat(after(spacing, 200, 40, 30)).isEqualTo(1_000 * MICROSECOND);
    }

    @Test
    void takesWhatIsThereWithoutAPause() {
        PollSpacing spacing = byOne();
        assertThat(after(spacing, 200, 4, 3)).isZero();
    }

    @Test
    void doesNotHoldUpEventsThatComeSlowly() {
        PollSpacing spacing = byOne();
        assertThat(after(spacing, 500, 250, 240)).isZero();
        assertThat(after(byOne(), 1, 10, 30)).as("nor the first").isZero();
    }

    @Test
    void stopsPausingWhenEventsComeSlowlyAgain() {
        PollSpacing spacing = byOne();
        long ignored = after(spacing, 200, 40, 30);
        assertThat(after(spacing, 3, 1_040, 1_030)).isZero();
    }

    @Test
    void pausesAgainBehindABurstThatWasTakenWithoutWaiting() {
        PollSpacing spacing = byOne();
        long ignored = after(spacing, 200, 40, 30);
        for (int i = 0; i < 20; i++) {
            nowNanos += 1_000 * MICROSECOND;
            assertThat(after(spacing, 25, 3, 2)).isZero();
            assertThat(after(spacing, 1, 35, 30)).isPositive();
        }
    }

    @Test
    void leavesOthersAlone() {
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
