package io.microbatch.connect.console;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A figure of a task, with the MBean and the attribute that it is read from. Its name in the console's JSON is the
 * constant's, in lower case and with hyphens. Times are in milliseconds unless the name says otherwise, sizes in bytes,
 * rates per second. Averages of Connect and of the producer are those of the last 30 to 60 s. Constant; any thread.
 */
enum Figure {
    RATE(Bean.SOURCE, "source-record-poll-rate"),
    WRITE_RATE(Bean.SOURCE, "source-record-write-rate"),
    RECORDS_TOTAL(Bean.SOURCE, "source-record-poll-total"),
    POLL_AVG_MS(Bean.SOURCE, "poll-batch-avg-time-ms"),
    POLL_MAX_MS(Bean.SOURCE, "poll-batch-max-time-ms"),
    UNFINISHED_RECORDS(Bean.SOURCE, "source-record-active-count"),
    TRANSACTION_RECORDS_AVG(Bean.SOURCE, "transaction-size-avg"),
    TRANSACTION_RECORDS_MAX(Bean.SOURCE, "transaction-size-max"),

    BATCH_RECORDS_AVG(Bean.TASK, "batch-size-avg"),
    BATCH_RECORDS_MAX(Bean.TASK, "batch-size-max"),
    COMMIT_AVG_MS(Bean.TASK, "offset-commit-avg-time-ms"),
    COMMIT_MAX_MS(Bean.TASK, "offset-commit-max-time-ms"),
    COMMIT_FAILURE_RATIO(Bean.TASK, "offset-commit-failure-percentage"),
    RUNNING_RATIO(Bean.TASK, "running-ratio"),

    FAILURES_TOTAL(Bean.ERRORS, "total-record-failures"),
    ERRORS_TOTAL(Bean.ERRORS, "total-record-errors"),
    SKIPPED_RECORDS_TOTAL(Bean.ERRORS, "total-records-skipped"),
    RETRIES_TOTAL(Bean.ERRORS, "total-retries"),

    PRODUCER_QUEUE_AVG_MS(Bean.PRODUCER, "record-queue-time-avg"),
    PRODUCER_QUEUE_MAX_MS(Bean.PRODUCER, "record-queue-time-max"),
    PRODUCER_BATCH_BYTES_AVG(Bean.PRODUCER, "batch-size-avg"),
    PRODUCER_REQUEST_RATE(Bean.PRODUCER, "request-rate"),
    PRODUCER_REQUEST_AVG_MS(Bean.PRODUCER, "request-latency-avg"),
    PRODUCER_RECORDS_PER_REQUEST(Bean.PRODUCER, "records-per-request-avg"),
    PRODUCER_RECORD_BYTES_AVG(Bean.PRODUCER, "record-size-avg"),
    PRODUCER_COMPRESSION_RATIO(Bean.PRODUCER, "compression-rate-avg"),
    PRODUCER_RETRY_RATE(Bean.PRODUCER, "record-retry-rate"),
    PRODUCER_ERROR_RATE(Bean.PRODUCER, "record-error-rate"),
    PRODUCER_BUFFER_WAIT_RATIO(Bean.PRODUCER, "bufferpool-wait-ratio"),
    PRODUCER_BUFFER_FREE_BYTES(Bean.PRODUCER, "buffer-available-bytes"),
    PRODUCER_THROTTLE_AVG_MS(Bean.PRODUCER, "produce-throttle-time-avg"),
    /** How many brokers the producer has sent requests to: an attribute of each of them, counted. */
    PRODUCER_BROKERS(Bean.PRODUCER_NODES, "request-total"),

    PRESSURE_LEVEL(Bean.MICROBATCH, "pressure-level"),
    ARRIVAL_RATE(Bean.MICROBATCH, "arrival-rate"),
    BATCH_TARGET_EVENTS(Bean.MICROBATCH, "batch-target-events"),
    LINGER_MS(Bean.MICROBATCH, "linger-ms"),
    BUDGET_MS(Bean.MICROBATCH, "budget-ms"),
    BUDGET_ATTAINABLE(Bean.MICROBATCH, "budget-attainable"),
    LATENCY_TARGET_MS(Bean.MICROBATCH, "latency-target-ms"),
    ACK_LATENCY_P50_MS(Bean.MICROBATCH, "ack-latency-p50-ms"),
    ACK_LATENCY_P99_MS(Bean.MICROBATCH, "ack-latency-p99-ms"),
    ACK_LATENCY_MAX_MS(Bean.MICROBATCH, "ack-latency-max-ms"),
    ACK_LATENCY_MINUTE_P50_MS(Bean.MICROBATCH, "ack-latency-minute-p50-ms"),
    ACK_LATENCY_MINUTE_P99_MS(Bean.MICROBATCH, "ack-latency-minute-p99-ms"),
    ACK_LATENCY_MINUTE_MAX_MS(Bean.MICROBATCH, "ack-latency-minute-max-ms"),
    BATCH_TOTAL(Bean.MICROBATCH, "batch-total"),
    EVENT_TOTAL(Bean.MICROBATCH, "event-total"),
    ACKNOWLEDGED_TOTAL(Bean.MICROBATCH, "acknowledged-total"),
    BATCH_EVENTS_AVG(Bean.MICROBATCH, "batch-events-avg"),
    BATCH_BYTES_AVG(Bean.MICROBATCH, "batch-bytes-avg"),
    SEND_AND_COMMIT_MS(Bean.MICROBATCH, "commit-time-ms"),
    SEND_AND_COMMIT_MINUTE_P50_MS(Bean.MICROBATCH, "commit-time-minute-p50-ms"),
    SEND_AND_COMMIT_MINUTE_P99_MS(Bean.MICROBATCH, "commit-time-minute-p99-ms"),
    OFFSET_DELAY_MS(Bean.MICROBATCH, "offset-delay-ms"),
    BUSY_RATIO(Bean.MICROBATCH, "busy-ratio"),
    CAPACITY(Bean.MICROBATCH, "capacity"),
    SKIPPED_TOTAL(Bean.MICROBATCH, "skipped-total"),
    DEAD_LETTER_TOTAL(Bean.MICROBATCH, "dead-letter-total"),
    FILTERED_KEPT_BYTES(Bean.MICROBATCH, "filtered-kept-bytes"),
    BUFFER_EVENTS(Bean.MICROBATCH, "buffer-events"),
    BUFFER_BYTES(Bean.MICROBATCH, "buffer-bytes"),
    LEDGER_DEPTH(Bean.MICROBATCH, "ledger-depth"),
    UPSTREAM_LAG_MS(Bean.MICROBATCH, "upstream-lag-ms"),
    UPSTREAM_SILENT_MS(Bean.MICROBATCH, "upstream-silent-ms"),
    UPSTREAM_HEARTBEAT_MS(Bean.MICROBATCH, "upstream-heartbeat-ms"),
    UPSTREAM_CONNECTED(Bean.MICROBATCH, "upstream-connected"),
    CALIBRATION_AGE_S(Bean.MICROBATCH, "calibration-age-s"),
    EXPLORATION_TOTAL(Bean.MICROBATCH, "exploration-total"),
    REGRESSION_TOTAL(Bean.MICROBATCH, "regression-total"),
    CONNECTOR_TASKS(Bean.MICROBATCH, "connector-tasks"),

