package io.microbatch.connect.upstream.outbox;

import io.microbatch.connect.metrics.UpstreamMetric;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;

/** What a reader has counted and measured. Written by its thread; read by any. */
final class OutboxFigures {

    private static final double NANOS_PER_MS = 1e6;
    private static final double NANOS_PER_S = 1e9;

    private final AtomicLong deleted = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong unflushedNanos = new AtomicLong();
    private final AtomicLong reconnected = new AtomicLong();
    private volatile int undeletedRows;
    private volatile boolean connected;
    private volatile double pollMs = Double.NaN;
    private volatile double deleteMs = Double.NaN;
    private volatile double oldestTransactionS = Double.NaN;
    private volatile double lagMs = Double.NaN;

    void undeleted(int rows) {
        undeletedRows = rows;
    }

    /** A statement has deleted rows, and this many still wait. */
    void deleted(int rows, long tookNanos, int waitingRows) {
        deleted.addAndGet(rows);
        deleteMs = tookNanos / NANOS_PER_MS;
        undeletedRows = waitingRows;
    }

    /** Rows were deleted that had waited for a lock. */
    void deletedLater(int rows) {
        deleted.addAndGet(rows);
    }

    void dropped() {
        dropped.incrementAndGet();
    }

    void polled(long tookNanos) {
        pollMs = tookNanos / NANOS_PER_MS;
    }

    void unflushed(long waitedNanos) {
        unflushedNanos.addAndGet(waitedNanos);
    }

    void oldestTransaction(long ageNanos) {
        oldestTransactionS = ageNanos / NANOS_PER_S;
    }

    void reconnected() {
        reconnected.incrementAndGet();
    }

    void connected(boolean isConnected) {
        connected = isConnected;
    }

    boolean isConnected() {
        return connected;
    }

    void lag(long ms) {
        lagMs = ms;
    }

    double lagMs() {
        return lagMs;
    }

    List<UpstreamMetric.Figure> all() {
        return List.of(
                figure(OutboxMetric.UNDELETED_ROWS, () -> undeletedRows),
                figure(OutboxMetric.DELETED_TOTAL, deleted::doubleValue),
                figure(OutboxMetric.DROPPED_TOTAL, dropped::doubleValue),
                figure(OutboxMetric.POLL_MS, () -> pollMs),
                figure(OutboxMetric.DELETE_MS, () -> deleteMs),
                figure(OutboxMetric.UNFLUSHED_MS_TOTAL, () -> TimeUnit.NANOSECONDS.toMillis(unflushedNanos.get())),
                figure(OutboxMetric.OLDEST_TRANSACTION_S, () -> oldestTransactionS),
                figure(OutboxMetric.RECONNECT_TOTAL, reconnected::doubleValue));
    }

    private static UpstreamMetric.Figure figure(OutboxMetric metric, DoubleSupplier value) {
        return new UpstreamMetric.Figure(metric, "", value);
    }
}
