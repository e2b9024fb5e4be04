package io.microbatch.connect;

import io.microbatch.connect.ack.DiscardedRecords;
import io.microbatch.connect.control.OffsetDelay;
import io.microbatch.connect.control.RetryBackoffDetector;
import io.microbatch.connect.poll.CommitClock;
import java.util.Optional;

/**
 * What has to do with Connect's commits.
 *
 * @param clock limits a poll while a transaction is open
 * @param backoffDetector empty where a batch is not a transaction, because delays then are not those of commits
 * @param offsetDelay empty where a batch is not a transaction, and where the operator wants none
 * @param discarded empty unless the worker lets the connector end transactions
 */
record Commits(
        CommitClock clock,
        Optional<RetryBackoffDetector> backoffDetector,
        Optional<OffsetDelay> offsetDelay,
        Optional<DiscardedRecords> discarded) {}
