package io.microbatch.connect.stripe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The reasons for which the consumer and the reader threads return from waiting. Tests of deadlines use a clock that
 * stands still.
 */
class StripeSetAwaitTest {
    /** Longer than any test waits for its other thread, so that a missed wake-up cannot look like a late one. */
    private static final long NEVER = 10 * Peer.GUARD_NANOS;

    private final AtomicLong clock = new AtomicLong();
    private final StripeSet<String> stripes = new StripeSet<>(2, 4, 100, clock::get);
    private final StripeWriter<String> writer = stripes.writer(0);

    @AfterEach
    void noInterruptLeaksIntoTheNextTest() {
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void returnsImmediatelyWithEnoughEventsOrBytes() throws InterruptedException {
        assertThat(stripes.await(0, 100, NEVER, NEVER)).isEqualTo(Wake.COUNT);
        Offering.offer(writer, "a", 10);
        assertThat(stripes.await(1, 100, NEVER, NEVER)).isEqualTo(Wake.COUNT);
        assertThat(stripes.await(2, 10, NEVER, NEVER)).isEqualTo(Wake.BYTES);
    }

    @Test
    void returnsAtTheDeadline() throws InterruptedException {
        clock.set(5);
        assertThat(stripes.await(1, 1, 5, 5)).isEqualTo(Wake.DEADLINE);
        clock.set(Long.MIN_VALUE);
        assertThat(stripes.await(1, 1, Long.MAX_VALUE, Long.MAX_VALUE)).isEqualTo(Wake.DEADLINE);
    }

    @Test
    void returnsOnceForEachWake() throws InterruptedException {
        stripes.wake();
        stripes.wake();
        assertThat(stripes.await(1, 1, 0, 0)).isEqualTo(Wake.WOKEN);
        assertThat(stripes.await(1, 1, 0, 0)).isEqualTo(Wake.DEADLINE);
    }

    @Test
    void countsHowLongAReaderThreadWaitedForRoom() throws InterruptedException {
        assertThat(stripes.blockedNanosTotal(0)).isZero();
        fillTheFirstStripe();
        assertThat(writer.awaitSpace(1_000_000)).isEqualTo(Space.TIMED_OUT);
        assertThat(stripes.blockedNanosTotal(0)).isGreaterThanOrEqualTo(1_000_000);
        assertThat(stripes.blockedNanosTotal(1)).isZero();
    }

    @Test
    void reportsAFullStripeUntilItIsDrained() throws InterruptedException {
        fillTheFirstStripe();
        assertThat(stripes.await(100, 1_000, 0, 0)).isEqualTo(Wake.FULL);
        assertThat(drain(1)).isEqualTo(1);
        assertThat(stripes.await(100, 1_000, 0, 0)).isEqualTo(Wake.DEADLINE);
    }

    @Test
    void reportsOneClosedStripeOnceAndAllClosedAlways() throws InterruptedException {
        writer.close();
        assertThat(stripes.await(1, 1, 0, 0)).isEqualTo(Wake.WOKEN);
        assertThat(stripes.await(1, 1, 0, 0)).isEqualTo(Wake.DEADLINE);
        stripes.writer(1).close();
        assertThat(stripes.await(1, 1, 0, 0)).isEqualTo(Wake.CLOSED);
        assertThat(stripes.await(1, 1, 0, 0)).isEqualTo(Wake.CLOSED);
    }

    @Test
    void wakesAParkedConsumerForTheLastEventWanted() throws InterruptedException {
        assertThat(wakeOfParkedConsumer(3, 1_000, () -> {
                    Offering.offer(writer, "a", 1);
                    writer.signal();
                    Offering.offer(stripes.writer(1), "b", 1);
                    stripes.writer(1).signal();
                    Offering.offer(writer, "c", 1);
                    writer.signal();
                }))
                .isEqualTo(Wake.COUNT);
    }

    @Test
    void wakesAParkedConsumerForTheLastByteWanted() throws InterruptedException {
        assertThat(wakeOfParkedConsumer(100, 50, () -> {
                    Offering.offer(writer, "a", 50);
                    writer.signal();
                }))
                .isEqualTo(Wake.BYTES);
    }

    @Test
    void wakesAParkedConsumerWhenAReaderFindsItsStripeFull() throws InterruptedException {
        assertThat(wakeOfParkedConsumer(100, 1_000, () -> {
                    fillTheFirstStripe();
                    writer.signal();
                }))
                .isEqualTo(Wake.FULL);
    }

    @Test
    void wakesAParkedConsumerWhenEverythingCloses() throws InterruptedException {
        assertThat(wakeOfParkedConsumer(1, 1, stripes::close)).isIn(Wake.CLOSED, Wake.WOKEN);
        assertThat(stripes.await(1, 1, NEVER, NEVER)).isEqualTo(Wake.CLOSED);
    }

    @Test
    void wakesAParkedConsumerOnRequest() throws InterruptedException {
        assertThat(wakeOfParkedConsumer(1, 1, stripes::wake)).isEqualTo(Wake.WOKEN);
    }

    @Test
    void doesNotWakeAConsumerThatWaitsForMore() {
        StripeWriter<String> stripe = new StripeWriter<>(new SpscRing<>(16, 100), () -> {});
        assertThat(stripe.mustWake()).as("not armed").isFalse();
        stripe.arm(3, 30, 0);
        Offering.offer(stripe.ring, "a", 1);
        Offering.offer(stripe.ring, "b", 1);
        assertThat(stripe.mustWake()).isFalse();
        Offering.offer(stripe.ring, "c", 1);
        assertThat(stripe.mustWake()).isTrue();
        assertThat(stripe.mustWake()).as("woken once").isFalse();
        stripe.arm(100, 10, 0);
        Offering.offer(stripe.ring, "d", 7);
        assertThat(stripe.mustWake()).isTrue();
        stripe.arm(Long.MAX_VALUE, 100, 0);
        stripe.disarm();
        assertThat(stripe.mustWake()).isFalse();
    }

    @Test
    void includesEventsPublishedBeforeTheArming() {
        assertThat(stripes.look(4, 100, 1, 1)).isNull();
        for (int i = 0; i < 3; i++) {
            Offering.offer(writer, "a", 1);
        }
        assertThat(stripes.writer(0).mustWake()).as("before the arming").isFalse();
        assertThat(stripes.armAndLook(4, 100, 1, 1)).isNull();
        Offering.offer(stripes.writer(1), "b", 1);
        assertThat(stripes.writer(1).mustWake()).as("the last of four").isTrue();
    }

    @Test
    void disarmsTheStripesAfterItsReturn() throws InterruptedException {
        assertThat(wakeOfParkedConsumer(100, 1_000, stripes::wake)).isEqualTo(Wake.WOKEN);
        fillTheFirstStripe();
        assertThat(stripes.writer(0).mustWake()).isFalse();
    }

    @Test
    void wakesWhenTheThresholdOverflows() {
        StripeWriter<String> stripe = new StripeWriter<>(new SpscRing<>(16, 100, Long.MAX_VALUE - 1), () -> {});
        stripe.arm(Long.MAX_VALUE + 2, 100, 0);
        for (int i = 0; i < 3; i++) {
            assertThat(stripe.mustWake()).isFalse();
            Offering.offer(stripe.ring, "a", 1);
        }
        assertThat(stripe.mustWake()).isTrue();
        stripe.arm(Long.MAX_VALUE, 100, 0);
        assertThat(stripe.mustWake()).as("the idle mark is no valid threshold").isTrue();
    }

    @Test
    void throwsWhenTheConsumerIsInterrupted() throws InterruptedException {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> stripes.await(0, 1, NEVER, NEVER)).isInstanceOf(InterruptedException.class);
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        try (Peer consumer = Peer.start(() -> {
            try {
                stripes.await(1, 1, NEVER, NEVER);
            } catch (InterruptedException e) {
                thrown.set(e);
            }
        })) {
            consumer.awaitParked();
            consumer.thread().interrupt();
            consumer.join();
        }
        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
    }

