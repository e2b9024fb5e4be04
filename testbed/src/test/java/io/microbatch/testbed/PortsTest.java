package io.microbatch.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.testbed.Ports.Range;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PortsTest {

    /** A port is free until its server binds it, so that only its own process knows that it is taken. */
    @Test
    void processesThatRunAtTheSameTimeHavePortsOfTheirOwn() {
        List<Range> ranges = IntStream.rangeClosed(1, 4)
                .mapToObj(fork -> Range.of("" + fork))
                .toList();

        assertThat(ranges.get(0).first()).isEqualTo(Ports.FIRST);
        for (int i = 1; i < ranges.size(); i++) {
            assertThat(ranges.get(i).first()).isEqualTo(ranges.get(i - 1).end());
        }
        assertThat(ranges.get(3).end()).isEqualTo(Ports.LAST);
        assertThat(Range.of("5")).isEqualTo(ranges.get(0));
    }

    @Test
    void aProcessAloneHasAllPorts() {
        assertThat(Range.of("")).isEqualTo(new Range(Ports.FIRST, Ports.LAST));
        assertThat(Range.of("${surefire.forkNumber}")).isEqualTo(new Range(Ports.FIRST, Ports.LAST));
    }

    @Test
    void neverGivesAPortTwice() {
        assertThat(IntStream.range(0, 50).map(i -> Ports.free()).distinct()).hasSize(50);
        int first = Ports.free(3);
        assertThat(IntStream.range(0, 200).map(i -> Ports.free())).doesNotContain(first, first + 1, first + 2);
    }
}
