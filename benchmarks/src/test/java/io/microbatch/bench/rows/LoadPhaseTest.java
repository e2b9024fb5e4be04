package io.microbatch.bench.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LoadPhaseTest {

    @Test
    void risesToTheHighestRateAndEndsWithABurst() {
        assertThat(LoadPhase.plan(32, 5_000))
                .extracting(LoadPhase::label)
                .containsExactly("10/s", "100/s", "1,000/s", "5,000/s", "burst of 50,000");
        assertThat(LoadPhase.plan(32, 20_000))
                .extracting(LoadPhase::ratePerSec)
                .containsExactly(10, 100, 1_000, 5_000, 20_000, LoadPhase.AS_FAST_AS_POSSIBLE);
        assertThat(LoadPhase.plan(32, 50)).extracting(LoadPhase::label).containsExactly("10/s", "50/s", "burst of 500");
    }

    @Test
    void sharesTheSecondsEqually() {
        assertThat(LoadPhase.plan(32, 5_000).stream()
                        .filter(phase -> !phase.isBurst())
                        .mapToLong(LoadPhase::plannedNanos))
                .containsOnly(TimeUnit.SECONDS.toNanos(8));
    }

    @Test
    void writesRowByRowAsLongAsTheDatabaseIsNotWhatIsMeasured() {
        assertThat(LoadPhase.plan(32, 5_000))
                .extracting(LoadPhase::rowsPerTransaction)
                .containsExactly(1, 1, 1, 10, 500);
    }

    @Test
    void schedulesTheRestOfAPhaseInItsLastTransaction() {
        LoadPhase phase = new LoadPhase(0, 100, 25, 10);
        assertThat(phase.transactionCount()).isEqualTo(3);
        assertThat(phase.dueNanos(2)).isEqualTo(TimeUnit.MILLISECONDS.toNanos(200));
    }

    @Test
    void isLateFromAQuarterOfASecondOnUnlessAllRowsAreDueAtOnce() {
        LoadPhase phase = LoadPhase.of(0, 100, 25);
        assertThat(phase.isLate(TimeUnit.MILLISECONDS.toNanos(250))).isFalse();
        assertThat(phase.isLate(TimeUnit.MILLISECONDS.toNanos(251))).isTrue();
        assertThat(LoadPhase.of(0, LoadPhase.AS_FAST_AS_POSSIBLE, 25).isLate(TimeUnit.SECONDS.toNanos(9)))
                .isFalse();
    }
}
