package io.microbatch.connect.upstream.outbox;

import io.microbatch.connect.metrics.UpstreamMetric;

/** The metrics of the outbox upstream. Constant; any thread. */
public enum OutboxMetric implements UpstreamMetric {
    /** Rows that wait for their deletion. */
    UNDELETED_ROWS(
            "outbox-undeleted-rows",
            "rows",
            "Rows that Connect is done with and that are not deleted yet. At 100,000 the reading waits."),
    /** Deleted rows. */
    DELETED_TOTAL("outbox-deleted-total", "rows", "Rows that were deleted after their delivery."),
    /** Rows that no reader of Kafka gets. */
    DROPPED_TOTAL("outbox-dropped-total", "rows", "Rows that a transform has dropped. They are deleted, too."),
    /** The time of a read. */
    POLL_MS("outbox-poll-ms", "ms", "The time of the last statement that read rows."),
    /** The time of a delete. */
    DELETE_MS("outbox-delete-ms", "ms", "The time of the last statement that deleted rows."),
    /** Waits for the database's disk. */
    UNFLUSHED_MS_TOTAL(
            "outbox-unflushed-ms-total", "ms", "The time for which rows waited until the database's log was on disk."),
    /** The writer that has been open for the longest time. */
    OLDEST_TRANSACTION_S(
            "outbox-oldest-transaction-s",
            "s",
            "How long the oldest transaction of the server that has written something has been seen running. It delays "
                    + "only its own rows, but vacuum leaves deleted rows in the table for as long, which makes reading "
                    + "slower. A transaction that only reads holds vacuum back, too, and is not seen here."),
    /** Reconnections. */
    RECONNECT_TOTAL("outbox-reconnect-total", "connections", "Connections that replaced a lost one.");

    private final String label;
    private final String unit;
    private final String description;

    OutboxMetric(String label, String unit, String description) {
        this.label = label;
        this.unit = unit;
        this.description = description;
    }

    @Override
    public String label() {
        return label;
    }

    @Override
    public String unit() {
        return unit;
    }

    @Override
    public String tag() {
        return "";
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public double joined(double one, double other) {
        boolean isCount = this == UNDELETED_ROWS || label.endsWith("-total");
        return isCount ? one + other : Math.max(one, other);
    }
}
