package io.microbatch.connect.stripe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The behaviour of our ring beyond the common contract: bytes, staging, runs, closing, counters that overflow. */
class SpscRingTest {
    private static final Inseparable<String> SAME_FIRST_LETTER = (last, next) -> last.charAt(0) == next.charAt(0);

    private final List<String> drained = new ArrayList<>();

    @Test
    void returnsFullWhenBytesAreUsedUp() {
        SpscRing<String> ring = new SpscRing<>(16, 10);
        assertThat(Offering.offer(ring, "a", 6)).isEqualTo(Offer.ACCEPTED);
        assertThat(Offering.offer(ring, "b", 5)).isEqualTo(Offer.FULL);
        assertThat(Offering.offer(ring, "c", 4)).isEqualTo(Offer.ACCEPTED);
        assertThat(Offering.offer(ring, "d", 1)).isEqualTo(Offer.FULL);
        assertThat(ring.sizeBytes()).isEqualTo(10);
        assertThat(ring.fullTotal()).isEqualTo(2);
        drain(ring, 1);
        assertThat(Offering.offer(ring, "d", 6)).isEqualTo(Offer.ACCEPTED);
        assertThat(ring.sizeBytes()).isEqualTo(10);
    }

    @Test
    void acceptsAnOversizedEventOnlyAlone() {
        SpscRing<String> ring = new SpscRing<>(16, 10);
        Offering.offer(ring, "small", 1);
        assertThat(Offering.offer(ring, "huge", 100)).isEqualTo(Offer.FULL);
        drain(ring, 1);
        assertThat(Offering.offer(ring, "huge", 100)).isEqualTo(Offer.ACCEPTED);
        assertThat(Offering.offer(ring, "nothing", 0)).isEqualTo(Offer.FULL);
        drain(ring, 1);
        assertThat(ring.sizeBytes()).isZero();
        assertThat(Offering.offer(ring, "small", 10)).isEqualTo(Offer.ACCEPTED);
        assertThat(drained).containsExactly("small", "huge");
    }

    @Test
    void holdsNoMoreThanItsLimit() {
        SpscRing<String> ring = new SpscRing<>(16, 1_000);
        ring.limit(2);
        // The free space that was seen before the limit may still be used.
        drain(ring, fill(ring));
        assertThat(fill(ring)).isEqualTo(2);
        ring.limit(5);
        assertThat(fill(ring)).isEqualTo(3);
        ring.limit(1);
        assertThat(fill(ring)).isZero();
        drain(ring, 4);
        assertThat(fill(ring)).as("one event remains").isZero();
        drain(ring, 1);
        assertThat(fill(ring)).isEqualTo(1);
        ring.limit(100);
        assertThat(fill(ring)).as("the capacity applies before the limit").isEqualTo(15);
    }

    @Test
    void completesAStartedRunBeyondTheLimit() {
        SpscRing<String> ring = new SpscRing<>(4, 1_000);
        drain(ring, fill(ring));
        ring.limit(2);
        assertThat(ring.stage("r1", 1)).isEqualTo(Offer.ACCEPTED);
        assertThat(ring.stage("r2", 1)).isEqualTo(Offer.ACCEPTED);
        assertThat(ring.stage("r3", 1)).isEqualTo(Offer.ACCEPTED);
        ring.publish();
        assertThat(ring.stage("s1", 1)).as("the next run has not begun").isEqualTo(Offer.FULL);
        drain(ring, 2);
        assertThat(ring.stage("s1", 1)).isEqualTo(Offer.ACCEPTED);
    }

    private static int fill(SpscRing<String> ring) {
        int events = 0;
        while (Offering.offer(ring, "e", 1) == Offer.ACCEPTED) {
            events++;
        }
        return events;
    }

