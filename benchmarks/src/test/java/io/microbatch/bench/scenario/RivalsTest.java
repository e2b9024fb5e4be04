package io.microbatch.bench.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.bench.load.Delivery;
import io.microbatch.bench.load.Settings;
import io.microbatch.bench.profile.Driver;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What one stock key mends is no rival: each scenario also has the stock settings that are strongest for it. */
class RivalsTest {

    private static final Driver EXACTLY_ONCE = new Driver("durable", Delivery.EXACTLY_ONCE, Map.of(), Map.of());

    static Stream<Scenario> atSaturation() {
        return Stream.of(new BacklogCommand(), new MixedCommand(), new PartitionsCommand(), new SizesCommand());
    }

    static Stream<Scenario> atARate() {
        return Stream.of(new FanOutCommand(), new HotPathCommand(), new MixedCommand());
    }

    @ParameterizedTest
    @MethodSource("atSaturation")
    void aSourceThatReturnsAllItHasIsARivalAtSaturation(Scenario scenario) {
        assertThat(scenario.contenders())
                .contains(Contender.UNBUFFERED, Contender.UNBUFFERED_INTERVAL_50, Contender.INTERVAL_50_LINGER_50);
    }

    @ParameterizedTest
    @MethodSource("atARate")
    void anIntervalWithALingerIsARivalAtARate(Scenario scenario) {
        assertThat(scenario.contenders()).contains(Contender.INTERVAL_50_LINGER_50);
    }

    /** A setting of this connector's that any connector can have is given to the rivals too. */
    @Test
    void rivalsHaveTheLargeBatchesThatThisConnectorHas() {
        assertThat(new SlowBrokerCommand().contenders())
                .contains(
                        Contender.ADAPTIVE_LARGE_BATCHES,
                        Contender.UNBUFFERED_LARGE_BATCHES,
                        Contender.UNBUFFERED_INTERVAL_50_LARGE_BATCHES,
                        Contender.NAIVE_LARGE_BATCHES,
                        Contender.INTERVAL_200_LARGE_BATCHES,
                        Contender.INTERVAL_1000_LARGE_BATCHES,
                        Contender.UNBUFFERED_INTERVAL_1000_LARGE_BATCHES);
        assertThat(Contender.UNBUFFERED_INTERVAL_50_LARGE_BATCHES.settings())
                .containsEntry(
                        Contender.BATCH_SIZE,
                        Contender.ADAPTIVE_LARGE_BATCHES.settings().get(Contender.BATCH_SIZE));
    }

    @Test
    void aLatencyTargetHasAnIntervalAsLongAsItsRival() {
        assertThat(new CatchUpCommand().contenders())
                .contains(Contender.TARGET_100, Contender.INTERVAL_100_LINGER_100, Contender.UNBUFFERED_INTERVAL_50);
    }

    /** A source that commits in each poll is at the budget without an interruption. */
    @Test
    void anIntervalWithinTheBudgetIsInterruptedToo() {
        List<Contender> byTheClock = new OffsetRecoveryCommand()
                .contenders().stream()
                        .filter(contender -> contender.isForeign() && Settings.isByTheClock(contender.settings()))
                        .toList();
        assertThat(byTheClock).isNotEmpty().allSatisfy(contender -> {
            assertThat(Settings.intervalMs(contender.settings())).isLessThanOrEqualTo(20);
            assertThat(contender.settings()).containsKey("producer.override.linger.ms");
            assertThat(contender.isFor(Delivery.AT_LEAST_ONCE)).isFalse();
        });
    }

    /** With a few events only, its worker would be cold, and it would never be live again after a backlog. */
    @Test
    void anIntervalPaysNoTransactionForEachEvent() {
        assertThat(Scenario.isSlow(EXACTLY_ONCE, Contender.NAIVE)).isTrue();
        assertThat(Scenario.isSlow(EXACTLY_ONCE, Contender.INTERVAL_50_LINGER_50))
                .isFalse();
        assertThat(Scenario.isSlow(EXACTLY_ONCE, Contender.UNBUFFERED)).isFalse();
    }
}
