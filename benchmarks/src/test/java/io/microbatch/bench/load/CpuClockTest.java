package io.microbatch.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microbatch.testbed.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CpuClockTest {

    /** Fields 14 to 17 of proc(5), the first two being the number and the name. */
    private static final String REST = " S 1 2 3 4 5 6 7 8 9 10 250 50 30 70 20 0 1 0 99";

    @Test
    void addsUserAndSystemTimeInHundredthsOfASecond() {
        assertThat(CpuClock.secondsOf("17 (java)" + REST)).isEqualTo(3.0);
    }

    @Test
    void takesNoPartOfTheNameForAField() {
        assertThat(CpuClock.secondsOf("17 (a (b) c 1 2 3)" + REST)).isEqualTo(3.0);
    }

    @Test
    void addsTheTimeOfChildrenThatHaveEnded() {
        assertThat(CpuClock.secondsWithEndedChildren("17 (postgres)" + REST)).isEqualTo(4.0);
    }

    @Test
    void addsTheTimeOfChildrenWhileTheyRunAndAfterTheirEnd() throws IOException, InterruptedException {
        long own = ProcessHandle.current().pid();
        double before = CpuClock.secondsOfTree(own) - CpuClock.seconds(own);
        Process child = new ProcessBuilder("sh", "-c", "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; read line")
                .redirectInput(ProcessBuilder.Redirect.PIPE)
                .start();
        Await.until(
                "the child's CPU time",
                Duration.ofSeconds(30),
                () -> CpuClock.secondsOfTree(own) - CpuClock.seconds(own) > before + 0.02,
                () -> "none");
        child.outputWriter().close();
        int ignored = child.waitFor();

        assertThat(CpuClock.secondsOfTree(own) - CpuClock.seconds(own)).isGreaterThan(before + 0.02);
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
