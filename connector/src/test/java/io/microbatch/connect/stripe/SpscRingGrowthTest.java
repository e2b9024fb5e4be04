package io.microbatch.connect.stripe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A ring begins with few slots and gets more when its events need them. */
class SpscRingGrowthTest {

    private static final int FEW = 4;

    private final List<String> drained = new ArrayList<>();

    @Test
    void beginsWithFewSlots() {
        assertThat(new SpscRing<>(1 << 20, 1).slots).hasSize(4_096);
        assertThat(new SpscRing<>(1 << 20, 1).sizesBytes).hasSize(4_096);
        assertThat(new SpscRing<>(1_000, 1).slots).hasSize(1_024);
    }

    @Test
    void isFullAtItsSlotsUntilAllVisibleEventsAreDrained() {
        SpscRing<String> ring = ring(64, 0);
        assertThat(fill(ring)).isEqualTo(FEW);
        drain(ring, 1);
        assertThat(fill(ring)).as("the consumer may be reading the other slots").isEqualTo(1);
        drain(ring, FEW);
        assertThat(fill(ring)).isEqualTo(8 * FEW);
        drain(ring, 8 * FEW);
        assertThat(fill(ring)).as("all of the capacity").isEqualTo(64);
        assertThat(ring.slots).hasSize(64);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 3, 7, 30, -1, -3, Long.MAX_VALUE - 2, Long.MAX_VALUE - 34})
    void keepsOrderAndSizesFromAnyIndex(long firstIndex) {
        SpscRing<String> ring = ring(200, firstIndex);
        int offered = 0;
        int bytes = 0;
        for (int round = 0; round < 40; round++) {
            while (Offering.offer(ring, "e" + offered, 1 + offered % 7) == Offer.ACCEPTED) {
                bytes += 1 + offered % 7;
                offered++;
            }
            assertThat(ring.sizeBytes()).isEqualTo(bytes);
            int more = drained.size() + 1 + round * 5;
            for (int i = drained.size(); i < Math.min(more, offered); i++) {
                bytes -= 1 + i % 7;
            }
            drain(ring, 1 + round * 5);
            assertThat(ring.sizeBytes()).isEqualTo(bytes);
        }
        drain(ring, Integer.MAX_VALUE);
        assertThat(ring.sizeBytes()).isZero();
        assertThat(ring.slots).hasSize(256).containsOnlyNulls();
        assertThat(drained).hasSize(offered);
        for (int i = 0; i < offered; i++) {
            assertThat(drained.get(i)).isEqualTo("e" + i);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 3, -2, Long.MAX_VALUE - 2})
    void growsAroundAStagedRun(long firstIndex) {
        SpscRing<String> ring = ring(64, firstIndex);
        for (int i = 0; i < 40; i++) {
            assertThat(ring.stage("r" + i, i)).isEqualTo(Offer.ACCEPTED);
        }
        assertThat(ring.sizeEvents()).as("visible").isZero();
        ring.publish();
        int[] next = {0};
        int taken = ring.drain(
                (event, sizeBytes) -> {
                    assertThat(event).isEqualTo("r" + next[0]);
                    assertThat(sizeBytes).isEqualTo(next[0]++);
                },
                100,
                Long.MAX_VALUE,
                (last, follower) -> false);
        assertThat(taken).isEqualTo(40);
        assertThat(ring.fullTotal()).isZero();
    }

    @Test
    void completesARunThatBeganBehindVisibleEvents() {
        SpscRing<String> ring = ring(64, 0);
        Offering.offer(ring, "a", 1);
        ring.stage("r1", 1);
        ring.stage("r2", 1);
        ring.stage("r3", 1);
        assertThat(ring.stage("r4", 1)).isEqualTo(Offer.FULL);
        assertThat(ring.onlyStagedLeft()).isFalse();
        drain(ring, 10);
        // The head has moved, which a reader thread looks at first.
        assertThat(ring.headMoved()).isTrue();
        for (int i = 4; i <= 20; i++) {
            assertThat(ring.stage("r" + i, 1)).isEqualTo(Offer.ACCEPTED);
        }
        assertThat(ring.peek()).as("no part of the run").isNull();
        ring.publish();
        drain(ring, 100);
        assertThat(drained).hasSize(21).startsWith("a", "r1", "r2", "r3", "r4").endsWith("r20");
    }

    @Test
    void neverHoldsMoreThanItsCapacity() {
        SpscRing<String> ring = ring(10, 0);
        for (int round = 0; round < 3; round++) {
            int held = fill(ring);
            assertThat(held).isEqualTo(round == 0 ? FEW : 10);
            drain(ring, held);
        }
        assertThat(ring.slots).hasSize(16);
    }

    @Test
    void addsNoSlotsForEventsBeyondALimit() {
        SpscRing<String> limited = ring(64, 0);
        limited.limit(3);
        SpscRing<String> small = new SpscRing<>(64, 3, 0, FEW);
        for (int round = 0; round < 5; round++) {
            drain(limited, fill(limited));
            drain(small, fill(small));
        }
        assertThat(limited.slots).as("limited in events").hasSize(FEW);
        assertThat(small.slots).as("limited in bytes").hasSize(FEW);
    }

    private static SpscRing<String> ring(int capacityEvents, long firstIndex) {
        return new SpscRing<>(capacityEvents, Long.MAX_VALUE / 2, firstIndex, FEW);
    }

    private static int fill(SpscRing<String> ring) {
        int events = 0;
        while (Offering.offer(ring, "e", 1) == Offer.ACCEPTED) {
            events++;
        }
        return events;
    }

    private void drain(SpscRing<String> ring, int maxEvents) {
        int ignored = ring.drain((event, sizeBytes) -> drained.add(event), maxEvents, Long.MAX_VALUE, (a, b) -> false);
    }
}
