package io.microbatch.connect.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.ack.DurableWatermark;
import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.stripe.StripeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is seen of a failure of the second thread of a reader, which notifies the upstream during a poll. */
@Timeout(60)
class SecondThreadFailureTest {

    private static final String WARNING =
            "warn The upstream of this task has failed; the task reports it at its next poll with for a test";

    private final OutOfMemoryError cause = new OutOfMemoryError("for a test");
    private final AtomicBoolean hasFailed = new AtomicBoolean();
    private final CountDownLatch neverCounted = new CountDownLatch(1);
    private final LogLines log = new LogLines();
    private final Acknowledging reader = new Acknowledging();
    private final ReaderLoop loop = new ReaderLoop(
            reader,
            RecordConversion.NONE,
            new StripeSet<EventRecord>(1, 8, 1 << 20, System::nanoTime).writer(0),
            new DurableWatermark(0),
            System::nanoTime,
            new ReaderFailure(log.logger()));
    private final Thread thread = new Thread(loop);

    private final class Acknowledging extends FakeReader {
        @Override
        public void committed(Progress progress) {
            if (progress.isDuringCall() && hasFailed.compareAndSet(false, true)) {
                throw cause;
            }
        }
    }

    private void awaitFailure() {
        while (loop.failure() == null) {
            // The time limit of the test interrupts it.
            assertThat(Thread.currentThread().isInterrupted())
                    .as("interrupted before a failure was seen")
                    .isFalse();
            Thread.onSpinWait();
        }
    }

    /** The poll waits for an acknowledgement that never comes, and Connect does not poll a paused task. */
    @Test
    void isLoggedThoughAStopInterruptsThePoll() throws InterruptedException {
        thread.setDaemon(true);
        reader.onFetch = intake -> intake.letThrough(() -> {
            neverCounted.await();
            return null;
        });
        thread.start();
        awaitFailure();
        loop.requestStop();
        thread.interrupt();
        thread.join();
        assertThat(log.written()).containsExactly(WARNING);
        assertThat(loop.failure()).isSameAs(cause);
    }

    @Test
    void isLoggedOnceWhereThePollReturns() throws InterruptedException {
        thread.setDaemon(true);
        reader.onFetch = intake -> intake.letThrough(() -> {
            awaitFailure();
            return null;
        });
        thread.start();
        awaitFailure();
        loop.requestStop();
        thread.join();
        assertThat(log.written()).containsExactly(WARNING);
        assertThat(loop.failure()).isSameAs(cause);
    }
}
