package io.microbatch.connect.upstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.ack.TaskPace;
import io.microbatch.connect.config.HttpConfig;
import io.microbatch.connect.config.MicrobatchConfig;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which answers ask a client to come again, and when. */
class RetryAfterTest {

    private static final HttpConfig CONFIG =
            new MicrobatchConfig(Map.of("upstream.type", "http", "upstream.http.topics", "orders")).http();

    private final Admission admission = new Admission(CONFIG, new TaskPace(0), () -> 0);

    /** The waits that many refused clients are told. */
    private Set<Integer> seconds() {
        Set<Integer> seconds = new TreeSet<>();
        for (int client = 0; client < 2_000; client++) {
            boolean ignored = seconds.add(admission.retryAfterSec());
        }
        return seconds;
    }

    private void settlePerSec(int bytes) {
        for (int second = 0; second < 60; second++) {
            assertThat(admission.reserve(bytes)).isTrue();
            assertThat(admission.tryQueue()).isTrue();
            admission.taken();
            admission.answered(bytes, true);
            admission.tick();
        }
    }

    @Test
    void isTheTimeThatKafkaTakesForWhatIsInFlightAndUpToAsLongAgain() {
        settlePerSec(1_000);
        assertThat(seconds()).containsExactly(1, 2);
        assertThat(admission.reserve(4_500)).isTrue();
        assertThat(seconds()).containsExactly(5, 6, 7, 8, 9, 10);
    }

    @Test
    void isHalfAMinuteAtMost() {
        settlePerSec(1_000);
        assertThat(admission.reserve(1_000_000)).isTrue();
        assertThat(seconds()).hasSize(16).contains(15, 30);
    }

    @Test
    void countsOnlyWhatKafkaHas() {
        assertThat(admission.reserve(10_000)).isTrue();
        assertThat(admission.tryQueue()).isTrue();
        admission.taken();
        admission.answered(5_000, false);
        admission.tick();
        assertThat(seconds()).contains(15, 30);
    }

    @ParameterizedTest
    @EnumSource
    void isInEveryAnswerThatAsksForARepetitionAndInNoOther(Cause cause) {
        boolean isSure = Set.of(409, 429, 503).contains(cause.status());
        assertThat(Answer.of(cause, 7).fields())
                .extracting(Answer.Field::name)
                .isEqualTo(isSure ? List.of("Retry-After") : List.of());
    }

    @ParameterizedTest
    @EnumSource(names = {"FULL", "STALLED", "SHORT", "LATE", "CONNECTIONS"})
    void isTheTimeOfTheAdmissionWhereRoomIsMissing(Cause cause) {
        assertThat(Answer.of(cause, 7).fields()).containsExactly(new Answer.Field("Retry-After", "7"));
    }
}
