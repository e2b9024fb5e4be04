package io.microbatch.connect.poll;

import io.microbatch.connect.control.Decision;
import java.util.List;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Records that are returned together.
 *
 * @param records in order; never empty
 * @param events how many events they are
 * @param sizeBytes their estimated size
 * @param reason why the batch ended
 * @param decision what was in force when it ended
 * @param returnedNanos when it was put together, on the task's clock
 */
public record Batch(
        List<SourceRecord> records,
        int events,
        long sizeBytes,
        FlushReason reason,
        Decision decision,
        long returnedNanos) {}
