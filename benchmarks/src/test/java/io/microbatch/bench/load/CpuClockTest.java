package io.microbatch.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;

class CpuClockTest {

    /** Fields 14 and 15 of proc(5), the first two being the number and the name. */
    private static final String REST = " S 1 2 3 4 5 6 7 8 9 10 250 50 0 0 20 0 1 0 99";

    @Test
    void addsUserAndSystemTimeInHundredthsOfASecond() {
        assertThat(CpuClock.secondsOf("17 (java)" + REST)).isEqualTo(3.0);
    }

    @Test
    void takesNoPartOfTheNameForAField() {
        assertThat(CpuClock.secondsOf("17 (a (b) c 1 2 3)" + REST)).isEqualTo(3.0);
    }

    @Test
    void readsWhatTheKernelSaysOfThisProcess() {
        long pid = ProcessHandle.current().pid();
        double before = CpuClock.seconds(pid);
        double after = CpuClock.seconds(pid);

        assertThat(before).isPositive();
        assertThat(after).isGreaterThanOrEqualTo(before);
    }

    @Test
    void saysSoWhereThereIsNoSuchProcess() {
        assertThatThrownBy(() -> CpuClock.seconds(-1)).isInstanceOf(UncheckedIOException.class);
    }
}
