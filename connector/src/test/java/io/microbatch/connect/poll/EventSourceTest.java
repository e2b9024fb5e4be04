package io.microbatch.connect.poll;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.stripe.Offer;
import io.microbatch.connect.stripe.Offering;
import io.microbatch.connect.stripe.StripeSet;
import io.microbatch.connect.stripe.Wake;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EventSourceTest {

    private final AtomicLong clock = new AtomicLong();
    private final StripeSet<EventRecord> stripes = new StripeSet<>(2, 4, 10_000, clock::get);
    private final SingleRecords source = new SingleRecords(stripes);

    private Offer offer(int stripe, int offset, long arrivalNanos, int sizeBytes) {
        SourceRecord origin = new SourceRecord(Map.of("p", stripe), Map.of("o", offset), "t", null, null);
        return Offering.offer(stripes.writer(stripe), new EventRecord(origin, sizeBytes, arrivalNanos), sizeBytes);
    }

    @Test
    void returnsARecordWithItsSizeForEachEvent() {
        assertThat(source.sizeRecords()).isZero();
        assertThat(offer(0, 0, 70, 10)).isEqualTo(Offer.ACCEPTED);
        assertThat(offer(1, 0, 50, 20)).isEqualTo(Offer.ACCEPTED);
        assertThat(offer(1, 1, 60, 30)).isEqualTo(Offer.ACCEPTED);

        assertThat(source.sizeRecords()).isEqualTo(3);
        List<Integer> sizes = new ArrayList<>();
        source.drain((event, sizeBytes) -> sizes.add(sizeBytes), 3, 10_000);
        assertThat(sizes).containsExactlyInAnyOrder(10, 20, 30);
        assertThat(source.sizeRecords()).isZero();
    }

    @Test
    void takesEventsOfOneOffsetTogether() {
        assertThat(offer(0, 1, 0, 10)).isEqualTo(Offer.ACCEPTED);
        assertThat(offer(0, 1, 0, 10)).isEqualTo(Offer.ACCEPTED);
        assertThat(offer(0, 2, 0, 10)).isEqualTo(Offer.ACCEPTED);

        List<EventRecord> taken = new ArrayList<>();
        source.drain((event, sizeBytes) -> taken.add(event), 1, 10_000);

        assertThat(taken).hasSize(2);
    }

    @Test
    void measuresHowLongAReaderWasBlocked() throws InterruptedException {
        for (int offset = 0; offset < 4; offset++) {
            assertThat(offer(0, offset, 0, 10)).isEqualTo(Offer.ACCEPTED);
        }
        assertThat(offer(0, 4, 0, 10)).isEqualTo(Offer.FULL);
        Thread reader = new Thread(() -> {
            try {
                Object ignored = stripes.writer(0).awaitSpace(1_000_000_000_000L);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        reader.start();
        io.microbatch.testbed.Await.until(
                "the reader waits",
                java.time.Duration.ofSeconds(30),
                () -> reader.getState() == Thread.State.TIMED_WAITING || reader.getState() == Thread.State.WAITING,
                () -> reader.getState().toString());
        source.drain((event, sizeBytes) -> {}, 4, 10_000);
        reader.join();
        assertThat(stripes.blockedNanosTotal(0)).isPositive();
        assertThat(stripes.blockedNanosTotal(1)).isZero();
    }

    @Test
    void takesNothingAfterAClose() throws InterruptedException {
        stripes.close();
        assertThat(offer(0, 0, 0, 10)).isEqualTo(Offer.CLOSED);
        assertThat(stripes.await(1, 1, Long.MAX_VALUE, Long.MAX_VALUE)).isEqualTo(Wake.CLOSED);
    }

    @Test
    void flushReasonsHaveTheNamesOfTheMetrics() {
        assertThat(FlushReason.values())
                .extracting(FlushReason::label)
                .containsExactly("events", "bytes", "age", "quiet", "deadline", "buffer-full", "closing");
    }
}
