package io.microbatch.connect.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.connect.errors.ConnectException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The second thread of a reader; the test's own thread is the reader's. */
@Timeout(60)
class TurnTest {

    private final List<Thread> tellers = new CopyOnWriteArrayList<>();
    private final AtomicInteger inCalls = new AtomicInteger();
    private volatile Turn.Notification telling = () -> {};
    private volatile boolean outstanding = true;
    private final Turn turn = new Turn(this::tell, () -> outstanding);

    private void tell() throws InterruptedException {
        if (tellers.isEmpty()) {
            tellers.add(Thread.currentThread());
        }
        telling.run();
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
    void tellsFromASecondThreadWhileACallLasts() throws InterruptedException {
        CountDownLatch told = new CountDownLatch(1);
        telling = told::countDown;
        assertThat(turn.isDuringCall()).isFalse();
        String answer = turn.leaveDuring(() -> {
            await(told);
            assertThat(turn.isDuringCall()).isTrue();
            return "answer";
        });
        assertThat(answer).isEqualTo("answer");
        assertThat(turn.isDuringCall()).isFalse();
        assertThat(tellers.get(0)).isNotEqualTo(Thread.currentThread());
        assertThat(tellers.get(0).isDaemon()).isTrue();
        assertThat(tellers.get(0).getName()).isEqualTo(Thread.currentThread().getName() + "-acks");
    }

    /** A source that rests wakes nobody often; the first event after that is told of all the same. */
    @Test
    void wakesUpAgainWhenEventsAreOnTheirWay() throws InterruptedException {
        CountDownLatch rested = new CountDownLatch(2);
        telling = rested::countDown;
        outstanding = false;
        turn.leaveDuring(() -> {
            await(rested);
            return null;
        });
        outstanding = true;
        CountDownLatch told = new CountDownLatch(2);
        telling = told::countDown;
        turn.leaveDuring(() -> {
            await(told);
            return null;
        });
        assertThat(told.getCount()).isZero();
    }

    @Test
    void neverTellsWhileTheReaderHasTheTurn() throws InterruptedException {
        AtomicReference<Thread> owner = new AtomicReference<>(Thread.currentThread());
        AtomicInteger violations = new AtomicInteger();
        CountDownLatch told = new CountDownLatch(20);
        telling = () -> {
            if (!owner.compareAndSet(null, Thread.currentThread())) {
                violations.incrementAndGet();
            }
            Thread.onSpinWait();
            if (!owner.compareAndSet(Thread.currentThread(), null)) {
                violations.incrementAndGet();
            }
            told.countDown();
        };
        while (told.getCount() > 0) {
            owner.set(null);
            turn.leaveDuring(() -> {
                inCalls.incrementAndGet();
                return told.await(5, TimeUnit.MILLISECONDS);
            });
            if (!owner.compareAndSet(null, Thread.currentThread())) {
                violations.incrementAndGet();
            }
        }
        assertThat(violations).hasValue(0);
        assertThat(inCalls.get()).isPositive();
    }

    @Test
    void reportsWhatTheSecondThreadFailedOfWhenTheCallHasEnded() {
        IllegalStateException cause = new IllegalStateException("for a test");
        CountDownLatch told = new CountDownLatch(1);
        telling = () -> {
            told.countDown();
            throw cause;
        };
        assertThatThrownBy(() -> turn.leaveDuring(() -> {
                    await(told);
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

    /** A call that waits for what will never be told does not return. */
    @Test
    void showsWhatTheSecondThreadFailedOfWhileTheCallLasts() {
        OutOfMemoryError cause = new OutOfMemoryError("for a test");
        telling = () -> {
            throw cause;
        };
        assertThatThrownBy(() -> turn.leaveDuring(() -> {
                    while (turn.failure() == null) {
                        Thread.onSpinWait();
                    }
                    return null;
                }))
                .isSameAs(cause);
        assertThatThrownBy(() -> turn.leaveDuring(() -> null))
                .as("no call after that")
                .isSameAs(cause);
    }

    @Test
    void endsTheSecondThreadOfACallThatNeverReturns() throws InterruptedException {
        CountDownLatch told = new CountDownLatch(1);
        telling = told::countDown;
        turn.leaveDuring(() -> {
            await(told);
            turn.abandon();
            tellers.get(0).join();
            return null;
        });
        assertThat(tellers.get(0).isAlive()).isFalse();
    }

    @Test
    void interruptsATellingThatHangs() throws InterruptedException {
        CountDownLatch hanging = new CountDownLatch(1);
        CountDownLatch freed = new CountDownLatch(1);
        telling = () -> {
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
