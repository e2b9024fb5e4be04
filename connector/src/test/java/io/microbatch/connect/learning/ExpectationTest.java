package io.microbatch.connect.learning;

import static io.microbatch.connect.learning.Expectation.Change.FELL;
import static io.microbatch.connect.learning.Expectation.Change.NONE;
import static io.microbatch.connect.learning.Expectation.Change.ROSE;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExpectationTest {

    private final Expectation expectation = new Expectation();

    @Test
    void reportsARegressionAtTheSecondWindowInARowThatIsMoreThanATenthTooLow() {
        assertThat(expectation.check(1_000, 50, true)).isEqualTo(NONE);
        assertThat(expectation.check(890, 50, true)).isEqualTo(NONE);
        assertThat(expectation.check(1_000, 50, true))
                .as("recovered in between")
                .isEqualTo(NONE);
        assertThat(expectation.check(890, 50, true)).isEqualTo(NONE);
        assertThat(expectation.check(890, 50, true)).isEqualTo(FELL);
        assertThat(expectation.perSec()).as("said once").isEqualTo(890);
        assertThat(expectation.check(890, 50, true)).isEqualTo(NONE);
        assertThat(expectation.check(890, 50, true)).isEqualTo(NONE);
    }

    @Test
    void isAnExponentialMovingAverage() {
        expectation.check(1_000, 50, true);
        expectation.check(1_100, 50, true);
        assertThat(expectation.perSec()).isEqualTo(1_020);
    }

    @Test
    void expectsALowerServiceRateOfFewerEvents() {
        expectation.check(1_000, 50, true);
        assertThat(expectation.check(850, 43, true)).isEqualTo(NONE);
        assertThat(expectation.check(850, 43, true)).isEqualTo(NONE);
        assertThat(expectation.check(600, 43, true)).isEqualTo(NONE);
        assertThat(expectation.check(600, 43, true)).isEqualTo(FELL);
    }

    @Test
    void startsAgainAtAnotherRate() {
        expectation.check(1_000, 50, true);
        assertThat(expectation.check(300, 20, true)).isEqualTo(NONE);
        assertThat(expectation.check(300, 20, true)).isEqualTo(NONE);
        assertThat(expectation.perSec()).isEqualTo(300);
        assertThat(expectation.arrivalsPerSec()).isEqualTo(20);
    }

    @Test
    void continuesAfterARestart() {
        Expectation resumed = new Expectation(1_000, 50);
        assertThat(resumed.check(800, 50, true)).isEqualTo(NONE);
        assertThat(resumed.check(800, 50, true)).isEqualTo(FELL);
    }

    @Test
    void reportsARecoveryAtTheSecondWindowInARowThatIsFarBetter() {
        assertThat(expectation.check(1_000, 50, true)).isEqualTo(NONE);
        assertThat(expectation.check(1_600, 50, true)).isEqualTo(NONE);
        assertThat(expectation.perSec()).as("unchanged after one window").isEqualTo(1_000);
        assertThat(expectation.check(1_000, 50, true)).as("back again").isEqualTo(NONE);
        assertThat(expectation.check(1_600, 50, true)).isEqualTo(NONE);
        assertThat(expectation.check(1_600, 50, true)).isEqualTo(ROSE);
        assertThat(expectation.perSec()).as("said once").isEqualTo(1_600);
        assertThat(expectation.check(1_600, 50, true)).isEqualTo(NONE);
    }

    @Test
    void reportsNoRegressionInShortWindows() {
        expectation.check(1_000, 50, false);
        for (int i = 0; i < 10; i++) {
            assertThat(expectation.check(500, 50, false)).isEqualTo(NONE);
        }
        assertThat(expectation.perSec()).as("what it expects of whole windows").isBetween(500.0, 560.0);
        assertThat(expectation.check(400, 50, true)).isEqualTo(NONE);
        assertThat(expectation.check(400, 50, true)).isEqualTo(FELL);
    }
}
