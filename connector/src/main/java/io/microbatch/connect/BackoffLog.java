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

    /** The next transaction has committed. */
    void committed(long delayNanos, int events, long sizeBytes) {
        if (detector != null) {
            detector.committed(delayNanos, events, sizeBytes).ifPresent(finding -> log.info(finding.text()));
        }
        if (!said && offsetDelay != null && offsetDelay.keptNanos() > 0) {
            said = true;
            log.info(
                    "The source offsets of a batch are sent {} ms after its records, with which commits are faster. "
                            + "Probably other brokers lead the partition of the offsets than that of the records, and "
                            + "one of them would wait for Kafka's default add.partitions.to.txn.retry.backoff.ms=20. "
                            + "It is a setting: 1 in the properties of every broker removes the wait. docs/tuning.md "
                            + "says what it costs",
                    offsetDelay.keptNanos() / 1_000_000);
        }
    }
}
