package io.microbatch.bench.fleet;

import java.util.Locale;

/** What is measured of a fleet. Less is better in all of them. */
enum FleetFigure {
    /** CPU of the worker, in processors. */
    CPU_WORKER_CORES("%.3f"),
    /** CPU of the broker, in processors. */
    CPU_BROKER_CORES("%.3f"),
    /** Both. */
    CPU_CORES("%.3f"),
    /** Both, in seconds per million events. */
    CPU_S_PER_MILLION("%,.0f"),
    /** Transactions of all connectors per second. */
    TRANSACTIONS_PER_S("%.1f"),
    /** End to end, over all connectors. */
    P50_MS("%.1f"),
    /** End to end, over all connectors. */
    P95_MS("%.1f"),
    /** End to end, over all connectors. */
    P99_MS("%.1f"),
    /** The highest p99 of a connector. */
    WORST_P99_MS("%.1f"),
    /** Java threads of the worker for each task. */
    THREADS_PER_TASK("%.2f"),
    /** Live bytes in the worker's heap for each task before the first event, in KiB. */
    IDLE_HEAP_KB_PER_TASK("%.0f"),
    /** The same after the last event. */
    HEAP_KB_PER_TASK("%.0f"),
    /** CPU of the worker for each task before the first event, in milliseconds per second. */
    IDLE_CPU_MS_PER_S("%.2f"),
    /** From the creation of the first connector until all of them run, in seconds. */
    START_S("%.1f");

    private final String format;

    FleetFigure(String format) {
        this.format = format;
    }

    String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    String text(double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
