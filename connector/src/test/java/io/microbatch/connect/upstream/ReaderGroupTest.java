package io.microbatch.connect.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.ack.DurableWatermark;
import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.stripe.Offering;
import io.microbatch.connect.stripe.StripeSet;
import io.microbatch.testbed.Await;
import java.net.BindException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ReaderGroupTest {

    private static final long GENEROUS_MS = 30_000;

    private final FakeReader reader = new FakeReader();
    private final FakeReader other = new FakeReader();
    private final StripeSet<EventRecord> stripes = new StripeSet<>(2, 8, 1 << 20, System::nanoTime);
    private final CountDownLatch release = new CountDownLatch(1);
    private final ReaderGroup group = group(List.of(reader, other));

    private ReaderGroup group(List<UpstreamReader> readers) {
        DurableWatermark watermark = new DurableWatermark(System.nanoTime());
        return new ReaderGroup("orders-0", readers, () -> RecordConversion.NONE, stripes, watermark, System::nanoTime);
    }

    @AfterEach
    void releaseEveryThread() {
        release.countDown();
        group.stop(GENEROUS_MS);
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    }

    private void awaitUninterruptibly() {
        boolean interrupted = false;
        while (release.getCount() > 0) {
            try {
                release.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void callsAReaderOnOneDaemonThreadOfItsOwnUnderItsOwnLoader() throws InterruptedException {
        group.start();
        await(reader.fetched);
        await(other.fetched);
        group.stop(GENEROUS_MS);

        assertThat(reader.calls).startsWith("start", "fetch").endsWith("stop");
        assertThat(reader.threads).hasSize(1);
        assertThat(reader.threads.get(0).getName()).isEqualTo("orders-0-reader-0");
        assertThat(other.threads.get(0).getName()).isEqualTo("orders-0-reader-1");
        assertThat(reader.threads.get(0).isDaemon()).isTrue();
        assertThat(reader.loaders).containsExactly(reader.loader);
        assertThat(group.failure()).isNull();
    }

    @Test
    void reportsAReaderThatRanOutOfMemoryAndAcknowledgesNothingAfterwards() throws InterruptedException {
        OutOfMemoryError cause = new OutOfMemoryError("planted");
        reader.onFetch = intake -> {
            SourceRecord next = new SourceRecord(Map.of("p", 0), Map.of("o", 1), "t", null, "value");
            intake.addAll(List.of(next), false, System.nanoTime(), event -> {});
            stripes.drain((event, size) -> event.settle(null, 1), 10, 1 << 20, EventRecord::sameOffset);
            throw cause;
        };
        group.start();
        await(reader.stopped);
        group.stop(GENEROUS_MS);

        assertThat(group.failure()).isSameAs(cause);
        assertThat(reader.settled).isEmpty();
        assertThat(Offering.isClosed(stripes.writer(0))).isTrue();
    }

    @Test
    void stopsAReaderWhoseStartFailed() throws InterruptedException {
        ConnectException cause = new ConnectException("no such database");
        reader.onStart = () -> {
            throw cause;
        };
        group.start();
        await(reader.stopped);
        group.stop(GENEROUS_MS);

        assertThat(reader.calls).containsExactly("start", "stop");
        assertThat(group.failure()).isSameAs(cause);
    }

    @Test
    void fetchesAgainWhenTheUpstreamAsksForARetry() throws InterruptedException {
        reader.onFetch = intake -> {
            throw new RetriableException("try again");
        };
        other.onFetch = intake -> {
            throw new org.apache.kafka.common.errors.TimeoutException("try again");
        };
        group.start();
        await(reader.fetched);
        await(other.fetched);
        assertThat(group.failure()).isNull();
    }

    @Test
    void keepsTheExceptionOfAFetchAndEndsTheReader() throws InterruptedException {
        IllegalStateException cause = new IllegalStateException("connection lost");
        reader.onFetch = intake -> {
            throw cause;
        };
        group.start();
        await(reader.stopped);
        joined(reader);

        assertThat(group.failure()).isSameAs(cause);
        assertThat(Offering.isClosed(stripes.writer(0))).isTrue();
        assertThat(Offering.isClosed(stripes.writer(1))).isFalse();
    }

    @Test
    void keepsAnErrorOfAFetch() throws InterruptedException {
        OutOfMemoryError cause = new OutOfMemoryError("for a test");
        other.onFetch = intake -> {
            throw cause;
        };
        group.start();
        await(other.stopped);
        joined(other);
        assertThat(group.failure()).isSameAs(cause);
    }

    @Test
    void reportsAnUnexpectedInterruptionAsAFailure() throws InterruptedException {
        reader.onFetch = intake -> {
            throw new InterruptedException("by the driver");
        };
        group.start();
        await(reader.stopped);
        joined(reader);
        assertThat(group.failure()).isInstanceOf(InterruptedException.class);
    }

    @Test
    void stopsAReaderAndClosesItsStripeAfterErrorsOfItsHooks() throws InterruptedException {
        NoClassDefFoundError cause = new NoClassDefFoundError("for a test");
        CountDownLatch handedOver = handOver(2);
        reader.onSettled = () -> {
            throw cause;
        };
        group.start();
        await(handedOver);
        settleAll();
        await(reader.stopped);
        joined(reader);

        assertThat(group.failure()).isSameAs(cause);
        assertThat(Offering.isClosed(stripes.writer(0))).isTrue();
    }

    @Test
    void ignoresAnExceptionOfARequestedStop() throws InterruptedException {
        reader.onStop = () -> {
            throw new IllegalStateException("already closed");
        };
        group.start();
        await(reader.fetched);
        group.stop(GENEROUS_MS);
        assertThat(group.failure()).isNull();
    }

    @Test
    void notifiesTheReaderOfSettledEventsInOrderOnItsOwnThread() throws InterruptedException {
        CountDownLatch handedOver = handOver(3);
        group.start();
        await(handedOver);
        List<EventRecord> drained = settleAll();
        group.stop(GENEROUS_MS);

        assertThat(reader.settled).isEqualTo(drained);
        assertThat(reader.threads).hasSize(1);
        assertThat(reader.abandoned).isFalse();
        assertThat(group.ledgerDepth()).isZero();
    }

    @Test
    void interruptsAReaderThatHangsInItsUpstream() throws InterruptedException {
        CountDownLatch hangs = new CountDownLatch(1);
        reader.onFetch = intake -> {
            hangs.countDown();
            release.await();
        };
        group.start();
        await(hangs);
        group.stop(200);

        await(reader.stopped);
        joined(reader);
        assertThat(group.failure()).isNull();
    }

    @Test
    void abandonsAReaderThatDoesNotReturnAndStopsItWhenItDoes() throws InterruptedException {
        CountDownLatch hangs = new CountDownLatch(1);
        AtomicBoolean handedOver = new AtomicBoolean();
        reader.onFetch = intake -> {
            hangs.countDown();
            awaitUninterruptibly();
            Thread.interrupted();
            intake.addAll(List.of(record(1)), false, System.nanoTime(), event -> {});
            handedOver.set(true);
        };
        group.start();
        await(hangs);
        await(other.fetched);
        group.stop(20);
        assertThat(reader.threads.get(0).isAlive()).isTrue();
        assertThat(reader.stopped.getCount()).isOne();

        release.countDown();
        await(reader.stopped);
        joined(reader);
        assertThat(handedOver).isFalse();
        assertThat(stripes.sizeEvents()).isZero();
    }

    @Test
    void confirmsNothingOnceAbandoned() throws InterruptedException {
        CountDownLatch hangs = new CountDownLatch(1);
        CountDownLatch handedOver = handOver(3);
        reader.onSettled = () -> {
            hangs.countDown();
            awaitUninterruptibly();
        };
        group.start();
        await(handedOver);
        settleAll();
        await(hangs);
        group.stop(20);
        assertThat(reader.abandoned).isTrue();

        int committedBefore = reader.committed.get();
        release.countDown();
        await(reader.stopped);
        joined(reader);
        assertThat(reader.settled).as("the call in progress, and none after it").hasSize(1);
        assertThat(reader.committed).hasValue(committedBefore);
    }

    @Test
    void neverInterruptsAReaderThatClosesItsUpstream() throws InterruptedException {
        AtomicBoolean interrupted = new AtomicBoolean();
        reader.onStop = () -> {
            awaitUninterruptibly();
            interrupted.set(Thread.interrupted());
        };
        group.start();
        await(reader.fetched);
        group.stop(20);
        assertThat(reader.threads.get(0).isAlive()).isTrue();

        release.countDown();
        joined(reader);
        assertThat(interrupted).isFalse();
    }

    @Test
    void retriesTheStartUntilThePredecessorReleasesTheUpstream() throws InterruptedException {
        AtomicInteger starts = new AtomicInteger();
        reader.onStart = () -> {
            if (starts.incrementAndGet() < 3) {
                throw new ConnectException("cannot listen", new BindException("port in use"));
            }
        };
        group.start();
        await(reader.fetched);

        assertThat(reader.calls).startsWith("start", "stop", "fetch");
        assertThat(starts).hasValue(3);
        assertThat(group.failure()).isNull();
    }

    @Test
    void stopsImmediatelyWhileItWaitsForAPredecessor() throws InterruptedException {
        CountDownLatch tried = new CountDownLatch(5);
        reader.onStart = () -> {
            tried.countDown();
            throw new RetriableException("not yet");
        };
        group.start();
        await(tried);
        group.stop(GENEROUS_MS);
        assertThat(reader.threads.get(0).isAlive()).isFalse();
        assertThat(group.failure()).isNull();
    }

    @Test
    void keepsAnInterruptionOfTheStoppingThread() throws InterruptedException {
        group.start();
        await(reader.fetched);
        Thread.currentThread().interrupt();
        group.stop(GENEROUS_MS);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void givesReadersTheirTimeAlthoughTheStoppingThreadIsInterrupted() throws InterruptedException {
        AtomicBoolean interrupted = new AtomicBoolean();
        CountDownLatch fetches = new CountDownLatch(1);
        reader.onFetch = intake -> {
            fetches.countDown();
            try {
                release.await();
            } catch (InterruptedException e) {
                interrupted.set(true);
                throw e;
            }
        };
        // Alone, because the wait for another reader is not interrupted again.
        ReaderGroup single = group(List.of(reader));
        single.start();
        await(fetches);
        Thread stopping = Thread.currentThread();
        Thread releasing = new Thread(() -> {
            Await.until(
                    "the stop waits",
                    Duration.ofSeconds(30),
                    () -> stopping.getState() == Thread.State.TIMED_WAITING,
                    () -> stopping.getState().toString());
            release.countDown();
        });
        releasing.start();
        Thread.currentThread().interrupt();
        single.stop(GENEROUS_MS);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(interrupted).isFalse();
        releasing.join();
    }

    private CountDownLatch handOver(int count) {
        CountDownLatch done = new CountDownLatch(1);
        reader.onFetch = intake -> {
            if (done.getCount() > 0) {
                List<SourceRecord> records = new ArrayList<>();
                for (int i = 0; i < count; i++) {
                    records.add(record(i));
                }
                intake.addAll(records, false, System.nanoTime(), event -> {});
                done.countDown();
            }
        };
        return done;
    }

    private static SourceRecord record(int offset) {
        return new SourceRecord(Map.of(), Map.of("o", offset), "t", null, null);
    }

    private List<EventRecord> settleAll() {
        List<EventRecord> drained = new ArrayList<>();
        int count = stripes.drain((event, size) -> drained.add(event), 100, 1 << 20, EventRecord::sameOffset);
        assertThat(count).isPositive();
        for (int i = drained.size() - 1; i >= 0; i--) {
            drained.get(i).settle(null, System.nanoTime());
        }
        return drained;
    }

    private static void joined(FakeReader ended) throws InterruptedException {
        Thread thread = ended.threads.get(0);
        thread.join(TimeUnit.SECONDS.toMillis(30));
        assertThat(thread.isAlive()).isFalse();
    }
}
