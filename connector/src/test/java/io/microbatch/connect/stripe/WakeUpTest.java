package io.microbatch.connect.stripe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * No wake-up is missed over many hand-offs. In every round only the tested wake-up can end the wait. A missed one
 * becomes a deadline a minute later and fails the test.
 */
class WakeUpTest {
    private static final int HAND_OFF_COUNT = 50_000;
    private static final int ROUND_COUNT = 10_000;

    @Test
    void passesEventsOneByOneThroughARingOfOne() throws InterruptedException {
        StripeSet<Integer> stripes = new StripeSet<>(1, 1, 100, System::nanoTime);
        StripeWriter<Integer> writer = stripes.writer(0);
        try (Peer reader = Peer.start(() -> {
            for (int i = 0; i < HAND_OFF_COUNT; i++) {
                while (Offering.offer(writer, i, 1) == Offer.FULL) {
                    assertThat(writer.awaitSpace(Peer.GUARD_NANOS)).isEqualTo(Space.FREED);
                }
                writer.signal();
            }
        })) {
            AtomicInteger expected = new AtomicInteger();
            while (expected.get() < HAND_OFF_COUNT) {
                long guard = System.nanoTime() + Peer.GUARD_NANOS;
                assertThat(stripes.await(1, 100, guard, guard)).isEqualTo(Wake.COUNT);
                stripes.drain(
                        (event, sizeBytes) -> assertThat(event).isEqualTo(expected.getAndIncrement()),
                        10,
                        100,
                        (last, next) -> false);
            }
            reader.join();
        }
    }

    @Test
    void wakesForTheLastEventOfAnyDistributionOverTheStripes() throws InterruptedException {
        int stripeCount = 3;
        StripeSet<Integer> stripes = new StripeSet<>(stripeCount, 64, 1_000, System::nanoTime);
        Semaphore[] rounds = {new Semaphore(0), new Semaphore(0), new Semaphore(0)};
        List<Peer> readers = new ArrayList<>();
        try {
            for (int i = 0; i < stripeCount; i++) {
                int stripe = i;
                readers.add(Peer.start(() -> readRounds(stripes.writer(stripe), stripe, rounds[stripe])));
            }
            for (int r = 0; r < ROUND_COUNT; r++) {
                int wanted = eventsOf(0, r) + eventsOf(1, r) + eventsOf(2, r);
                boolean byBytes = r % 2 == 0;
                for (Semaphore round : rounds) {
                    round.release();
                }
                long guard = System.nanoTime() + Peer.GUARD_NANOS;
                Wake wake = stripes.await(
                        byBytes ? Long.MAX_VALUE : wanted, byBytes ? 3L * wanted : Long.MAX_VALUE, guard, guard);
                assertThat(wake).isEqualTo(byBytes ? Wake.BYTES : Wake.COUNT);
                assertThat(stripes.drain((event, sizeBytes) -> {}, 1_000, Long.MAX_VALUE, (last, next) -> false))
                        .isEqualTo(wanted);
            }
            for (Peer reader : readers) {
                reader.join();
            }
        } finally {
            readers.forEach(Peer::close);
        }
    }

    private static void readRounds(StripeWriter<Integer> writer, int stripe, Semaphore round)
            throws InterruptedException {
        for (int r = 0; r < ROUND_COUNT; r++) {
            assertThat(round.tryAcquire(Peer.GUARD_NANOS, TimeUnit.NANOSECONDS)).isTrue();
            for (int i = 0; i < eventsOf(stripe, r); i++) {
                assertThat(Offering.offer(writer, i, 3)).isEqualTo(Offer.ACCEPTED);
                if (i % 4 == 3) {
                    writer.signal();
                }
            }
            writer.signal();
        }
    }

    /** Between none and 12 events, and never none in all stripes together. */
    private static int eventsOf(int stripe, int round) {
        return stripe == round % 3 ? 1 + round % 12 : round % 5 == 0 ? 0 : round * (stripe + 1) % 7;
    }
}
