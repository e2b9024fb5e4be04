package io.microbatch.connect.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.apache.kafka.connect.errors.ConnectException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The second thread of a reader. The test's own thread is the reader's. */
@Timeout(60)
class TurnTest {

    private static final long SHORT_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final List<Thread> notifiers = new CopyOnWriteArrayList<>();
    private final AtomicInteger inCalls = new AtomicInteger();
    private volatile Notified notification = () -> {};
    private volatile boolean acknowledged = true;
    private volatile boolean outstanding = true;
    private volatile LongConsumer pausing = TurnTest::park;
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final Turn turn =
            new Turn(this::notifyTask, () -> outstanding, failures::add, nanos -> pausing.accept(nanos));

    /** What a test does when the upstream is notified. */
    @FunctionalInterface
    private interface Notified {
        void run() throws InterruptedException;
    }

    private boolean notifyTask() throws InterruptedException {
        if (notifiers.isEmpty()) {
            notifiers.add(Thread.currentThread());
        }
        notification.run();
        return acknowledged;
    }

    /** A long pause ends only when the second thread is woken, whatever time passes. */
    private static void park(long nanos) {
        LockSupport.parkNanos(nanos > SHORT_PAUSE_NANOS ? TimeUnit.HOURS.toNanos(1) : nanos);
    }

    @BeforeEach
    void take() {
        turn.take();
    }

