package io.microbatch.connect.upstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class DeparturesTest {

    private final AtomicInteger wakes = new AtomicInteger();
    private final Departures departures = new Departures(wakes::incrementAndGet);

    @Test
    void nobodyLeavesWhereNobodyWaits() {
        assertThat(departures.isDue()).isFalse();
    }

    @Test
    void oneWaitsForNothingAndTheNextOnesForItsSettlement() {
        departures.handedOver();
        assertThat(departures.isDue()).isTrue();
        departures.leave();
        departures.handedOver();
        departures.handedOver();
        assertThat(departures.isDue()).isFalse();
        assertThat(wakes).hasValue(0);
        departures.settled();
        assertThat(wakes).hasValue(1);
        assertThat(departures.isDue()).isTrue();
        departures.leave();
        assertThat(departures.isDue()).isFalse();
        departures.settled();
        assertThat(wakes).as("one of two").hasValue(1);
        departures.settled();
        assertThat(wakes).hasValue(2);
        assertThat(departures.isDue()).as("nobody waits").isFalse();
    }

    @Test
    void oneThatHasLeftByTheLingerIsNotWaitedFor() {
        departures.handedOver();
        departures.leave();
        departures.handedOver();
        departures.settled();
        departures.settled();
        departures.handedOver();
        assertThat(departures.isDue()).isTrue();
    }

    /** The reader waits only if nothing is due. If it were not woken then, it would wait without end. */
    @Test
    @Timeout(30)
    void noSettlementIsMissed() throws InterruptedException {
        Inbox inbox = new Inbox();
        Departures clocked = new Departures(inbox::wake);
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
