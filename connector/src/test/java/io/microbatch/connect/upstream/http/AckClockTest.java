package io.microbatch.connect.upstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class AckClockTest {

    private final AtomicInteger wakes = new AtomicInteger();
    private final AckClock ackClock = new AckClock(wakes::incrementAndGet);

    @Test
    void nobodyLeavesWhereNobodyWaits() {
        assertThat(ackClock.isDue()).isFalse();
    }

    @Test
    void oneWaitsForNothingAndTheNextOnesForItsSettlement() {
        ackClock.handedOver();
        assertThat(ackClock.isDue()).isTrue();
        ackClock.leave();
        ackClock.handedOver();
        ackClock.handedOver();
        assertThat(ackClock.isDue()).isFalse();
        assertThat(wakes).hasValue(0);
        ackClock.settled();
        assertThat(wakes).hasValue(1);
        assertThat(ackClock.isDue()).isTrue();
        ackClock.leave();
        assertThat(ackClock.isDue()).isFalse();
        ackClock.settled();
        assertThat(wakes).as("one of two").hasValue(1);
        ackClock.settled();
        assertThat(wakes).hasValue(2);
        assertThat(ackClock.isDue()).as("nobody waits").isFalse();
    }

    @Test
    void oneThatHasLeftByTheLingerIsNotWaitedFor() {
        ackClock.handedOver();
        ackClock.leave();
        ackClock.handedOver();
        ackClock.settled();
        ackClock.settled();
        ackClock.handedOver();
        assertThat(ackClock.isDue()).isTrue();
    }

    /** The reader waits only if nothing is due. If it were not woken then, it would wait without end. */
    @Test
    @Timeout(30)
    void noSettlementIsMissed() throws InterruptedException {
        Inbox inbox = new Inbox();
        AckClock clocked = new AckClock(inbox::wake);
        int requests = 50_000;
        AtomicInteger onTheirWay = new AtomicInteger();
        CountDownLatch ended = new CountDownLatch(1);
        Thread kafka = new Thread(() -> {
            for (int settled = 0; settled < requests; ) {
                if (onTheirWay.get() > 0) {
                    int ignored = onTheirWay.decrementAndGet();
                    clocked.settled();
                    settled++;
                } else {
                    Thread.onSpinWait();
                }
            }
            ended.countDown();
        });
        kafka.start();
        clocked.handedOver();
        for (int left = 0; left < requests; ) {
            if (!clocked.isDue()) {
                inbox.await(TimeUnit.HOURS.toNanos(1), clocked::isDue);
            }
            if (clocked.isDue()) {
                clocked.leave();
                left++;
                if (left < requests) {
                    clocked.handedOver();
                }
                int ignored = onTheirWay.incrementAndGet();
            }
        }
        assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
    }
}