    @AfterEach
    void end() {
        turn.end();
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void notifiesFromASecondThreadDuringACall() throws InterruptedException {
        CountDownLatch notified = new CountDownLatch(1);
        notification = notified::countDown;
        assertThat(turn.isDuringCall()).isFalse();
        String answer = turn.leaveDuring(() -> {
            await(notified);
            assertThat(turn.isDuringCall()).isTrue();
            return "answer";
        });
        assertThat(answer).isEqualTo("answer");
        assertThat(turn.isDuringCall()).isFalse();
        assertThat(notifiers.get(0)).isNotEqualTo(Thread.currentThread());
        assertThat(notifiers.get(0).isDaemon()).isTrue();
        assertThat(notifiers.get(0).getName()).isEqualTo(Thread.currentThread().getName() + "-acks");
    }

    /** The second thread wakes rarely while the source is idle. It still delivers the first event after that. */
    @Test
    void wakesWhenEventsAreOutstanding() throws InterruptedException {
        CountDownLatch rested = new CountDownLatch(1);
        notification = rested::countDown;
        outstanding = false;
        turn.leaveDuring(() -> {
            await(rested);
            return null;
        });
        outstanding = true;
        CountDownLatch notified = new CountDownLatch(2);
        notification = notified::countDown;
        turn.leaveDuring(() -> {
            await(notified);
            return null;
        });
    }

    /** As while the connector is paused, or the broker is away. The time that passes is the sum of the pauses. */
    @Test
    void wakesRarelyWhileNothingIsAcknowledged() throws InterruptedException {
        AtomicInteger notifications = new AtomicInteger();
        AtomicLong passedNanos = new AtomicLong();
        CountDownLatch second = new CountDownLatch(1);
        acknowledged = false;
        notification = notifications::incrementAndGet;
        pausing = nanos -> {
            if (notifications.get() > 0 && passedNanos.addAndGet(nanos) >= TimeUnit.SECONDS.toNanos(1)) {
                second.countDown();
                LockSupport.parkNanos(TimeUnit.HOURS.toNanos(1));
            }
        };
        turn.leaveDuring(() -> {
            await(second);
            return null;
        });
        assertThat(notifications.get()).isBetween(100, 200);
    }

    /** The reader waits for room in its stripe. */
    @Test
    void wakesRarelyBetweenCallsAndImmediatelyForTheNextOne() throws InterruptedException {
        CountDownLatch rests = new CountDownLatch(1);
        pausing = nanos -> {
            if (nanos > SHORT_PAUSE_NANOS) {
                rests.countDown();
            }
            park(nanos);
        };
        turn.leaveDuring(() -> null);
        await(rests);
        CountDownLatch notified = new CountDownLatch(2);
        notification = notified::countDown;
        turn.leaveDuring(() -> {
            await(notified);
            return null;
        });
    }

    @Test
    void wakesOftenAgainAfterAnAcknowledgement() throws InterruptedException {
        CountDownLatch rests = new CountDownLatch(1);
        CountDownLatch wakesOften = new CountDownLatch(1);
        acknowledged = false;
        pausing = nanos -> {
            if (nanos > SHORT_PAUSE_NANOS) {
                acknowledged = true;
                rests.countDown();
            } else if (rests.getCount() == 0) {
                wakesOften.countDown();
                park(nanos);
            }
        };
        turn.leaveDuring(() -> {
            await(wakesOften);
            return null;
        });
    }

    @Test
    void neverNotifiesWhileTheReaderHasTheTurn() throws InterruptedException {
        AtomicReference<Thread> owner = new AtomicReference<>(Thread.currentThread());
        AtomicInteger violations = new AtomicInteger();
        CountDownLatch notified = new CountDownLatch(20);
        notification = () -> {
            if (!owner.compareAndSet(null, Thread.currentThread())) {
                violations.incrementAndGet();
            }
            Thread.onSpinWait();
            if (!owner.compareAndSet(Thread.currentThread(), null)) {
                violations.incrementAndGet();
            }
            notified.countDown();
        };
        while (notified.getCount() > 0) {
            owner.set(null);
            turn.leaveDuring(() -> {
                inCalls.incrementAndGet();
                return notified.await(5, TimeUnit.MILLISECONDS);
            });
            if (!owner.compareAndSet(null, Thread.currentThread())) {
                violations.incrementAndGet();
            }
        }
        assertThat(violations).hasValue(0);
        assertThat(inCalls.get()).isPositive();
    }

    @Test
    void reportsTheFailureOfTheSecondThreadAfterTheCall() {
        IllegalStateException cause = new IllegalStateException("for a test");
        CountDownLatch notified = new CountDownLatch(1);
        notification = () -> {
            notified.countDown();
            throw cause;
        };
        assertThatThrownBy(() -> turn.leaveDuring(() -> {
                    await(notified);
                    return null;
                }))
                .isInstanceOf(ConnectException.class)
                .hasCause(cause);
    }

    @Test
    void takesTheTurnBackWhenTheCallFails() {
        assertThatThrownBy(() -> turn.leaveDuring(() -> {
                    throw new IllegalStateException("for a test");
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(turn.isDuringCall()).isFalse();
    }

    /** A call that waits for an acknowledgement that never comes does not return. */
    @Test
    void reportsTheFailureOfTheSecondThreadDuringTheCall() {
        OutOfMemoryError cause = new OutOfMemoryError("for a test");
        notification = () -> {
            throw cause;
        };
        assertThatThrownBy(() -> turn.leaveDuring(() -> {
                    while (failures.isEmpty()) {
                        Thread.onSpinWait();
                    }
                    return null;
                }))
                .isSameAs(cause);
        assertThatThrownBy(() -> turn.leaveDuring(() -> null))
                .as("no call after the failure")
                .isSameAs(cause);
        assertThat(failures).containsExactly(cause);
    }

    @Test
    void endsTheSecondThreadOfACallThatNeverReturns() throws InterruptedException {
        CountDownLatch notified = new CountDownLatch(1);
        notification = notified::countDown;
        turn.leaveDuring(() -> {
            await(notified);
            turn.abandon();
            notifiers.get(0).join();
            return null;
        });
        assertThat(notifiers.get(0).isAlive()).isFalse();
    }

    @Test
    void interruptsANotificationThatHangs() throws InterruptedException {
        CountDownLatch hanging = new CountDownLatch(1);
        CountDownLatch freed = new CountDownLatch(1);
        notification = () -> {
            hanging.countDown();
            while (freed.getCount() > 0) {
                if (Thread.interrupted()) {
                    freed.countDown();
                }
            }
        };
        turn.leaveDuring(() -> {
            await(hanging);
            turn.interruptHelper();
            await(freed);
            return null;
        });
        assertThat(freed.getCount()).isZero();
    }
}
