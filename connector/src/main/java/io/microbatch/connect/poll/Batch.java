package io.microbatch.connect.poll;

import io.microbatch.connect.control.Decision;
import java.util.List;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * The records that one poll returns.
 *
 * @param records in order, never empty
 * @param events the number of their events
 * @param sizeBytes their estimated size
 * @param heldBytes the estimated size of what they keep on the heap, which of bulk records is more
 * @param reason why the batch ended
 * @param decision the decision in force when it ended
 * @param returnedNanos the time at which it was assembled, on the task's clock
 * @param offsetDelayNanos the delay of the offsets that is kept, whether or not this batch has one
 * @param triesOffsetDelay whether another delay was tried with this batch, or none is decided yet
 */
public record Batch(
        List<SourceRecord> records,
        int events,
        long sizeBytes,
        long heldBytes,
        FlushReason reason,
        Decision decision,
        long returnedNanos,
        long offsetDelayNanos,
        boolean triesOffsetDelay) {}
