package io.microbatch.connect.stripe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Runs of several stripes in one drain. */
class ByteStripeSetTest {

    private final ByteStripeSet<String> stripes = new ByteStripeSet<>(2, 64, 32, 8, () -> 0);
    private final List<String> runs = new ArrayList<>();
    private final RunSink<String> sink = new RunSink<>() {
        @Override
        public void take(String run, byte[] bytes, int from, int sizeBytes, int events) {
            runs.add(run);
        }

        @Override
        public void end() {
            // Looks at no bytes.
        }
    };

    @BeforeEach
    void publish() {
        for (int stripe = 0; stripe < 2; stripe++) {
            ByteStripeWriter<String> writer = stripes.writer(stripe);
            assertThat(writer.claim(5)).isNotNegative();
            writer.written(5, 3);
            writer.publish("of stripe " + stripe);
        }
    }

    @Test
    void takesFromAllStripesWithinTheLimits() {
        assertThat(stripes.drain(sink, 6, 10)).isEqualTo(6);
        assertThat(runs).containsExactly("of stripe 0", "of stripe 1");
    }

    @Test
    void takesNoSecondRunThatIsBeyondTheEvents() {
        assertThat(stripes.drain(sink, 4, 100)).isEqualTo(3);
        assertThat(runs).containsExactly("of stripe 0");
    }

    @Test
    void takesNoSecondRunThatIsBeyondTheBytes() {
        assertThat(stripes.drain(sink, 100, 8)).isEqualTo(3);
        assertThat(runs).containsExactly("of stripe 0");
    }

    @Test
    void beginsWithTheNextStripeTheNextTime() {
        assertThat(stripes.drain(sink, 1, 100)).isEqualTo(3);
        assertThat(stripes.drain(sink, 1, 100)).isEqualTo(3);
        assertThat(runs).containsExactly("of stripe 0", "of stripe 1");
        assertThat(stripes.sizeEvents()).isZero();
    }
}
