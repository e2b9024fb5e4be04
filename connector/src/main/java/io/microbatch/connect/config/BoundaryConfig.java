package io.microbatch.connect.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Where Connect ends the transactions of a connector, as the worker's own keys say. It matters on a worker with
 * exactly-once support only. The worker validates the keys. Immutable; any thread.
 *
 * @param kind who ends a transaction
 * @param intervalMs the interval of {@link Kind#INTERVAL} in milliseconds; empty if the worker's setting applies, which
 *     a connector cannot see
 */
public record BoundaryConfig(Kind kind, OptionalLong intervalMs) {

    /** Connect's default: a batch is a transaction. */
    public static final BoundaryConfig DEFAULT = new BoundaryConfig(Kind.POLL, OptionalLong.empty());

    private static final String KIND_CONFIG = "transaction.boundary";
    private static final String INTERVAL_MS_CONFIG = "transaction.boundary.interval.ms";
    private static final String TIMEOUT_MS_CONFIG = WorkerKeys.PRODUCER_PREFIX + "transaction.timeout.ms";

    /** The defaults of the worker's offset.flush.interval.ms and of the producer's transaction.timeout.ms. */
    private static final long WORKER_INTERVAL_MS = 60_000;

    private static final long TIMEOUT_MS = 60_000;

    /** The words of {@code transaction.boundary}. */
    public enum Kind {
        /** Each batch is a transaction. */
        POLL,
        /** Connect's clock ends a transaction, at the next return of a poll. */
        INTERVAL,
        /** The hosted connector ends its transactions. */
        CONNECTOR
    }

    /** Reads the configuration of a connector or of a task, which has these keys too. Wrong values are the default. */
    public static BoundaryConfig from(Map<String, String> properties) {
        String word = properties.getOrDefault(KIND_CONFIG, "").trim().toUpperCase(Locale.ROOT);
        if (word.equals(Kind.CONNECTOR.name())) {
            return new BoundaryConfig(Kind.CONNECTOR, OptionalLong.empty());
        }
        return word.equals(Kind.INTERVAL.name())
                ? new BoundaryConfig(Kind.INTERVAL, WorkerKeys.number(properties, INTERVAL_MS_CONFIG))
                : DEFAULT;
    }

    /**
     * The part of a calibration key that names who ends transactions, empty where a batch is one. What was learned
     * while Connect's clock or the hosted connector ended them is wrong there.
     */
    public String learnedUnder() {
        return switch (kind) {
            case POLL -> "";
            case INTERVAL -> " by interval" + (intervalMs.isPresent() ? " of " + intervalMs.getAsLong() + " ms" : "");
            case CONNECTOR -> " by connector";
        };
    }

    /**
     * Warnings for the log, with numbers, keys and the remedy. The worker accepts what they are about. Empty unless an
     * interval ends transactions.
     */
    public static List<String> warnings(Map<String, String> properties) {
        BoundaryConfig boundary = from(properties);
        List<String> warnings = new ArrayList<>();
        if (boundary.kind == Kind.INTERVAL) {
            warnings.add(boundary.overrides(properties));
            boundary.checkTimeout(properties, warnings);
        }
        return warnings;
    }

    private String overrides(Map<String, String> properties) {
        String every = intervalMs.isPresent()
                ? "every " + intervalMs.getAsLong() + " ms (" + INTERVAL_MS_CONFIG + ")"
                : "as often as the worker's offset.flush.interval.ms says, by default every " + WORKER_INTERVAL_MS
                        + " ms, because " + INTERVAL_MS_CONFIG + " is not set";
        OptionalLong targetMs = WorkerKeys.number(properties, BatchConfig.LATENCY_TARGET_MS_CONFIG);
        String target = targetMs.isPresent()
                ? BatchConfig.LATENCY_TARGET_MS_CONFIG + "=" + targetMs.getAsLong()
                : "the latency budgets";
        return KIND_CONFIG + "=interval overrides " + target + " on a worker with exactly-once support: Connect ends "
                + "transactions by its own clock, " + every + ", and an event waits for that. The batches of this "
                + "connector no longer decide when an event is committed: remove " + KIND_CONFIG
                + ", so that each batch is a transaction and its size and delay keep the budget";
    }

    private void checkTimeout(Map<String, String> properties, List<String> warnings) {
        long lengthMs = intervalMs.orElse(WORKER_INTERVAL_MS);
        long timeoutMs = WorkerKeys.number(properties, TIMEOUT_MS_CONFIG).orElse(TIMEOUT_MS);
        if (2 * lengthMs > timeoutMs) {
            warnings.add("A transaction that Connect ends after " + lengthMs + " ms takes more than half of the "
                    + "producer's transaction.timeout.ms, " + timeoutMs + " ms unless the worker sets another one. "
                    + "The broker aborts a transaction that takes longer than this timeout, and the task fails: set "
                    + INTERVAL_MS_CONFIG + " to at most half of it, or raise " + TIMEOUT_MS_CONFIG);
        }
    }
}
