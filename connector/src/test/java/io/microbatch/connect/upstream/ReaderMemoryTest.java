package io.microbatch.connect.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.ack.DurableWatermark;
import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.stripe.StripeSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A reader whose second thread runs out of memory while the first waits in the upstream. */
@Timeout(60)
class ReaderMemoryTest {

    private final FakeReader reader = new FakeReader();
    private final StripeSet<EventRecord> stripes = new StripeSet<>(1, 8, 1 << 20, System::nanoTime);
    private final ReaderGroup group = new ReaderGroup(
            "orders-0",
            List.of(reader),
            () -> RecordConversion.NONE,
            stripes,
            new DurableWatermark(0),
            System::nanoTime);

    /** An acknowledgement may have been lost. The next one would confirm too much. */
    @Test
    void acknowledgesNothingAfterwards() throws InterruptedException {
        OutOfMemoryError cause = new OutOfMemoryError("planted");
        CountDownLatch planted = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        reader.onFetch = intake -> {
            intake.addAll(List.of(event(1), event(2)), false, System.nanoTime(), event -> {});
            int ignored = stripes.drain((event, size) -> event.settle(null, 1), 10, 1 << 20, EventRecord::sameOffset);
            intake.letThrough(() -> {
                never.await();
                return null;
            });
        };
        reader.onSettled = () -> {
            planted.countDown();
            throw cause;
        };
        group.start();
        assertThat(planted.await(30, TimeUnit.SECONDS)).isTrue();
        group.stop(200);
        assertThat(reader.stopped.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(group.failure()).isSameAs(cause);
        assertThat(reader.settled).hasSize(1);
    }

    private static SourceRecord event(int offset) {
        return new SourceRecord(Map.of("p", 0), Map.of("o", offset), "t", null, "value");
    }
}
