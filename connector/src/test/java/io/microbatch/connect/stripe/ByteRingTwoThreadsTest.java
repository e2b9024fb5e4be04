package io.microbatch.connect.stripe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs of all lengths, sizes and the wrap together, with a thread on either side; bounded by count. */
class ByteRingTwoThreadsTest {
    private static final int RUN_COUNT = 300_000;
    private static final int MAX_RUN_BYTES = 97;

    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE - 1_000, -1_000})
    void handsOverEveryByteInOrder(long firstIndex) throws InterruptedException {
        ByteRing<Integer> ring = new ByteRing<>(256, MAX_RUN_BYTES, 16, firstIndex);
        try (Peer producer = Peer.start(() -> {
            SplittableRandom random = new SplittableRandom(firstIndex);
            byte next = 0;
            for (int run = 0; run < RUN_COUNT; run++) {
                int length = random.nextInt(1, MAX_RUN_BYTES + 1);
                int events = 0;
                for (int left = length; left > 0; events++) {
                    int size = random.nextInt(1, left + 1);
                    int at = ring.claim(size);
                    while (at < 0) {
                        Peer.pause();
                        at = ring.claim(size);
                    }
                    for (int i = at; i < at + size; i++) {
                        ring.bytes()[i] = next++;
                    }
                    ring.written(size, 1);
                    left -= size;
                }
                ring.publish(run);
            }
        })) {
            Checker checker = new Checker(new SplittableRandom(firstIndex));
            while (checker.runs < RUN_COUNT) {
                long start = System.nanoTime();
                while (ring.drain(checker, 40, 150) == 0) {
                    producer.checkAlive();
                    Peer.guard(start);
                    Peer.pause();
                }
            }
            producer.join();
        }
        assertThat(ring.sizeEvents()).isZero();
        assertThat(ring.sizeBytes()).isZero();
    }

    /** Looks at the bytes when it is told that there is no more, up to when they have to stay. */
    private static final class Checker implements RunSink<Integer> {
        private final SplittableRandom random;
        private final Deque<int[]> taken = new ArrayDeque<>();
        private byte[] source;
        private int runs;
        private byte next;

        Checker(SplittableRandom random) {
            this.random = random;
        }

        @Override
        public void take(Integer run, byte[] bytes, int from, int sizeBytes, int events) {
            int length = random.nextInt(1, MAX_RUN_BYTES + 1);
            int expected = 0;
            for (int left = length; left > 0; expected++) {
                left -= random.nextInt(1, left + 1);
            }
            if (run != runs || sizeBytes != length || events != expected) {
                throw new AssertionError(
                        "run " + run + " of " + sizeBytes + " bytes, expected " + runs + ", " + length);
            }
            runs++;
            source = bytes;
            taken.addLast(new int[] {from, sizeBytes});
        }

        @Override
        public void end() {
            for (int[] each = taken.pollFirst(); each != null; each = taken.pollFirst()) {
                for (int i = each[0]; i < each[0] + each[1]; i++) {
                    if (source[i] != next++) {
                        throw new AssertionError("a wrong byte before run " + runs);
                    }
                }
            }
        }
    }
}
