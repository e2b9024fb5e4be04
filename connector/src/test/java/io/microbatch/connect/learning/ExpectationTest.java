package io.microbatch.connect.learning;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExpectationTest {

    private final Expectation expectation = new Expectation();

    @Test
    void fallsInTheSecondWindowInARowThatIsMoreThanATenthShort() {
        assertThat(expectation.falls(1_000, 50)).isFalse();
        assertThat(expectation.falls(890, 50)).isFalse();
        assertThat(expectation.falls(1_000, 50)).as("recovered in between").isFalse();
        assertThat(expectation.falls(890, 50)).isFalse();
        assertThat(expectation.falls(890, 50)).isTrue();
        assertThat(expectation.perSec()).as("said once").isEqualTo(890);
        assertThat(expectation.falls(890, 50)).isFalse();
        assertThat(expectation.falls(890, 50)).isFalse();
    }

    @Test
    void isAMovingAverageThatForgetsExponentially() {
        expectation.falls(1_000, 50);
        expectation.falls(1_100, 50);
        assertThat(expectation.perSec()).isEqualTo(1_020);
    }

    @Test
    void expectsLessOfFewerEvents() {
        expectation.falls(1_000, 50);
        assertThat(expectation.falls(850, 43)).isFalse();
        assertThat(expectation.falls(850, 43)).isFalse();
        assertThat(expectation.falls(600, 43)).isFalse();
        assertThat(expectation.falls(600, 43)).isTrue();
    }

    @Test
    void beginsAnewAtAnotherRate() {
        expectation.falls(1_000, 50);
        assertThat(expectation.falls(300, 20)).isFalse();
        assertThat(expectation.falls(300, 20)).isFalse();
        assertThat(expectation.perSec()).isEqualTo(300);
        assertThat(expectation.arrivalsPerSec()).isEqualTo(20);
    }

    @Test
    void goesOnAcrossARestart() {
        Expectation resumed = new Expectation(1_000, 50);
        assertThat(resumed.falls(800, 50)).isFalse();
        assertThat(resumed.falls(800, 50)).isTrue();
    }
}
