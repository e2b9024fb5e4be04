package io.microbatch.connect.stripe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The events that a drain of several stripes takes, and their order. An event is written as stripe and place: "b2". */
class StripeSetDrainTest {
    private static final Inseparable<String> NEVER = (last, next) -> false;

    private final StripeSet<String> stripes = new StripeSet<>(3, 16, 100, () -> 0);
    private final List<String> drained = new ArrayList<>();

    @Test
    void takesAnEqualShareFromEveryStripe() {
        fill(10, 10, 10);
        assertThat(drain(6, 1_000)).isEqualTo(6);
        assertThat(drained).containsExactly("a0", "a1", "b0", "b1", "c0", "c1");
    }

    @Test
    void beginsWithAnotherStripeEachTime() {
        fill(10, 10, 10);
        drain(1, 1_000);
        drain(1, 1_000);
        drain(1, 1_000);
        drain(1, 1_000);
        assertThat(drained).containsExactly("a0", "b0", "c0", "a1");
    }

    @Test
    void assignsTheShareOfIdleStripesToTheOthers() {
        fill(1, 0, 9);
        assertThat(drain(9, 1_000)).isEqualTo(9);
        assertThat(drained).containsExactly("a0", "c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7");
    }

    @Test
    void takesEverythingWhenTheLimitsAllowIt() {
        fill(1, 5, 9);
        assertThat(drain(100, 1_000)).isEqualTo(15);
        assertThat(drain(100, 1_000)).isZero();
        assertThat(drain(0, 1_000)).isZero();
    }

    @Test
    void keepsWithinTheBytesOverAllStripes() {
        fill(10, 10, 10);
        assertThat(drain(100, 7)).isEqualTo(7);
        assertThat(stripes.sizeBytes()).isEqualTo(23);
    }

    @Test
    void takesOneEventOfAnySizeButNoSecondOne() {
        Offering.offer(stripes.writer(0), "a0", 50);
        Offering.offer(stripes.writer(1), "b0", 50);
        assertThat(drain(100, 10)).isEqualTo(1);
        assertThat(drain(100, 10)).isEqualTo(1);
        assertThat(drained).containsExactly("a0", "b0");
    }

    @Test
    void takesALargeEventAfterTheSharesOfTheOthers() {
        Offering.offer(stripes.writer(0), "a0", 1);
        Offering.offer(stripes.writer(1), "b0", 20);
        Offering.offer(stripes.writer(2), "c0", 1);
        assertThat(drain(100, 30)).isEqualTo(3);
        assertThat(drained).containsExactly("a0", "c0", "b0");
    }

    @Test
    void keepsRunsTogetherAndContinuesWithTheRest() {
        fill(4, 4, 4);
        Inseparable<String> firstThree = (last, next) -> next.charAt(1) < '3';
        assertThat(stripes.drain(this::take, 3, 1_000, firstThree)).isEqualTo(3);
        assertThat(drained).containsExactly("a0", "a1", "a2");
    }

    @Test
    void findsTheOldestAcrossStripes() {
        Map<String, Long> arrivals = Map.of("a0", Long.MIN_VALUE + 1, "b0", Long.MAX_VALUE - 1, "c0", Long.MIN_VALUE);
        assertThat(stripes.oldest(arrivals::get)).isNull();
        Offering.offer(stripes.writer(0), "a0", 1);
        assertThat(stripes.oldest(arrivals::get)).isEqualTo("a0");
        Offering.offer(stripes.writer(1), "b0", 1);
        Offering.offer(stripes.writer(2), "c0", 1);
        assertThat(stripes.oldest(arrivals::get)).as("the clock overflows").isEqualTo("b0");
    }

    @Test
    void countsTheBufferedEventsAndBytes() {
        fill(1, 2, 3);
        assertThat(stripes.sizeEvents()).isEqualTo(6);
        assertThat(stripes.sizeBytes()).isEqualTo(6);
        drain(4, 1_000);
        assertThat(stripes.sizeEvents()).isEqualTo(2);
        assertThat(stripes.progress(2).offeredTotal()).isEqualTo(3);
        assertThat(stripes.writer(2).progress()).isSameAs(stripes.progress(2));
        assertThat(stripes.stripeCount()).isEqualTo(3);
    }

    @Test
    void closesEveryStripe() {
        fill(1, 1, 1);
        stripes.close();
        assertThat(Offering.isClosed(stripes.writer(1))).isTrue();
        assertThat(Offering.offer(stripes.writer(2), "c9", 1)).isEqualTo(Offer.CLOSED);
        assertThat(drain(100, 1_000)).isEqualTo(3);
    }

    @Test
    void rejectsProgrammingErrors() {
        assertThatThrownBy(() -> new StripeSet<>(0, 1, 1, () -> 0)).hasMessageContaining("stripeCount");
        assertThatThrownBy(() -> new StripeSet<>(1, 1, 1, null)).hasMessageContaining("nanoClock");
    }

    private void fill(int... counts) {
        for (int stripe = 0; stripe < counts.length; stripe++) {
            for (int place = 0; place < counts[stripe]; place++) {
                String event = (char) ('a' + stripe) + Integer.toString(place);
                assertThat(Offering.offer(stripes.writer(stripe), event, 1)).isEqualTo(Offer.ACCEPTED);
            }
        }
    }

    private int drain(int maxEvents, long maxBytes) {
        return stripes.drain(this::take, maxEvents, maxBytes, NEVER);
    }

    private void take(String event, int sizeBytes) {
        drained.add(event);
    }
}