    HTTP_READY(Bean.MICROBATCH, "http-ready"),
    HTTP_ANSWER_P50_MS(Bean.MICROBATCH, "http-answer-p50-ms"),
    HTTP_ANSWER_P99_MS(Bean.MICROBATCH, "http-answer-p99-ms"),
    HTTP_INFLIGHT_REQUESTS(Bean.MICROBATCH, "http-inflight-requests"),
    HTTP_INFLIGHT_BYTES(Bean.MICROBATCH, "http-inflight-bytes"),
    HTTP_CONNECTIONS(Bean.MICROBATCH, "http-connections"),
    HTTP_UNKNOWN_TOTAL(Bean.MICROBATCH, "http-unknown-total"),
    HTTP_REPLAYED_TOTAL(Bean.MICROBATCH, "http-replayed-total"),
    HTTP_REFUSED_TOTAL(Bean.REFUSALS, "http-refused-total"),
    HTTP_CLOSED_TOTAL(Bean.REFUSALS, "http-closed-total"),

    OUTBOX_POLL_MS(Bean.MICROBATCH, "outbox-poll-ms"),
    OUTBOX_DELETE_MS(Bean.MICROBATCH, "outbox-delete-ms"),
    OUTBOX_UNDELETED_ROWS(Bean.MICROBATCH, "outbox-undeleted-rows"),
    OUTBOX_OLDEST_TRANSACTION_S(Bean.MICROBATCH, "outbox-oldest-transaction-s"),
    OUTBOX_UNFLUSHED_MS_TOTAL(Bean.MICROBATCH, "outbox-unflushed-ms-total"),
    OUTBOX_RECONNECT_TOTAL(Bean.MICROBATCH, "outbox-reconnect-total"),

    STRIPE_EVENTS(Bean.STRIPES, "stripe-events"),
    STRIPE_REMAINING_EVENTS(Bean.STRIPES, "stripe-remaining-events"),
    STRIPE_FULL_TOTAL(Bean.STRIPES, "stripe-full-total"),
    READER_BLOCKED_MS_TOTAL(Bean.STRIPES, "reader-blocked-ms-total"),

    DEBEZIUM_SNAPSHOT_RUNNING(Bean.DEBEZIUM_SNAPSHOT, "SnapshotRunning"),
    DEBEZIUM_CONNECTED(Bean.DEBEZIUM, "Connected"),
    DEBEZIUM_BEHIND_MS(Bean.DEBEZIUM, "MilliSecondsBehindSource"),
    DEBEZIUM_SINCE_EVENT_MS(Bean.DEBEZIUM, "MilliSecondsSinceLastEvent"),
    DEBEZIUM_QUEUE_CAPACITY(Bean.DEBEZIUM, "QueueTotalCapacity"),
    DEBEZIUM_QUEUE_FREE(Bean.DEBEZIUM, "QueueRemainingCapacity"),
    DEBEZIUM_QUEUE_BYTES(Bean.DEBEZIUM, "CurrentQueueSizeInBytes"),
    DEBEZIUM_EVENTS_TOTAL(Bean.DEBEZIUM, "TotalNumberOfEventsSeen");

    private static final Map<Bean, List<Figure>> OF_BEAN =
            Arrays.stream(values()).collect(Collectors.groupingBy(Figure::bean));

    private final Bean bean;
    private final String attribute;

    Figure(Bean bean, String attribute) {
        this.bean = bean;
        this.attribute = attribute;
    }

    /** The figures of one kind of MBean. */
    static List<Figure> of(Bean bean) {
        return OF_BEAN.get(bean);
    }

    Bean bean() {
        return bean;
    }

    String attribute() {
        return attribute;
    }

    /** The name in JSON, such as {@code poll-avg-ms}. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
