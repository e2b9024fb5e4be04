package io.microbatch.connect.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.ack.DurableWatermark;
import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.stripe.Offering;
import io.microbatch.connect.stripe.StripeSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The announcement of a stop, which comes before everything else that a stop does. */
@Timeout(60)
class StopAnnouncementTest {

    private static final long GENEROUS_MS = 30_000;

    private final FakeReader reader = new FakeReader();
    private final FakeReader other = new FakeReader();
    private final StripeSet<EventRecord> stripes = new StripeSet<>(2, 8, 1 << 20, System::nanoTime);
    private final ReaderGroup group = new ReaderGroup(
            "orders-0",
            List.of(reader, other),
            () -> RecordConversion.NONE,
            stripes,
            new DurableWatermark(System.nanoTime()),
            System::nanoTime);

    private void startAndAwait(CountDownLatch latch) throws InterruptedException {
        group.start();
        assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @AfterEach
    void stop() {
        group.stop(GENEROUS_MS);
    }

    @Test
    void comesOnceOnTheTaskThreadWhileTheStripeIsOpenAndTheUpstreamRuns() throws InterruptedException {
        List<String> seen = new CopyOnWriteArrayList<>();
        reader.onStopping = () -> seen.add("stripe closed: " + Offering.isClosed(stripes.writer(0))
                + ", upstream stopped: " + (reader.stopped.getCount() == 0));
        startAndAwait(reader.fetched);
        group.stop(GENEROUS_MS);
        group.stop(GENEROUS_MS);
        assertThat(seen).containsExactly("stripe closed: false, upstream stopped: false");
        assertThat(reader.stoppingThreads).containsExactly(Thread.currentThread());
        assertThat(other.stoppingThreads).containsExactly(Thread.currentThread());
    }

    @Test
    void comesWhileAFetchWaits() throws InterruptedException {
        CountDownLatch waiting = new CountDownLatch(1);
        CountDownLatch announced = new CountDownLatch(1);
        AtomicBoolean returned = new AtomicBoolean();
        reader.onFetch = intake -> {
            waiting.countDown();
            announced.await();
            returned.set(true);
        };
        reader.onStopping = announced::countDown;
        startAndAwait(waiting);
        group.stop(GENEROUS_MS);
        assertThat(returned).as("without an interruption").isTrue();
        assertThat(reader.stopped.getCount()).isZero();
        assertThat(group.failure()).isNull();
    }

    @Test
    void doesNotKeepAReaderRunningThatThrows() throws InterruptedException {
        reader.onStopping = () -> {
            throw new IllegalStateException("planted");
        };
        startAndAwait(reader.fetched);
        group.stop(GENEROUS_MS);
        assertThat(reader.stopped.getCount()).isZero();
        assertThat(other.stopped.getCount()).isZero();
        assertThat(group.failure()).isNull();
    }
}
