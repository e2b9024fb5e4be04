package io.microbatch.connect.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.ack.DurableWatermark;
import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.stripe.StripeSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A stop goes on, whatever the readers do that have not returned. */
@Timeout(60)
class AbandonTest {

    private final CountDownLatch release = new CountDownLatch(1);
    private final FakeReader failing = new FakeReader() {
        @Override
        public void abandon() {
            throw new IllegalStateException("the upstream's own error");
        }
    };
    private final FakeReader other = new FakeReader();
    private final StripeSet<EventRecord> stripes = new StripeSet<>(2, 8, 1 << 20, System::nanoTime);
    private final ReaderGroup group = new ReaderGroup(
            "orders-0",
            List.of(failing, other),
            () -> RecordConversion.NONE,
            stripes,
            new DurableWatermark(System.nanoTime()),
            System::nanoTime);

    @AfterEach
    void releaseEveryThread() {
        release.countDown();
        group.stop(30_000);
    }

    @Test
    void oneReaderThatFailsThereKeepsNoOtherFromBeingAbandoned() throws InterruptedException {
        CountDownLatch hang = new CountDownLatch(2);
        for (FakeReader reader : List.of(failing, other)) {
            reader.onFetch = intake -> {
                hang.countDown();
                awaitUninterruptibly();
            };
        }
        group.start();
        assertThat(hang.await(30, TimeUnit.SECONDS)).isTrue();

        group.stop(20);

        assertThat(other.abandoned).isTrue();
    }

    private void awaitUninterruptibly() {
        while (release.getCount() > 0) {
            try {
                release.await();
            } catch (InterruptedException e) {
                // A hanging upstream that ignores the interruption of the stop.
                continue;
            }
        }
    }
}
