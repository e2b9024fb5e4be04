package io.microbatch.connect.stripe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs of bytes, their bounds, and the end of the memory. */
class ByteRingTest {

    /** Copies what it is given when it is told that there is no more, as it has to. */
    private static final class Copies implements RunSink<String> {
        private final List<String> runs = new ArrayList<>();
        private final List<String> contents = new ArrayList<>();
        private final List<int[]> places = new ArrayList<>();
        private byte[] bytes;

        @Override
        public void take(String run, byte[] source, int from, int sizeBytes, int events) {
            runs.add(run);
            places.add(new int[] {from, sizeBytes});
            bytes = source;
        }

        @Override
        public void end() {
            for (int[] place : places) {
                contents.add(new String(bytes, place[0], place[1], java.nio.charset.StandardCharsets.US_ASCII));
            }
            places.clear();
        }
    }

    private final Copies copies = new Copies();

    private static int submit(ByteRing<?> ring, String text) {
        byte[] bytes = text.getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        return ring.submit(bytes, 0, bytes.length, 1);
    }

    private static void publish(ByteRing<String> ring, String run, String... events) {
        for (String event : events) {
            assertThat(submit(ring, event)).isNotNegative();
        }
        ring.publish(run);
    }

    private int drain(ByteRing<String> ring) {
        return ring.drain(copies, Integer.MAX_VALUE, Long.MAX_VALUE);
    }

    @Test
    void showsARunOnlyWhenItIsPublishedAndThenAsAWhole() {
        ByteRing<String> ring = new ByteRing<>(64, 32, 8);
        submit(ring, "ab");
        submit(ring, "cde");
        assertThat(drain(ring)).isZero();
        assertThat(ring.runBytes()).isEqualTo(5);
        assertThat(ring.stagedCount()).isEqualTo(2);

        ring.publish("first");

        assertThat(ring.sizeEvents()).isEqualTo(2);
        assertThat(ring.sizeBytes()).isEqualTo(5);
        assertThat(ring.peek()).isEqualTo("first");
        assertThat(ring.drain(copies, 1, 1)).as("a run is not cut").isEqualTo(2);
        assertThat(copies.contents).containsExactly("abcde");
        assertThat(ring.sizeEvents()).isZero();
        assertThat(ring.sizeBytes()).isZero();
        assertThat(ring.peek()).isNull();
    }

    @Test
    void takesWholeRunsWithinBothLimits() {
        ByteRing<String> ring = new ByteRing<>(64, 32, 8);
        publish(ring, "1", "a", "b");
        publish(ring, "2", "c", "d");
        publish(ring, "3", "eeeeeeee");
        publish(ring, "4", "f");
        assertThat(ring.drain(copies, 3, 100)).isEqualTo(2);
        assertThat(ring.drain(copies, 100, 5)).isEqualTo(2);
        assertThat(ring.drain(copies, 0, 100)).isZero();
        assertThat(ring.drain(copies, 100, 9)).isEqualTo(2);
        assertThat(copies.runs).containsExactly("1", "2", "3", "4");
    }

    @Test
    void takesAsManyEventsAsWantedAndWhatCameSinceTheLastLook() {
        ByteRing<String> ring = new ByteRing<>(64, 32, 8);
        publish(ring, "1", "a", "b");
        assertThat(ring.peek()).isEqualTo("1");
        publish(ring, "2", "c", "d");
        assertThat(ring.nextEvents()).isEqualTo(2);
        assertThat(ring.nextSizeBytes()).isEqualTo(2);
        assertThat(ring.drain(copies, 4, 100)).isEqualTo(4);
        assertThat(ring.nextEvents()).isZero();
        assertThat(ring.nextSizeBytes()).isNegative();
    }

    @Test
    void keepsNoTokenThatItGaveAway() {
        ByteRing<String> ring = new ByteRing<>(64, 32, 4);
        for (int lap = 0; lap < 3; lap++) {
            publish(ring, "1", "a");
            publish(ring, "2", "b");
            publish(ring, "3", "c");
            assertThat(drain(ring)).isEqualTo(3);
            assertThat(ring.slots).containsOnlyNulls();
        }
    }

