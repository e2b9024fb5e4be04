package io.microbatch.connect.stripe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SpscRingStageAllTest {

    private final List<String> drained = new ArrayList<>();
    private long drainedBytes;

    private void drainAll(SpscRing<String> ring) {
        int taken = ring.drain(
                (event, sizeBytes) -> {
                    drained.add(event);
                    drainedBytes += sizeBytes;
                },
                Integer.MAX_VALUE,
                Long.MAX_VALUE,
                (last, next) -> false);
        assertThat(ring.peek()).as("after %s", taken).isNull();
    }

    private static int[] sizes(int count, int each) {
        int[] sizes = new int[count];
        Arrays.fill(sizes, each);
        return sizes;
    }

    @Test
    void stagesABlockThatIsSeenOnlyWhenPublished() {
        SpscRing<String> ring = new SpscRing<>(8, 100);
        assertThat(ring.stageAll(new String[] {"a", "b", "c", "d"}, new int[] {1, 2, 3, 4}, 1, 3))
                .isEqualTo(2);
        assertThat(ring.stagedCount()).isEqualTo(2);
        assertThat(ring.peek()).isNull();
        ring.publish();
        assertThat(ring.sizeBytes()).isEqualTo(5);
        drainAll(ring);
        assertThat(drained).containsExactly("b", "c");
        assertThat(drainedBytes).isEqualTo(5);
    }

    @Test
    void stagesWhatThereIsRoomForAndTheRestAfterADrain() {
        SpscRing<String> ring = new SpscRing<>(4, 100);
        String[] events = {"0", "1", "2", "3", "4", "5"};
        assertThat(ring.stageAll(events, sizes(6, 1), 0, 6)).isEqualTo(4);
        ring.publish();
        assertThat(ring.stageAll(events, sizes(6, 1), 4, 6)).isZero();
        drainAll(ring);
        assertThat(ring.stageAll(events, sizes(6, 1), 4, 6)).isEqualTo(2);
        ring.publish();
        drainAll(ring);
        assertThat(drained).containsExactly(events);
        assertThat(ring.slots).containsOnlyNulls();
    }

    @Test
    void keepsTheBoundInBytesAndLetsAnOversizedEventInAlone() {
        SpscRing<String> ring = new SpscRing<>(8, 10);
        String[] events = {"a", "b", "c", "huge", "d"};
        int[] sizes = {4, 4, 4, 1_000, 1};
        assertThat(ring.stageAll(events, sizes, 0, 5)).isEqualTo(2);
        ring.publish();
        drainAll(ring);
        assertThat(ring.stageAll(events, sizes, 2, 5)).isEqualTo(1);
        ring.publish();
        drainAll(ring);
        assertThat(ring.stageAll(events, sizes, 3, 5)).isEqualTo(1);
        ring.publish();
        assertThat(ring.sizeBytes()).isEqualTo(1_000);
        drainAll(ring);
        assertThat(ring.stageAll(events, sizes, 4, 5)).isEqualTo(1);
    }

    @Test
    void stagesNothingInAClosedRing() {
        SpscRing<String> ring = new SpscRing<>(8, 100);
        ring.close();
        assertThat(ring.stageAll(new String[] {"a"}, sizes(1, 1), 0, 1)).isZero();
        assertThat(ring.stagedCount()).isZero();
    }

    @Test
    void refusesNullsAndNegativeSizesAndStagesNothingOfTheirBlock() {
        SpscRing<String> ring = new SpscRing<>(8, 100);
        assertThatThrownBy(() -> ring.stageAll(new String[] {"a", null}, sizes(2, 1), 0, 2))
                .isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> ring.stageAll(new String[] {"a", "b"}, new int[] {1, -1}, 0, 2))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ring.stageAll(new String[] {"a", "b"}, sizes(1, 1), 0, 2))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(ring.stagedCount()).isZero();
    }

    @Test
    void losesNothingOverManyWrapsOfEveryLength() {
        SpscRing<String> ring = new SpscRing<>(16, 1 << 20, Long.MAX_VALUE - 40);
        String[] events = new String[5_000];
        int[] sizes = new int[events.length];
        Random random = new Random(3);
        long bytes = 0;
        for (int i = 0; i < events.length; i++) {
            events[i] = "e" + i;
            sizes[i] = random.nextInt(50);
            bytes += sizes[i];
        }
        for (int next = 0; next < events.length; ) {
            int to = Math.min(events.length, next + random.nextInt(24));
            next += ring.stageAll(events, sizes, next, to);
            ring.publish();
            if (random.nextInt(3) == 0) {
                drainAll(ring);
            }
        }
        drainAll(ring);
        assertThat(drained).containsExactly(events);
        assertThat(drainedBytes).isEqualTo(bytes);
        assertThat(ring.slots).containsOnlyNulls();
    }
}
