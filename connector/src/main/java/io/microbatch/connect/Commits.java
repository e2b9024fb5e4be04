package io.microbatch.connect;

import io.microbatch.connect.ack.DiscardedRecords;
import io.microbatch.connect.control.RetryBackoffDetector;
import io.microbatch.connect.poll.CommitClock;
import java.util.Optional;

/**
 * What has to do with Connect's commits.
 *
 * @param clock limits a poll while a transaction is open
 * @param delayNanos how long the transaction of a batch stays open after its last record; 0 where a batch is none
 * @param backoffDetector empty where a batch is not a transaction, because delays then are not those of commits
 * @param discarded empty unless the worker lets the connector end transactions
 */
record Commits(
        CommitClock clock,
        long delayNanos,
        Optional<RetryBackoffDetector> backoffDetector,
        Optional<DiscardedRecords> discarded) {}