    @Test
    void returnsFullUntilARunIsDrained() {
        ByteRing<String> ring = new ByteRing<>(16, 8, 8);
        publish(ring, "1", "aaaa");
        publish(ring, "2", "bbbb");
        publish(ring, "3", "cccccccc");
        assertThat(submit(ring, "d")).isEqualTo(ByteRing.FULL);
        assertThat(ring.fullTotal()).isEqualTo(1);
        assertThat(ring.drain(copies, 1, 100)).isEqualTo(1);
        assertThat(submit(ring, "ddd")).isNotNegative();
        assertThat(submit(ring, "ee")).as("in the middle of a run, too").isEqualTo(ByteRing.FULL);
        assertThat(ring.drain(copies, 1, 100)).isEqualTo(1);
        assertThat(submit(ring, "ee")).isNotNegative();
        ring.publish("4");
        assertThat(drain(ring)).isEqualTo(3);
        assertThat(copies.contents).containsExactly("aaaa", "bbbb", "cccccccc", "dddee");
    }

    @Test
    void keepsARunThatReachesOverTheEndOfTheMemoryInOnePiece() {
        ByteRing<String> ring = new ByteRing<>(16, 8, 8);
        publish(ring, "1", "aaaaaaaa");
        publish(ring, "2", "bbbbbb");
        assertThat(drain(ring)).isEqualTo(2);
        publish(ring, "3", "cccc", "dddd");
        publish(ring, "4", "eeeeeeee");
        publish(ring, "5", "ffffff");
        assertThat(submit(ring, "g"))
                .as("the run over the end has the last bytes of its lap")
                .isEqualTo(ByteRing.FULL);
        assertThat(ring.drain(copies, 2, 100)).isEqualTo(2);
        assertThat(submit(ring, "gg")).isNotNegative();
        assertThat(submit(ring, "gggggg")).as("over the end again").isNotNegative();
        ring.publish("6");
        assertThat(submit(ring, "h")).isEqualTo(ByteRing.FULL);
        assertThat(drain(ring)).isEqualTo(4);
        assertThat(copies.contents).containsExactly("aaaaaaaa", "bbbbbb", "ccccdddd", "eeeeeeee", "ffffff", "gggggggg");
    }

    @Test
    void saysWhenARunIsTooLongAndWhenAnEventIs() {
        ByteRing<String> ring = new ByteRing<>(64, 8, 8);
        submit(ring, "aaaaa");
        assertThat(submit(ring, "bbbb")).isEqualTo(ByteRing.RUN_FULL);
        assertThat(submit(ring, "bbb")).isNotNegative();
        ring.publish("1");
        assertThat(submit(ring, "bbbb")).isNotNegative();
        assertThatThrownBy(() -> submit(ring, "ccccccccc")).hasMessageContaining("8 bytes");
        assertThatThrownBy(() -> ring.publish(null)).isInstanceOf(NullPointerException.class);
        ring.publish("2");
        ring.publish("nothing");
        assertThat(drain(ring)).isEqualTo(3);
        assertThat(copies.runs).containsExactly("1", "2");
    }

    @Test
    void holdsNoMoreRunsThanItHasSlotsNorEventsThanItsLimit() {
        ByteRing<String> ring = new ByteRing<>(1_024, 64, 2);
        publish(ring, "1", "a");
        publish(ring, "2", "b");
        assertThat(submit(ring, "c")).isEqualTo(ByteRing.FULL);
        assertThat(drain(ring)).isEqualTo(2);
        ring.limit(3);
        publish(ring, "3", "a", "b", "c", "d");
        assertThat(submit(ring, "e"))
                .as("beyond the limit only the run that has begun goes on")
                .isEqualTo(ByteRing.FULL);
        assertThat(drain(ring)).isEqualTo(4);
        assertThat(submit(ring, "e")).isNotNegative();
    }

    @Test
    void takesNothingAfterClosingAndGivesWhatItHas() {
        ByteRing<String> ring = new ByteRing<>(64, 32, 8);
        publish(ring, "1", "a");
        submit(ring, "b");
        ring.close();
        assertThat(submit(ring, "c")).isEqualTo(ByteRing.CLOSED);
        assertThat(drain(ring)).isEqualTo(1);
        ring.publish("2");
        assertThat(drain(ring)).isEqualTo(1);
        assertThat(copies.contents).containsExactly("a", "b");
    }

