package io.microbatch.connect.learning;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WindowLengthTest {

    @ParameterizedTest
    @CsvSource({
        "9999, 1000, false, false",
        "10000, 0, false, true",
        "10000, 0, true, true",
        "9999, 19, true, false",
        "1999, 1000, true, false",
        "2000, 20, true, true"
    })
    void isOverAfterTwoSecondsWithTwentyBatchesOnlyWhileExploring(
            long lengthMs, long batches, boolean exploring, boolean over) {
        assertThat(new WindowLength(10_000).isOver(lengthMs, batches, exploring))
                .isEqualTo(over);
    }

    @ParameterizedTest
    @CsvSource({"1000, 0", "1500, 0", "2000, 0", "1000, 1000", "2000, 1000"})
    void isTheSameWhileExploringIfTheWindowIsTwoSecondsOrLess(long wholeMs, long batches) {
        WindowLength length = new WindowLength(wholeMs);
        assertThat(length.isOver(wholeMs - 1, batches, true)).isFalse();
        assertThat(length.isOver(wholeMs, batches, true)).isTrue();
        assertThat(length.isEnough(wholeMs * 9 / 10 - 1, batches, true)).isFalse();
        assertThat(length.isEnough(wholeMs * 9 / 10, batches, true)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "8999, 1000, false, false",
        "9000, 0, false, true",
        "1799, 1000, true, false",
        "1800, 19, true, false",
        "1800, 20, true, true"
    })
    void isEnoughAfterNineTenths(long lengthMs, long batches, boolean exploring, boolean enough) {
        assertThat(new WindowLength(10_000).isEnough(lengthMs, batches, exploring))
                .isEqualTo(enough);
    }
}
