package io.microbatch.bench.producer;

import java.util.Locale;

/** How a producer is used. */
public enum SendMode {
    /** One send, one acknowledgement. A transaction for each event. */
    NAIVE(1, 1, 1),
    /** Send ten, flush once, read every future. A transaction for each ten. */
    FIRE_FLUSH_AWAIT_10(1, 10, 10),
    /** The same with fifty. */
    FIRE_FLUSH_AWAIT_50(1, 50, 50),
    /** The same with a hundred. */
    FIRE_FLUSH_AWAIT_100(1, 100, 100),
    /** Records of a thousand events, without waiting. A transaction for each hundred. */
    BULK(1_000, 0, 100),
    /** Records of ten thousand events, without waiting. A transaction for each ten. */
    MEGA(10_000, 0, 10);

    private final int eventsPerRecord;
    private final int recordsPerAwait;
    private final int recordsPerTransaction;

    SendMode(int eventsPerRecord, int recordsPerAwait, int recordsPerTransaction) {
        this.eventsPerRecord = eventsPerRecord;
        this.recordsPerAwait = recordsPerAwait;
        this.recordsPerTransaction = recordsPerTransaction;
    }

    /** How many events share a record. */
    public int eventsPerRecord() {
        return eventsPerRecord;
    }

    /** After how many records their futures are read. 0 for never. */
    int recordsPerAwait() {
        return recordsPerAwait;
    }

    int recordsPerTransaction() {
        return recordsPerTransaction;
    }

    /** As options and results spell it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
