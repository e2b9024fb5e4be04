package io.microbatch.connect;

import io.microbatch.connect.control.OffsetDelay;
import io.microbatch.connect.control.RetryBackoffDetector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says in the task's log that its commits wait for a back-off of the brokers, and what ends that. Task thread. */
final class BackoffLog {

    private static final Logger log = LoggerFactory.getLogger(BackoffLog.class);

    /** Null where a batch is not a transaction. */
    private final RetryBackoffDetector detector;

    /** Null where the offsets of a batch always follow its records immediately. */
    private final OffsetDelay offsetDelay;

    private boolean said;

    BackoffLog(Commits commits) {
        this.detector = commits.backoffDetector().orElse(null);
        this.offsetDelay = commits.offsetDelay().orElse(null);
    }

    /**
     * The next transaction has committed.
     *
     * @param pausedNanos the part of the delay in which the task waited before it sent the offsets. A back-off of the
     *     records may hide in it
     */
    void committed(long delayNanos, long pausedNanos, int events, long sizeBytes) {
        if (detector != null && pausedNanos == 0) {
            detector.committed(delayNanos, events, sizeBytes).ifPresent(finding -> log.info(finding.text()));
        }
        if (!said && offsetDelay != null && offsetDelay.isLearned() && offsetDelay.keptNanos() > 0) {
            said = true;
            log.info(
                    "The source offsets of a batch are sent {} ms after its records, because the slower half of the "
                            + "commits is faster so. Probably the partition of the offsets has another leader than "
                            + "that of the records, and one of the two brokers would wait for Kafka's default "
                            + "add.partitions.to.txn.retry.backoff.ms=20. It is a setting: 1 in the properties of "
                            + "every broker removes the wait. docs/tuning.md says what it costs",
                    offsetDelay.keptNanos() / 1_000_000);
        }
    }
}
