package io.microbatch.connect.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.stripe.Offering;
import io.microbatch.connect.stripe.StripeSet;
import io.microbatch.connect.stripe.StripeWriter;
import org.junit.jupiter.api.Test;

/** The state of the events of a stripe after the worker's calls, in the orders in which Connect makes them. */
class HandoverTest {

    private final StripeSet<String> stripes = new StripeSet<>(1, 8, 1 << 20, () -> 0);
    private final StripeWriter<String> stripe = stripes.writer(0);
    private final Handover handover = new Handover(stripe.progress());

    private void offer(String event) {
        assertThat(Offering.offer(stripe, event, 1)).isEqualTo(io.microbatch.connect.stripe.Offer.ACCEPTED);
    }

    /** Polls at most one event. */
    private void poll() {
        handover.polled();
        int ignored = stripes.drain((event, size) -> {}, 1, 1 << 20, (a, b) -> false);
    }

    @Test
    void isDoneWithoutEvents() {
        assertThat(handover.isDispatched()).isTrue();
        assertThat(handover.isReleased()).isTrue();
    }

    @Test
    void reportsABatchAsSentAtTheNextPoll() {
        offer("a");
        assertThat(handover.isDispatched()).as("buffered").isFalse();
        poll();
        assertThat(handover.isDispatched()).as("returned").isFalse();
        poll();
        assertThat(handover.isDispatched()).isTrue();
        assertThat(handover.isReleased())
                .as("an at-least-once worker has not committed")
                .isFalse();
    }

    @Test
    void reportsABatchAsCommittedAfterACommitBeforeTheNextPoll() {
        offer("a");
        poll();
        handover.committed();
        assertThat(handover.isReleased())
                .as("a part of the batch may be sent later")
                .isFalse();
        poll();
        assertThat(handover.isReleased()).isTrue();
    }

    @Test
    void ignoresACommitBeforeTheBatch() {
        offer("a");
        handover.committed();
        poll();
        poll();
        assertThat(handover.isReleased()).isFalse();
        handover.committed();
        poll();
        assertThat(handover.isReleased()).isTrue();
    }

    @Test
    void isNotDoneWhileASecondEventIsBuffered() {
        offer("a");
        offer("b");
        poll();
        handover.committed();
        handover.polled();
        assertThat(handover.isDispatched()).isFalse();
        assertThat(handover.isReleased()).isFalse();
        int ignored = stripes.drain((event, size) -> {}, 1, 1 << 20, (a, b) -> false);
        handover.committed();
        poll();
        assertThat(handover.isDispatched()).isTrue();
        assertThat(handover.isReleased()).isTrue();
    }

    @Test
    void isNotDoneWithLaterEvents() {
        offer("a");
        poll();
        handover.committed();
        poll();
        offer("b");
        assertThat(handover.isDispatched()).isFalse();
        assertThat(handover.isReleased()).isFalse();
    }
}