    @Test
    void refusesAnOversizedEventAfterAStagedOne() {
        SpscRing<String> ring = new SpscRing<>(16, 10);
        ring.stage("staged", 1);
        assertThat(ring.stage("huge", 100)).isEqualTo(Offer.FULL);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 8, 100})
    void holdsExactlyItsCapacity(int capacityEvents) {
        SpscRing<String> ring = new SpscRing<>(capacityEvents, Long.MAX_VALUE);
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < capacityEvents; i++) {
                assertThat(Offering.offer(ring, "e", 1)).isEqualTo(Offer.ACCEPTED);
            }
            assertThat(Offering.offer(ring, "e", 1)).isEqualTo(Offer.FULL);
            assertThat(drain(ring, Integer.MAX_VALUE)).isEqualTo(capacityEvents);
        }
    }

    @Test
    void hidesStagedEventsUntilPublished() {
        SpscRing<String> ring = new SpscRing<>(4, 100);
        ring.stage("a", 1);
        ring.stage("b", 1);
        assertThat(ring.stagedCount()).isEqualTo(2);
        assertThat(ring.peek()).isNull();
        assertThat(ring.nextSizeBytes()).isEqualTo(-1);
        assertThat(drain(ring, 10)).isZero();
        assertThat(ring.sizeEvents()).isZero();
        assertThat(ring.sizeBytes()).isZero();
        ring.publish();
        assertThat(ring.stagedCount()).isZero();
        assertThat(ring.sizeBytes()).isEqualTo(2);
        assertThat(drain(ring, 10)).isEqualTo(2);
    }

    @Test
    void returnsFullWhenStagedEventsFillIt() {
        SpscRing<String> ring = new SpscRing<>(2, 100);
        ring.stage("a", 1);
        ring.stage("b", 1);
        assertThat(ring.stage("c", 1)).isEqualTo(Offer.FULL);
        assertThat(ring.onlyStagedLeft()).isTrue();
        ring.publish();
        assertThat(ring.onlyStagedLeft()).isFalse();
        drain(ring, 1);
        assertThat(ring.stage("c", 1)).isEqualTo(Offer.ACCEPTED);
        ring.publish();
        drain(ring, 10);
        assertThat(drained).containsExactly("a", "b", "c");
    }

    @Test
    void readsTheOldestEventWithoutTakingIt() {
        SpscRing<String> ring = new SpscRing<>(2, 100);
        Offering.offer(ring, "a", 7);
        assertThat(ring.peek()).isEqualTo("a");
        assertThat(ring.nextSizeBytes()).isEqualTo(7);
        assertThat(ring.sizeEvents()).isEqualTo(1);
        drain(ring, 1);
        assertThat(ring.peek()).isNull();
    }

    @Test
    void endsADrainBeforeTheEventThatExceedsTheBytes() {
        SpscRing<String> ring = filled("a", "b", "c");
        assertThat(ring.drain(this::take, 10, 7, (last, next) -> false)).isEqualTo(2);
        assertThat(ring.sizeBytes()).isEqualTo(3);
    }

    @Test
    void drainsOneEventOfAnySize() {
        SpscRing<String> ring = filled("a", "b");
        assertThat(ring.drain(this::take, 10, 1, (last, next) -> false)).isEqualTo(1);
        assertThat(ring.drain(this::take, 0, 100, (last, next) -> false)).isZero();
        assertThat(ring.drain(this::take, -1, 100, (last, next) -> false)).isZero();
    }

    @Test
    void exceedsTheEventLimitWithinARun() {
        SpscRing<String> ring = filled("a1", "a2", "a3", "b1", "b2");
        assertThat(ring.drain(this::take, 1, 100, SAME_FIRST_LETTER)).isEqualTo(3);
        assertThat(drained).containsExactly("a1", "a2", "a3");
    }

    @Test
    void exceedsTheByteLimitWithinARun() {
        SpscRing<String> ring = filled("a1", "b1", "b2", "c1");
        assertThat(ring.drain(this::take, 10, 6, SAME_FIRST_LETTER)).isEqualTo(3);
        assertThat(drained).containsExactly("a1", "b1", "b2");
    }

    @Test
    void checksForARunOnlyAtTheLimit() {
        SpscRing<String> ring = filled("a", "b", "c", "d", "e");
        List<String> asked = new ArrayList<>();
        ring.drain(this::take, 3, 100, (last, next) -> {
            asked.add(last + next);
            return false;
        });
        assertThat(asked).containsExactly("cd");
    }

    @Test
    void keepsItsCountersWhenTheSinkThrows() {
        SpscRing<String> ring = filled("a", "b", "c");
        assertThatThrownBy(() -> ring.drain(
                        (event, sizeBytes) -> {
                            throw new IllegalStateException(event);
                        },
                        10,
                        100,
                        (last, next) -> false))
                .hasMessage("a");
        assertThat(ring.sizeEvents()).isEqualTo(2);
        assertThat(ring.sizeBytes()).isEqualTo(6);
        drain(ring, 10);
        assertThat(drained).containsExactly("b", "c");
    }

    @Test
    void releasesDrainedEvents() {
        SpscRing<String> ring = filled("a", "b");
        drain(ring, 2);
        assertThat(ring.slots).containsOnlyNulls();
    }

    @Test
    void returnsClosedAfterCloseAndStillDrains() {
        SpscRing<String> ring = new SpscRing<>(2, 100);
        Offering.offer(ring, "a", 1);
        ring.stage("b", 1);
        ring.close();
        ring.close();
        assertThat(ring.isClosed()).isTrue();
        assertThat(Offering.offer(ring, "c", 1)).isEqualTo(Offer.CLOSED);
        assertThat(ring.fullTotal()).isZero();
        drain(ring, 10);
        assertThat(drained).containsExactly("a");
        ring.publish();
        drain(ring, 10);
        assertThat(drained).containsExactly("a", "b");
    }

    @Test
    void survivesCounterOverflow() {
        SpscRing<String> ring = new SpscRing<>(4, 8, Long.MAX_VALUE - 5);
        for (int i = 0; i < 20; i++) {
            for (int j = 0; j < 4; j++) {
                assertThat(Offering.offer(ring, i + "." + j, 2)).isEqualTo(Offer.ACCEPTED);
            }
            assertThat(Offering.offer(ring, "no", 0)).isEqualTo(Offer.FULL);
            assertThat(ring.sizeEvents()).isEqualTo(4);
            assertThat(ring.drain(this::take, 3, 100, (last, next) -> false)).isEqualTo(3);
            assertThat(ring.peek()).isEqualTo(i + ".3");
            assertThat(ring.drain(this::take, 3, 100, (last, next) -> false)).isEqualTo(1);
            assertThat(ring.peek()).isNull();
        }
        assertThat(ring.offeredTotal()).isEqualTo(80);
        assertThat(ring.drainedTotal()).isEqualTo(80);
        assertThat(drained).hasSize(80).doesNotHaveDuplicates();
    }

    @Test
    void survivesByteCounterOverflow() {
        SpscRing<String> ring = new SpscRing<>(4, Integer.MAX_VALUE);
        ring.stagedBytes = Long.MAX_VALUE - 10;
        ring.roomEndBytes = Long.MAX_VALUE - 10;
        ring.releaseOfferedBytes(Long.MAX_VALUE - 10);
        ring.opaqueDrainedBytes(Long.MAX_VALUE - 10);
        for (int i = 0; i < 4; i++) {
            assertThat(Offering.offer(ring, "e", Integer.MAX_VALUE - 1)).isEqualTo(Offer.ACCEPTED);
            assertThat(Offering.offer(ring, "e", 2)).isEqualTo(Offer.FULL);
            assertThat(ring.sizeBytes()).isEqualTo(Integer.MAX_VALUE - 1);
            drain(ring, 1);
            assertThat(ring.sizeBytes()).isZero();
        }
    }

    @Test
    void reportsProgress() {
        SpscRing<String> ring = filled("a", "b", "c");
        drain(ring, 2);
        StripeProgress progress = ring;
        assertThat(progress.offeredTotal()).isEqualTo(3);
        assertThat(progress.drainedTotal()).isEqualTo(2);
        assertThat(progress.sizeEvents()).isEqualTo(1);
        assertThat(progress.sizeBytes()).isEqualTo(3);
        assertThat(progress.capacityEvents()).isEqualTo(8);
        assertThat(progress.capacityBytes()).isEqualTo(100);
    }

    @Test
    void rejectsProgrammingErrors() {
        SpscRing<String> ring = new SpscRing<>(2, 100);
        assertThatThrownBy(() -> Offering.offer(ring, null, 1)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> Offering.offer(ring, "a", -1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new SpscRing<>(0, 1)).hasMessageContaining("capacityEvents");
        assertThatThrownBy(() -> new SpscRing<>((1 << 30) + 1, 1)).hasMessageContaining("capacityEvents");
        assertThatThrownBy(() -> new SpscRing<>(1, 0)).hasMessageContaining("capacityBytes");
        assertThat(ring.offeredTotal()).isZero();
    }

    /** A ring of 8 events and 100 bytes that holds these events of 3 bytes each. */
    private static SpscRing<String> filled(String... events) {
        SpscRing<String> ring = new SpscRing<>(8, 100);
        for (String event : events) {
            assertThat(Offering.offer(ring, event, 3)).isEqualTo(Offer.ACCEPTED);
        }
        return ring;
    }

    private int drain(SpscRing<String> ring, int maxEvents) {
        return ring.drain(this::take, maxEvents, Long.MAX_VALUE, (last, next) -> false);
    }

    private void take(String event, int sizeBytes) {
        drained.add(event);
    }
}
