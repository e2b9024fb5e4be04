package io.microbatch.connect.stripe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The leave-by mark of a stripe: how long it holds, and whom it wakes. The clock stands still. */
@Timeout(60)
class LeaveByTest {
    private static final int MARK_COUNT = 20_000;

    private final AtomicLong clock = new AtomicLong();
    private final StripeSet<String> stripes = new StripeSet<>(2, 8, 100, clock::get);
    private final StripeWriter<String> writer = stripes.writer(0);

    private static void offer(StripeWriter<String> to, long leaveByNanos) {
        assertThat(Offering.offer(to, "e", 1)).isEqualTo(Offer.ACCEPTED);
        to.leaveBy(leaveByNanos);
    }

    private int drain(int maxEvents) {
        return stripes.drain((event, sizeBytes) -> {}, maxEvents, 1_000, (last, next) -> false);
    }

    @Test
    void holdsUntilItsEventIsTaken() {
        assertThat(stripes.leaveByNanos(50)).as("no mark yet").isEqualTo(50);
        Offering.offer(writer, "before", 1);
        offer(writer, 20);
        assertThat(stripes.leaveByNanos(50)).isEqualTo(20);
        assertThat(stripes.leaveByNanos(10)).as("a mark that is later").isEqualTo(10);
        assertThat(drain(1)).isOne();
        assertThat(stripes.leaveByNanos(50)).isEqualTo(20);
        assertThat(drain(1)).isOne();
        assertThat(stripes.leaveByNanos(50)).isEqualTo(50);
        Offering.offer(writer, "without a mark", 1);
        assertThat(stripes.leaveByNanos(50)).isEqualTo(50);
    }

    @Test
    void isNotPutOffWhileItHolds() {
        offer(writer, 20);
        offer(writer, 30);
        assertThat(stripes.leaveByNanos(50)).isEqualTo(20);
        offer(writer, 10);
        assertThat(stripes.leaveByNanos(50)).isEqualTo(10);
        drain(3);
        offer(writer, 30);
        assertThat(stripes.leaveByNanos(50)).as("the earlier ones are gone").isEqualTo(30);
    }

    /** At saturation every mark is set during a drain. Otherwise one time that has passed would end all batches. */
    @Test
    void isNotMadeEarlierByOneWhoseEventsLeaveNow() {
        offer(writer, 20);
        stripes.drain((event, sizeBytes) -> offer(writer, 30), 1, 1_000, (last, next) -> false);
        assertThat(stripes.leaveByNanos(50)).isEqualTo(30);
    }

    @Test
    void keepsTheEarlierOneOfEventsThatStay() {
        offer(writer, 40);
        offer(writer, 20);
        stripes.drain((event, sizeBytes) -> offer(writer, 30), 1, 1_000, (last, next) -> false);
        assertThat(stripes.leaveByNanos(50)).isEqualTo(20);
    }

    @Test
    void isTheEarliestOfAllStripes() {
        offer(writer, 20);
        offer(stripes.writer(1), 15);
        assertThat(stripes.leaveByNanos(50)).isEqualTo(15);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE, -1})
    void holdsWhereIndexesAndTimesOverflow(long firstIndex) {
        StripeWriter<String> stripe = new StripeWriter<>(new SpscRing<>(4, 100, firstIndex), () -> {});
        assertThat(stripe.leaveByNanos(Long.MIN_VALUE)).isEqualTo(Long.MIN_VALUE);
        offer(stripe, Long.MAX_VALUE);
        assertThat(stripe.leaveByNanos(Long.MIN_VALUE + 5)).isEqualTo(Long.MAX_VALUE);
        offer(stripe, Long.MIN_VALUE + 3);
        assertThat(stripe.leaveByNanos(Long.MIN_VALUE + 5)).isEqualTo(Long.MAX_VALUE);
        assertThat(stripe.leaveByNanos(Long.MAX_VALUE - 1)).isEqualTo(Long.MAX_VALUE - 1);
    }

    @Test
    void endsTheWaitOfAConsumerThatKnowsNoEarlierOne() throws InterruptedException {
        offer(writer, 20);
        assertThat(stripes.await(5, 50, 0, 21)).isEqualTo(Wake.MARKED);
        assertThat(stripes.await(5, 50, 0, 20)).as("known").isEqualTo(Wake.DEADLINE);
        assertThat(stripes.await(5, 50, 0, 19)).as("later").isEqualTo(Wake.DEADLINE);
    }

    @Test
    void wakesAParkedConsumerForAnEarlierOne() throws InterruptedException {
        AtomicReference<Wake> wake = new AtomicReference<>();
        try (Peer consumer = Peer.start(() -> wake.set(stripes.await(5, 50, Peer.GUARD_NANOS, 20)))) {
            consumer.awaitParked();
            offer(writer, 20);
            assertThat(wake.get()).isNull();
            offer(stripes.writer(1), 19);
            consumer.join();
        }
        assertThat(wake.get()).isEqualTo(Wake.MARKED);
    }

    @Test
    void wakesAParkedConsumerForTheLastEventWanted() throws InterruptedException {
        AtomicReference<Wake> wake = new AtomicReference<>();
        try (Peer consumer = Peer.start(() -> wake.set(stripes.await(1, 50, Peer.GUARD_NANOS, 20)))) {
            consumer.awaitParked();
            offer(writer, 30);
            consumer.join();
        }
        assertThat(wake.get()).isEqualTo(Wake.COUNT);
    }

    @Test
    void claimsAWakeForAMarkOnlyOnce() {
        Offering.offer(writer, "e", 1);
        assertThat(writer.markAndClaimWake(10)).as("not armed").isFalse();
        writer.arm(5, 50, 10);
        assertThat(writer.markAndClaimWake(10)).as("known").isFalse();
        assertThat(writer.markAndClaimWake(9)).isTrue();
        assertThat(writer.markAndClaimWake(8)).as("woken already").isFalse();
        writer.arm(5, 50, 10);
        assertThat(writer.mustWake())
                .as("a signal without a mark: the consumer has looked at the last one")
                .isFalse();
    }

    /** In every round only the mark can end the wait, and only a drain lets the reader thread go on. */
    @Test
    void wakesForEveryOneOfManyMarks() throws InterruptedException {
        StripeSet<Integer> real = new StripeSet<>(1, 1, 100, System::nanoTime);
        try (Peer reader = Peer.start(() -> {
            for (int i = 0; i < MARK_COUNT; i++) {
                while (Offering.offer(real.writer(0), i, 1) == Offer.FULL) {
                    assertThat(real.writer(0).awaitSpace(Peer.GUARD_NANOS)).isEqualTo(Space.FREED);
                }
                real.writer(0).leaveBy(System.nanoTime());
            }
        })) {
            for (int taken = 0; taken < MARK_COUNT; ) {
                long never = System.nanoTime() + Peer.GUARD_NANOS;
                // The reader thread may find the stripe full first.
                assertThat(real.await(2, 100, never, never)).isIn(Wake.MARKED, Wake.FULL);
                taken += real.drain((event, sizeBytes) -> {}, 10, 100, (last, next) -> false);
            }
            reader.join();
        }
    }
}