    @Test
    void losesOnlyWhatASinkThatThrowsWasGiven() {
        ByteRing<String> ring = new ByteRing<>(64, 32, 8);
        publish(ring, "1", "a");
        publish(ring, "2", "b");
        RunSink<String> failing = new RunSink<>() {
            @Override
            public void take(String run, byte[] bytes, int from, int sizeBytes, int events) {
                throw new IllegalStateException("planted");
            }

            @Override
            public void end() {}
        };
        assertThatThrownBy(() -> ring.drain(failing, 10, 10)).hasMessage("planted");
        assertThat(drain(ring)).isEqualTo(1);
        assertThat(copies.runs).containsExactly("2");
    }

    @Test
    void refusesBoundsThatMakeNoSense() {
        assertThatThrownBy(() -> new ByteRing<>(100, 10, 8)).hasMessageContaining("capacityBytes");
        assertThatThrownBy(() -> new ByteRing<>(64, 33, 8)).hasMessageContaining("maxRunBytes");
        assertThatThrownBy(() -> new ByteRing<>(64, 0, 8)).hasMessageContaining("maxRunBytes");
    }

    /** Against a queue of runs, by random calls of both sides in any order. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void givesEveryByteBackWhateverTheOrderOfCalls(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int capacity = 1 << random.nextInt(4, 9);
        int maxRun = random.nextInt(1, capacity / 2 + 1);
        long firstIndex = seed % 2 == 0 ? Long.MAX_VALUE - 500 : 0;
        ByteRing<byte[]> ring = new ByteRing<>(capacity, maxRun, random.nextInt(1, 20), firstIndex);
        ArrayDeque<byte[]> expected = new ArrayDeque<>();
        byte[] open = new byte[0];
        byte next = 0;
        long fulls = 0;
        for (int call = 0; call < 200_000; call++) {
            // In turns it fills up and empties.
            boolean filling = call / 200 % 2 == 0;
            int kind = random.nextInt(10);
            if (kind < (filling ? 6 : 2)) {
                byte[] event = new byte[random.nextInt(1, maxRun + 1)];
                for (int i = 0; i < event.length; i++) {
                    event[i] = next++;
                }
                int at = ring.submit(event, 0, event.length, 1);
                if (at >= 0) {
                    open = Arrays.copyOf(open, open.length + event.length);
                    System.arraycopy(event, 0, open, open.length - event.length, event.length);
                } else {
                    fulls += at == ByteRing.FULL ? 1 : 0;
                    next -= (byte) event.length;
                    assertThat(open.length + event.length > maxRun).isEqualTo(at == ByteRing.RUN_FULL);
                    assertThat(expected.isEmpty() && at == ByteRing.FULL)
                            .as("full though nothing is in it")
                            .isFalse();
                }
            } else if (kind < (filling ? 9 : 5) && open.length > 0) {
                ring.publish(open);
                expected.add(open);
                open = new byte[0];
            } else if (!filling || kind == 9) {
                ring.drain(new Comparing(expected), random.nextInt(0, 20), random.nextInt(1, 2 * capacity));
                long bytes = expected.stream().mapToLong(run -> run.length).sum();
                assertThat(ring.sizeBytes()).isEqualTo(bytes);
            }
        }
        assertThat(fulls).as("the bound was met").isPositive();
    }

    /** Compares when it is told that there is no more, so that bytes that were given back too early are seen. */
    private record Comparing(ArrayDeque<byte[]> expected, List<Object[]> taken) implements RunSink<byte[]> {
        Comparing(ArrayDeque<byte[]> expected) {
            this(expected, new ArrayList<>());
        }

        @Override
        public void take(byte[] run, byte[] bytes, int from, int sizeBytes, int events) {
            taken.add(new Object[] {run, bytes, from, sizeBytes});
        }

        @Override
        public void end() {
            for (Object[] each : taken) {
                byte[] run = expected.remove();
                int from = (int) each[2];
                assertThat(each[0]).isSameAs(run);
                assertThat((int) each[3]).isEqualTo(run.length);
                assertThat(Arrays.copyOfRange((byte[]) each[1], from, from + run.length))
                        .isEqualTo(run);
            }
        }
    }
}
