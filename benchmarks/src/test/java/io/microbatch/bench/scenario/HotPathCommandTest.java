package io.microbatch.bench.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.bench.load.Delivery;
import io.microbatch.bench.profile.Driver;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class HotPathCommandTest {

    private static final Driver EXACTLY_ONCE = new Driver("durable", Delivery.EXACTLY_ONCE, Map.of(), Map.of());

    @Test
    void comparesWithTheStrongestStockSettingAtASteadyRate() {
        assertThat(new HotPathCommand().contenders())
                .containsExactly(Contender.NAIVE, Contender.INTERVAL_50_LINGER_50, Contender.FIXED, Contender.ADAPTIVE);
        assertThat(Contender.INTERVAL_50_LINGER_50.settings())
                .containsEntry("transaction.boundary.interval.ms", "50")
                .containsEntry("producer.override.linger.ms", "50")
                .containsEntry("baseline.poll.events", "1");
    }

    /** A few events would all be taken in the first interval. */
    @Test
    void givesAllEventsToWhatCommitsByTheClock() {
        HotPathCommand command = new HotPathCommand();
        CommandLine ignored = new CommandLine(command);
        assertThat(command.atMost(EXACTLY_ONCE, Contender.INTERVAL_50_LINGER_50, 8_000))
                .isEqualTo(8_000);
        assertThat(command.atMost(EXACTLY_ONCE, Contender.ADAPTIVE, 8_000)).isEqualTo(8_000);
        assertThat(command.atMost(EXACTLY_ONCE, Contender.NAIVE, 8_000)).isEqualTo(300);
    }
}
