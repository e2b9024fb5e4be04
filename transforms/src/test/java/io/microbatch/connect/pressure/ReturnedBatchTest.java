package io.microbatch.connect.pressure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A batch of six records, of which the third arrived first. */
class ReturnedBatchTest {

    private final ReturnedBatch batch = new ReturnedBatch(0, PressureLevel.L1_REALTIME, 0);

    @BeforeEach
    void complete() {
        batch.complete(6, 2, 0, 0);
    }

    private void drop(int... positions) {
        for (int position : positions) {
            batch.dropped(position);
        }
    }

    @Test
    void theOldestIsOneThatWasNotDropped() {
        drop(0);
        assertThat(batch.oldestPosition()).isEqualTo(2);
        drop(2, 3);
        assertThat(batch.oldestPosition()).isEqualTo(4);
    }

    @Test
    void theLastIsOneThatWasNotDropped() {
        drop(0, 1, 3);
        assertThat(batch.lastPosition()).isEqualTo(5);
        drop(4, 5);
        assertThat(batch.lastPosition()).isEqualTo(2);
        assertThat(batch.oldestPosition()).isEqualTo(2);
    }

    @Test
    void aBatchOfWhichEverythingWasDroppedHasNoLast() {
        drop(0, 1, 2, 3, 4, 5);
        assertThat(batch.lastPosition()).isEqualTo(-1);
        assertThat(batch.sizeRecords()).isEqualTo(6);
    }
}
