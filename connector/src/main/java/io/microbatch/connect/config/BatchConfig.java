package io.microbatch.connect.config;

import io.microbatch.connect.pressure.Objective;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.Width;

/**
 * When a batch is ready. Immutable; any thread.
 *
 * @param mode whether N and T follow the pressure or stand still
 * @param objective what adaptive mode spends the budget on
 * @param maxEvents N in fixed mode, and the most events of a batch in adaptive mode
 * @param maxBytes B, the estimated bytes that end a batch
 * @param lingerMs T in fixed mode, in milliseconds
 * @param latencyTargetMs the cap on every level's latency budget, in milliseconds; empty for none
 * @param maxFilteredBytes the estimated bytes of filtered events that a worker may keep for want of a commit
 */
public record BatchConfig(
        Mode mode,
        Objective objective,
        int maxEvents,
        long maxBytes,
        long lingerMs,
        OptionalInt latencyTargetMs,
        long maxFilteredBytes) {

    static final String GROUP = "Batch";

    /** The key of the latency target. */
    public static final String LATENCY_TARGET_MS_CONFIG = "latency.target.ms";

    static final String LATENCY_TARGET_MS_DOC =
            "The longest that an event may take from its arrival in the task to its durable acknowledgement "
                    + "by Kafka, 99 times in 100, in milliseconds. It caps the latency budget of every pressure "
                    + "level; without it, budgets go from 1 ms at under 10 events/s to 30 s at over 5,000,000 "
                    + "events/s. Lower it when answers must come sooner, raise it or leave it out when throughput "
                    + "matters more.";

    /** The key of the batch mode. */
    public static final String MODE_CONFIG = "batch.mode";

    static final String MODE_DOC =
            "'adaptive' chooses the batch target and the linger by the pressure level; 'fixed' uses batch.max.records "
                    + "and batch.linger.ms as they stand, at every rate.";

    /** The key of the objective. */
    public static final String OBJECTIVE_CONFIG = "batch.objective";

    static final String OBJECTIVE_DOC =
            "What adaptive mode learns to prefer among the settings that keep the latency budget: 'efficiency' the one "
                    + "that costs the worker and the broker least for each event, 'latency' the shortest linger that "
                    + "leaves three quarters of the task idle. Where no setting keeps the budget, both take the one "
                    + "that comes nearest. Not used in fixed mode.";

    /** The key of N. */
    public static final String MAX_RECORDS_CONFIG = "batch.max.records";

    static final String MAX_RECORDS_DOC =
            "In fixed mode the number of events that ends a batch at once; in adaptive mode the most that "
                    + "the controller may ask for. In fixed mode, one that is more than the stripes hold is never "
                    + "reached. Under exactly-once a batch is a transaction. With bulk.enabled it is 1000000 unless "
                    + "it is set, so that batch.max.bytes decides.";
    static final int MAX_RECORDS_DEFAULT = 50_000;
    private static final int MAX_RECORDS_LIMIT = 1_000_000;

    /** The key of B. */
    public static final String MAX_BYTES_CONFIG = "batch.max.bytes";

    static final String MAX_BYTES_DOC =
            "The estimated size, in bytes before conversion, that ends a batch at once. Bounds the heap that a batch "
                    + "holds.";
    static final long MAX_BYTES_DEFAULT = 16L * 1024 * 1024;

    /** The key of T. */
    public static final String LINGER_MS_CONFIG = "batch.linger.ms";

    static final String LINGER_MS_DOC =
            "In fixed mode the longest that the oldest event of a batch is held back, in milliseconds; 0 returns what "
                    + "is there. Not used in adaptive mode.";
    static final long LINGER_MS_DEFAULT = 5;

    /** The key of the bound on filtered events. */
    public static final String MAX_FILTERED_BYTES_CONFIG = "batch.max.filtered.bytes";

    static final String MAX_FILTERED_BYTES_DOC =
            "An exactly-once worker keeps events that transforms filter until a transaction with content "
                    + "commits. When so many estimated bytes of them have come together and none has, the task fails "
                    + "with nothing lost, before the worker's heap is full. Not used in at-least-once mode.";
    static final long MAX_FILTERED_BYTES_DEFAULT = 256L * 1024 * 1024;

    /** Whether N and T follow the pressure. */
    public enum Mode {
        /** N and T are chosen by the pressure level. */
        ADAPTIVE,
        /** N and T stand as configured. */
        FIXED
    }

    /**
     * What a learned setting depends on, for a calibration key; empty for the defaults. A linger that was the best
     * within a budget may break a lower one, and what is beyond the budget stands until something nearer is found.
     */
    public String learnedUnder() {
        String cap = latencyTargetMs.isPresent() ? " within " + latencyTargetMs.getAsInt() + " ms" : "";
        return objective == Objective.LATENCY ? cap + " for latency" : cap;
    }

    /** Whether the objective of a configuration that has not been validated is latency. */
    public static boolean isForLatency(Map<String, String> config) {
        return Objective.LATENCY.name().equalsIgnoreCase(config.get(OBJECTIVE_CONFIG));
    }

    static void define(ConfigDef def) {
        KeyGroup keys = new KeyGroup(def, GROUP);
        keys.add(Importance.HIGH, LATENCY_TARGET_MS_CONFIG, "Latency target (ms)", LATENCY_TARGET_MS_DOC)
                .takes(Type.INT, null, Width.SHORT, OptionalRange.atLeast(1, "milliseconds"));
        keys.add(Importance.MEDIUM, MODE_CONFIG, "Batch mode", MODE_DOC).takesOneOf("adaptive", "fixed");
        keys.add(Importance.MEDIUM, OBJECTIVE_CONFIG, "Batch objective", OBJECTIVE_DOC)
                .takesOneOf("efficiency", "latency");
        keys.add(Importance.MEDIUM, MAX_RECORDS_CONFIG, "Most events of a batch", MAX_RECORDS_DOC)
                .takes(Type.INT, MAX_RECORDS_DEFAULT, Width.SHORT, Range.between(1, MAX_RECORDS_LIMIT));
        keys.add(Importance.LOW, MAX_BYTES_CONFIG, "Most bytes of a batch", MAX_BYTES_DOC)
                .takes(Type.LONG, MAX_BYTES_DEFAULT, Width.SHORT, Range.between(1_024, 1L << 30));
        keys.add(Importance.LOW, LINGER_MS_CONFIG, "Linger in fixed mode (ms)", LINGER_MS_DOC)
                .takes(Type.LONG, LINGER_MS_DEFAULT, Width.SHORT, Range.between(0, 30_000));
        keys.add(Importance.LOW, MAX_FILTERED_BYTES_CONFIG, "Most bytes of filtered events", MAX_FILTERED_BYTES_DOC)
                .takes(Type.LONG, MAX_FILTERED_BYTES_DEFAULT, Width.SHORT, Range.between(64 * 1024, 1L << 40));
    }

    static BatchConfig from(AbstractConfig config) {
        Integer target = config.getInt(LATENCY_TARGET_MS_CONFIG);
        return new BatchConfig(
                Mode.valueOf(config.getString(MODE_CONFIG).toUpperCase(Locale.ROOT)),
                Objective.valueOf(config.getString(OBJECTIVE_CONFIG).toUpperCase(Locale.ROOT)),
                maxEvents(config),
                config.getLong(MAX_BYTES_CONFIG),
                config.getLong(LINGER_MS_CONFIG),
                target == null ? OptionalInt.empty() : OptionalInt.of(target),
                config.getLong(MAX_FILTERED_BYTES_CONFIG));
    }

    /** Where events are packed and nothing is said, only bytes and time end a batch. */
    private static int maxEvents(AbstractConfig config) {
        boolean unsaid = !config.originals().containsKey(MAX_RECORDS_CONFIG);
        return unsaid && config.getBoolean(BulkConfig.ENABLED_CONFIG)
                ? MAX_RECORDS_LIMIT
                : config.getInt(MAX_RECORDS_CONFIG);
    }
}
