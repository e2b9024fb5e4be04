package io.microbatch.bench.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.bench.load.Delivery;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ContenderTest {

    @Test
    void transactionsByTheClockExistUnderExactlyOnceOnly() {
        assertThat(Contender.values()).allMatch(contender -> contender.isFor(Delivery.EXACTLY_ONCE));
        assertThat(Arrays.stream(Contender.values()).filter(contender -> !contender.isFor(Delivery.AT_LEAST_ONCE)))
                .containsExactlyInAnyOrder(
                        Contender.INTERVAL_20,
                        Contender.INTERVAL_20_LINGER_20,
                        Contender.INTERVAL_50,
                        Contender.INTERVAL_50_LINGER_50,
                        Contender.INTERVAL_100_LINGER_100,
                        Contender.INTERVAL_500_DISKLESS,
                        Contender.INTERVAL_1000_DISKLESS,
                        Contender.INTERVAL_2000_DISKLESS,
                        Contender.UNBUFFERED_INTERVAL_1000_DISKLESS,
                        Contender.UNBUFFERED_INTERVAL_20,
                        Contender.UNBUFFERED_INTERVAL_50,
                        Contender.UNBUFFERED_INTERVAL_50_LARGE_BATCHES,
                        Contender.UNBUFFERED_INTERVAL_1000_LARGE_BATCHES,
                        Contender.INTERVAL_200_LARGE_BATCHES,
                        Contender.INTERVAL_1000_LARGE_BATCHES,
                        Contender.HOSTED_INTERVAL_1000_LARGE_BATCHES);
    }

    @Test
    void aRivalReturnsOneEventFromEachPollOrAllItHas() {
        assertThat(Arrays.stream(Contender.values()).filter(Contender::isOneByOne))
                .containsExactlyInAnyOrder(
                        Contender.NAIVE,
                        Contender.NAIVE_DISKLESS,
                        Contender.INTERVAL_20,
                        Contender.INTERVAL_20_LINGER_20,
                        Contender.INTERVAL_50,
                        Contender.NAIVE_LARGE_BATCHES,
                        Contender.INTERVAL_50_LINGER_50,
                        Contender.INTERVAL_100_LINGER_100,
                        Contender.INTERVAL_500_DISKLESS,
                        Contender.INTERVAL_1000_DISKLESS,
                        Contender.INTERVAL_2000_DISKLESS,
                        Contender.INTERVAL_200_LARGE_BATCHES,
                        Contender.INTERVAL_1000_LARGE_BATCHES);
        assertThat(Arrays.stream(Contender.values()).filter(Contender::isUnbuffered))
                .containsExactlyInAnyOrder(
                        Contender.UNBUFFERED,
                        Contender.UNBUFFERED_INTERVAL_20,
                        Contender.UNBUFFERED_INTERVAL_50,
                        Contender.UNBUFFERED_LARGE_BATCHES,
                        Contender.UNBUFFERED_INTERVAL_50_LARGE_BATCHES,
                        Contender.UNBUFFERED_INTERVAL_1000_LARGE_BATCHES,
                        Contender.UNBUFFERED_INTERVAL_1000_DISKLESS);
    }

    @Test
    void noVariantOfThisConnectorIsItsRival() {
        assertThat(Arrays.stream(Contender.values()).filter(contender -> !contender.isRival()))
                .containsExactlyInAnyOrder(
                        Contender.ADAPTIVE,
                        Contender.ADAPTIVE_LARGE_BATCHES,
                        Contender.ADAPTIVE_DISKLESS,
                        Contender.HOSTED_LARGE_BATCHES,
                        Contender.HOSTED_INTERVAL_1000_LARGE_BATCHES,
                        Contender.HOSTED_FIXED_50000_LARGE_BATCHES,
                        Contender.TARGET_100,
                        Contender.BULK);
    }
}
