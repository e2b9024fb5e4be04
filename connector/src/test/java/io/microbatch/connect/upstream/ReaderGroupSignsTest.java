package io.microbatch.connect.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.ack.DurableWatermark;
import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.stripe.StripeSet;
import io.microbatch.testbed.Await;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a group of readers shows of its upstream: lag, silence, heartbeats, and whether it is connected. */
@Timeout(60)
class ReaderGroupSignsTest {

    private static final long GENEROUS_MS = 30_000;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final FakeReader reader = new FakeReader();
    private final FakeReader other = new FakeReader();
    private final StripeSet<EventRecord> stripes = new StripeSet<>(2, 8, 1 << 20, System::nanoTime);
    private final AtomicLong nowNanos = new AtomicLong(-TimeUnit.MINUTES.toNanos(1));
    private final ReaderGroup group = new ReaderGroup(
            "orders-0",
            List.of(reader, other),
            () -> RecordConversion.NONE,
            stripes,
            new DurableWatermark(0),
            nowNanos::get);

    @AfterEach
    void stop() {
        group.stop(GENEROUS_MS);
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    }

    /** The one that is worse off counts, and one that knows nothing does not. */
    @Test
    void showsTheWorstOfItsReaders() {
        assertThat(group.connected()).isNaN();
        assertThat(group.heartbeatMs()).isNaN();
        assertThat(group.lagMs()).isNaN();
        reader.connected = 1;
        assertThat(group.connected()).isEqualTo(1);
        other.connected = 0;
        assertThat(group.connected()).isZero();
        reader.heartbeatMs = 10;
        other.heartbeatMs = 30;
        assertThat(group.heartbeatMs()).isEqualTo(30);
        other.lagMs = 7;
        assertThat(group.lagMs()).isEqualTo(7);
    }

    @Test
    void isSilentUntilEachReaderHearsItsUpstream() throws InterruptedException {
        reader.lagMs = 5;
        nowNanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(60_001));
        assertThat(group.silentMs()).as("counts from the beginning").isEqualTo(60_001);
        assertThat(group.lagMs()).as("nothing was heard for a minute").isNaN();
        other.onFetch = Intake::heard;
        group.start();
        await(reader.fetched);
        await(other.fetched);
        assertThat(group.silentMs()).as("one of two is heard").isEqualTo(60_001);
        reader.onFetch = Intake::heard;
        Await.until("heard", PATIENCE, () -> group.silentMs() == 0, () -> Double.toString(group.silentMs()));
        assertThat(group.lagMs()).isEqualTo(5);
    }

    /** The upstream cannot be heard while the worker is slower. An alert on silence would blame the wrong side. */
    @Test
    void isNotSilentWhileItsStripeIsFull() {
        other.onFetch = Intake::heard;
        reader.onFetch = intake -> {
            for (int i = 0; i < 100; i++) {
                SourceRecord next = new SourceRecord(Map.of("p", 0), Map.of("o", i), "t", null, "value");
                intake.addAll(List.of(next), false, 0, event -> {});
            }
        };
        group.start();
        Await.until("full", PATIENCE, () -> stripes.sizeEvents() == 8, () -> Long.toString(stripes.sizeEvents()));
        nowNanos.addAndGet(TimeUnit.MINUTES.toNanos(5));
        Await.until("heard", PATIENCE, () -> group.silentMs() == 0, () -> Double.toString(group.silentMs()));
    }
}
