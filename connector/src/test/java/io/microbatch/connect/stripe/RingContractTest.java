package io.microbatch.connect.stripe;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.stripe.RingKind.Handover;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract of a queue between one producer and one consumer, for our ring and the alternatives. */
@ParameterizedClass
@EnumSource(RingKind.class)
class RingContractTest {
    private static final int CAPACITY = 8;

    @Parameter
    RingKind kind;

    @Test
    void returnsEventsInTheOrderOffered() {
        Handover<Integer> ring = kind.create(CAPACITY);
        offer(ring, 0, 5);
        assertThat(ring.drain(5)).containsExactly(0, 1, 2, 3, 4);
    }

    @Test
    void drainsNothingFromAnEmptyRing() {
        Handover<Integer> ring = kind.create(CAPACITY);
        assertThat(ring.drain(5)).isEmpty();
        offer(ring, 0, 1);
        assertThat(ring.drain(5)).containsExactly(0);
        assertThat(ring.drain(5)).isEmpty();
    }

    @Test
    void returnsFullWhenLastSlotIsTaken() {
        Handover<Integer> ring = kind.create(CAPACITY);
        offer(ring, 0, CAPACITY);
        assertThat(ring.offer(99)).isEqualTo(Offer.FULL);
        assertThat(ring.drain(100)).doesNotContain(99).hasSize(CAPACITY);
    }

    @Test
    void reusesSlotsAfterADrain() {
        Handover<Integer> ring = kind.create(CAPACITY);
        offer(ring, 0, CAPACITY);
        assertThat(ring.drain(3)).containsExactly(0, 1, 2);
        offer(ring, CAPACITY, 3);
        assertThat(ring.offer(99)).isEqualTo(Offer.FULL);
        assertThat(ring.drain(CAPACITY)).containsExactly(3, 4, 5, 6, 7, 8, 9, 10);
    }

    @Test
    void drainsNoMoreThanRequested() {
        Handover<Integer> ring = kind.create(CAPACITY);
        offer(ring, 0, 5);
        assertThat(ring.drain(2)).containsExactly(0, 1);
        assertThat(ring.drain(2)).containsExactly(2, 3);
        assertThat(ring.drain(2)).containsExactly(4);
    }

    @Test
    void keepsOrderOverManyRounds() {
        Handover<Integer> ring = kind.create(CAPACITY);
        int offered = 0;
        List<Integer> drained = new ArrayList<>();
        for (int round = 0; round < 1_000; round++) {
            int burst = 1 + round % CAPACITY;
            offer(ring, offered, burst);
            offered += burst;
            drained.addAll(ring.drain(burst));
        }
        assertThat(drained).hasSize(offered).isSorted();
    }

    @Test
    void losesNothingBetweenTwoThreads() throws InterruptedException {
        int eventCount = 1_000_000;
        Handover<Integer> ring = kind.create(1024);
        try (Peer producer = Peer.start(() -> {
            for (int i = 0; i < eventCount; ) {
                if (ring.offer(i) == Offer.ACCEPTED) {
                    i++;
                } else {
                    Peer.pause();
                }
            }
        })) {
            int expected = 0;
            while (expected < eventCount) {
                List<Integer> drained = ring.drain(256);
                for (int event : drained) {
                    if (event != expected) {
                        assertThat(event).isEqualTo(expected);
                    }
                    expected++;
                }
                if (drained.isEmpty()) {
                    producer.checkAlive();
                    Peer.pause();
                }
            }
            producer.join();
        }
        assertThat(ring.drain(1)).isEmpty();
    }

    private static void offer(Handover<Integer> ring, int first, int count) {
        for (int i = first; i < first + count; i++) {
            assertThat(ring.offer(i)).isEqualTo(Offer.ACCEPTED);
        }
    }
}
