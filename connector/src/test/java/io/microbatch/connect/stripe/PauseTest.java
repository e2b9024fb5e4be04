package io.microbatch.connect.stripe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The announced pause of a reader thread: how long it holds, and whom it wakes. */
@Timeout(60)
class PauseTest {
    private static final int PAUSE_COUNT = 20_000;

    private final AtomicLong clock = new AtomicLong();
    private final StripeSet<String> stripes = new StripeSet<>(2, 8, 100, clock::get);
    private final StripeWriter<String> writer = stripes.writer(0);
    private final StripeWriter<String> other = stripes.writer(1);

    private static void offer(StripeWriter<String> to) {
        assertThat(Offering.offer(to, "e", 1)).isEqualTo(Offer.ACCEPTED);
    }

    @Test
    void holdsUntilTheNextEvent() {
        StripeSet<String> one = new StripeSet<>(1, 8, 100, clock::get);
        assertThat(one.pausedUntilNanos(5)).as("nothing announced yet").isEqualTo(5);
        offer(one.writer(0));
        one.writer(0).pausesUntil(20);
        assertThat(one.pausedUntilNanos(5)).isEqualTo(20);
        assertThat(one.pausedUntilNanos(20)).as("over").isEqualTo(20);
        assertThat(one.pausedUntilNanos(21)).as("over").isEqualTo(21);
        one.writer(0).pausesUntil(30);
        assertThat(one.pausedUntilNanos(5)).as("a longer one").isEqualTo(30);
        one.drain((event, sizeBytes) -> {}, 1, 100, (last, next) -> false);
        assertThat(one.pausedUntilNanos(5)).as("a drain does not end it").isEqualTo(30);
        offer(one.writer(0));
        assertThat(one.pausedUntilNanos(5)).isEqualTo(5);
    }

    @Test
    void isTheShortestOfAllStripes() {
        writer.pausesUntil(20);
        assertThat(stripes.pausedUntilNanos(5)).as("of one stripe only").isEqualTo(5);
        other.pausesUntil(15);
        assertThat(stripes.pausedUntilNanos(5)).isEqualTo(15);
        assertThat(stripes.pausedUntilNanos(16)).isEqualTo(16);
        other.pausesUntil(25);
        assertThat(stripes.pausedUntilNanos(5)).isEqualTo(20);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE, Long.MIN_VALUE, -1})
    void holdsWhereIndexesAndTimesOverflow(long firstIndex) {
        StripeWriter<String> stripe = new StripeWriter<>(new SpscRing<>(4, 100, firstIndex), () -> {});
        assertThat(stripe.pausedUntilNanos(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
        offer(stripe);
        stripe.pausesUntil(Long.MIN_VALUE + 5);
        assertThat(stripe.pausedUntilNanos(Long.MAX_VALUE)).isEqualTo(Long.MIN_VALUE + 5);
        assertThat(stripe.pausedUntilNanos(Long.MIN_VALUE + 6)).isEqualTo(Long.MIN_VALUE + 6);
    }

    @Test
    void endsTheWaitOfAConsumerThatWouldWaitForLess() throws InterruptedException {
        other.pausesUntil(100);
        offer(writer);
        writer.pausesUntil(20);
        clock.set(9);
        assertThat(stripes.await(5, 50, 10, 19)).isEqualTo(Wake.PAUSED);
        clock.set(10);
        assertThat(stripes.await(5, 50, 10, 20)).as("not longer").isEqualTo(Wake.DEADLINE);
        assertThat(stripes.pausedUntilNanos(5)).isEqualTo(20);
        assertThat(stripes.await(5, 50, 10, 19)).as("known").isEqualTo(Wake.DEADLINE);
        writer.pausesUntil(21);
        assertThat(stripes.await(5, 50, 10, 19)).as("a new one").isEqualTo(Wake.PAUSED);
    }

    /** Otherwise a consumer whose transaction must not begin yet would look without end. */
    @Test
    void isNoNewsWhenItIsOver() throws InterruptedException {
        other.pausesUntil(20);
        offer(writer);
        writer.pausesUntil(20);
        clock.set(21);
        assertThat(stripes.pausedUntilNanos(21)).isEqualTo(21);
        assertThat(stripes.await(5, 50, 21, 10)).isEqualTo(Wake.DEADLINE);
    }

    @Test
    void doesNotEndTheWaitForAFirstEvent() throws InterruptedException {
        writer.pausesUntil(20);
        other.pausesUntil(20);
        assertThat(stripes.await(1, 50, 0, 10)).isEqualTo(Wake.DEADLINE);
    }

    @Test
    void wakesAParkedConsumerThatWouldWaitForLess() throws InterruptedException {
        AtomicReference<Wake> wake = new AtomicReference<>();
        offer(writer);
        try (Peer consumer = Peer.start(() -> wake.set(stripes.await(5, 50, Peer.GUARD_NANOS, 20)))) {
            consumer.awaitParked();
            other.pausesUntil(21);
            writer.pausesUntil(20);
            consumer.awaitParked();
            assertThat(wake.get()).as("not longer").isNull();
            writer.pausesUntil(21);
            consumer.join();
        }
        assertThat(wake.get()).isEqualTo(Wake.PAUSED);
    }

    @Test
    void claimsAWakeOnlyOnce() {
        offer(writer);
        assertThat(writer.pauseAndClaimWake(10)).as("not armed").isFalse();
        writer.arm(5, 50, 10);
        assertThat(writer.pauseAndClaimWake(10)).as("not longer").isFalse();
        assertThat(writer.pauseAndClaimWake(11)).isTrue();
        assertThat(writer.pauseAndClaimWake(12)).as("woken already").isFalse();
        writer.arm(5, 50, 10);
        assertThat(writer.mustWake())
                .as("a signal without a pause: the consumer has looked at the last one")
                .isFalse();
        writer.arm(1, 50, 20);
        assertThat(writer.pauseAndClaimWake(10)).as("the events wanted").isTrue();
    }

    /** In every round only the pause can end the wait. */
    @Test
    void wakesForEveryOneOfManyPauses() throws InterruptedException {
        StripeSet<Integer> real = new StripeSet<>(1, 2, 100, System::nanoTime);
        StripeWriter<Integer> only = real.writer(0);
        Semaphore rounds = new Semaphore(1);
        long guard = System.nanoTime() + Peer.GUARD_NANOS;
        try (Peer reader = Peer.start(() -> {
            for (int i = 0; i < PAUSE_COUNT; i++) {
                assertThat(rounds.tryAcquire(Peer.GUARD_NANOS, TimeUnit.NANOSECONDS))
                        .isTrue();
                assertThat(Offering.offer(only, i, 1)).isEqualTo(Offer.ACCEPTED);
                only.pausesUntil(guard + 1 + i);
            }
        })) {
            for (int taken = 0; taken < PAUSE_COUNT; taken++) {
                assertThat(real.await(2, 100, guard, guard)).isEqualTo(Wake.PAUSED);
                assertThat(real.drain((event, sizeBytes) -> {}, 1, 100, (last, next) -> false))
                        .isOne();
                rounds.release();
            }
            reader.join();
        }
    }
}