    @Test
    void returnsWhenSpaceIsFreedOrTimeIsUp() throws InterruptedException {
        fillTheFirstStripe();
        assertThat(writer.awaitSpace(0)).isEqualTo(Space.TIMED_OUT);
        drain(1);
        assertThat(writer.awaitSpace(NEVER)).isEqualTo(Space.FREED);
    }

    @Test
    void refusesToWaitForStagedEventsAlone() throws InterruptedException {
        Offering.offer(writer, "a", 1);
        for (int i = 0; i < 3; i++) {
            writer.stage("b", 1);
        }
        assertThat(writer.stage("c", 1)).isEqualTo(Offer.FULL);
        assertThat(writer.awaitSpace(0)).as("one is published").isEqualTo(Space.TIMED_OUT);
        drain(1);
        writer.stage("c", 1);
        assertThat(writer.stage("d", 1)).isEqualTo(Offer.FULL);
        assertThat(writer.awaitSpace(NEVER)).isEqualTo(Space.STAGED_ONLY);
        assertThat(writer.ring.stagedCount()).isEqualTo(4);
        writer.publish();
        assertThat(drain(10)).isEqualTo(4);
    }

    @Test
    void wakesAParkedReader() throws InterruptedException {
        assertThat(spaceOfParkedReader(() -> drain(1))).isEqualTo(Space.FREED);
    }

    @Test
    void wakesAParkedReaderOnClose() throws InterruptedException {
        assertThat(spaceOfParkedReader(stripes::close)).isEqualTo(Space.CLOSED);
    }

    @Test
    void throwsWhenTheReaderIsInterrupted() throws InterruptedException {
        fillTheFirstStripe();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> writer.awaitSpace(NEVER)).isInstanceOf(InterruptedException.class);
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        try (Peer reader = Peer.start(() -> {
            try {
                writer.awaitSpace(NEVER);
            } catch (InterruptedException e) {
                thrown.set(e);
            }
        })) {
            reader.awaitParked();
            reader.thread().interrupt();
            reader.join();
        }
        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
    }

    /**
     * The result of await of a consumer that had parked before the event. The clock stands still, so it is never
     * "deadline".
     */
    private Wake wakeOfParkedConsumer(long countWanted, long bytesWanted, Runnable event) throws InterruptedException {
        AtomicReference<Wake> wake = new AtomicReference<>();
        try (Peer consumer = Peer.start(() -> wake.set(stripes.await(countWanted, bytesWanted, NEVER, NEVER)))) {
            consumer.awaitParked();
            event.run();
            consumer.join();
        }
        return wake.get();
    }

    private Space spaceOfParkedReader(Runnable event) throws InterruptedException {
        AtomicReference<Space> space = new AtomicReference<>();
        try (Peer reader = Peer.start(() -> {
            fillTheFirstStripe();
            space.set(writer.awaitSpace(NEVER));
        })) {
            reader.awaitParked();
            event.run();
            reader.join();
        }
        return space.get();
    }

    private void fillTheFirstStripe() {
        while (Offering.offer(writer, "x", 1) == Offer.ACCEPTED) {
            assertThat(Offering.isClosed(writer)).isFalse();
        }
    }

    private int drain(int maxEvents) {
        return stripes.drain((event, sizeBytes) -> {}, maxEvents, 1_000, (last, next) -> false);
    }
}
