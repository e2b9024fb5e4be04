package io.microbatch.connect.stripe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs, sizes and counter overflow together, with a thread on each side. Bounded by count. */
class SpscRingTwoThreadsTest {
    private static final int RUN_COUNT = 300_000;

    /** An event of a run: its place in the run, and the length of the run. */
    private record Event(int run, int place, int length) {}

    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE - 1_000, -1_000})
    void neverSplitsARunAndLosesNothing(long firstIndex) throws InterruptedException {
        // The ring grows twice while both threads use it.
        SpscRing<Event> ring = new SpscRing<>(64, 200, firstIndex, 2);
        try (Peer producer = Peer.start(() -> {
            for (int run = 0; run < RUN_COUNT; run++) {
                int length = 1 + run % 5;
                for (int place = 0; place < length; place++) {
                    while (ring.stage(new Event(run, place, length), 1 + place) != Offer.ACCEPTED) {
                        Peer.pause();
                    }
                }
                ring.publish();
            }
        })) {
            Checker checker = new Checker();
            while (checker.run < RUN_COUNT) {
                long start = System.nanoTime();
                while (ring.drain(checker, 7, 40, (last, next) -> last.run == next.run) == 0) {
                    producer.checkAlive();
                    Peer.guard(start);
                    Peer.pause();
                }
                assertThat(checker.place).as("events of a run that was split").isZero();
            }
            producer.join();
        }
        assertThat(ring.sizeEvents()).isZero();
        assertThat(ring.sizeBytes()).isZero();
    }

    private static final class Checker implements DrainSink<Event> {
        private int run;
        private int place;

        @Override
        public void take(Event event, int sizeBytes) {
            if (event.run != run || event.place != place || sizeBytes != 1 + place) {
                throw new AssertionError(event + " of " + sizeBytes + " bytes, expected " + run + ", " + place);
            }
            place++;
            if (place == event.length) {
                run++;
                place = 0;
            }
        }
    }
}
