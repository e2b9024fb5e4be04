package io.microbatch.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MediansTest {

    @Test
    void isTheMiddleOneInWhateverOrderTheyAre() {
        assertThat(Medians.of(List.of(9.0, 1.0, 4.0))).isEqualTo(4);
        assertThat(Medians.of(List.of(7.0))).isEqualTo(7);
    }

    @Test
    void isTheMeanOfTheTwoInTheMiddle() {
        assertThat(Medians.of(List.of(100.0, 1.0, 2.0, 4.0))).isEqualTo(3);
    }

    @Test
    void isNoNumberOfNothing() {
        assertThat(Medians.of(List.of())).isNaN();
    }
}
