package io.microbatch.connect.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.ack.DurableWatermark;
import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.stripe.StripeSet;
import io.microbatch.testbed.Await;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which waits of an upstream the stop interrupts. */
@Timeout(60)
class InterruptionTest {

    private static final long AN_HOUR_MS = 3_600_000;
    private static final long STOP_WITHIN_MS = 400;

    private final FakeReader reader = new FakeReader();
    private final CountDownLatch fetches = new CountDownLatch(1);
    private final StripeSet<EventRecord> stripes = new StripeSet<>(1, 8, 1 << 20, System::nanoTime);
    private final ReaderGroup group = new ReaderGroup(
            "orders-0",
            List.of(reader),
            () -> RecordConversion.NONE,
            stripes,
            new DurableWatermark(System.nanoTime()),
            System::nanoTime);

    private Thread readerWaitingIn(FakeReader.Fetch wait) throws InterruptedException {
        reader.onFetch = intake -> {
            fetches.countDown();
            wait.into(intake);
        };
        group.start();
        assertThat(fetches.await(30, TimeUnit.SECONDS)).isTrue();
        Thread thread = reader.threads.get(0);
        Await.until(
                "the reader waits",
                Duration.ofSeconds(30),
                () -> thread.getState() == Thread.State.TIMED_WAITING,
                () -> thread.getState().toString());
        return thread;
    }

    @AfterEach
    void endTheReader() throws InterruptedException {
        Thread thread = reader.threads.get(0);
        thread.interrupt();
        thread.join(TimeUnit.SECONDS.toMillis(30));
        assertThat(thread.isAlive()).isFalse();
    }

    /** It ends without an exception and sets the flag again. A poll that calls it in a loop would spin. */
    @Test
    void doesNotInterruptKafkasSleep() throws InterruptedException {
        Thread thread = readerWaitingIn(intake -> Utils.sleep(AN_HOUR_MS));
        group.stop(STOP_WITHIN_MS);
        assertThat(thread.isAlive()).isTrue();
        assertThat(reader.stopped.getCount()).isOne();
        assertThat(reader.abandoned).isTrue();
    }

    @Test
    void interruptsAnyOtherSleep() throws InterruptedException {
        readerWaitingIn(intake -> TimeUnit.HOURS.sleep(1));
        group.stop(STOP_WITHIN_MS);
        assertThat(reader.stopped.await(30, TimeUnit.SECONDS)).isTrue();
    }
}
