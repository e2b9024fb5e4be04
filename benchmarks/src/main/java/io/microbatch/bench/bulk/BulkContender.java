package io.microbatch.bench.bulk;

import io.microbatch.bench.producer.SendMode;

/** What is compared. */
enum BulkContender {
    /** This connector with bulk records. */
    ADAPTIVE_BULK(null, 16_000_000),
    /** A transactional producer with records of a thousand events. */
    RAW_BULK(SendMode.BULK, 16_000_000),
    /** A transactional producer with records of ten thousand. */
    RAW_MEGA(SendMode.MEGA, 16_000_000),
    /** This connector with a record for each event. */
    ADAPTIVE_RECORDS(null, 4_000_000);

    private final SendMode sendMode;
    private final int quickEvents;

    BulkContender(SendMode sendMode, int quickEvents) {
        this.sendMode = sendMode;
        this.quickEvents = quickEvents;
    }

    /** What the producer does. Null if this goes through a worker. */
    SendMode sendMode() {
        return sendMode;
    }

    /** As many as take seconds. */
    int events(boolean quick) {
        return quick ? quickEvents : 2 * quickEvents;
    }

    boolean isBulk() {
        return this == ADAPTIVE_BULK;
    }
}
