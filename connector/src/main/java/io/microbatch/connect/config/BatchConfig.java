package io.microbatch.connect.config;

import io.microbatch.connect.pressure.LatencyBudgets;
import io.microbatch.connect.pressure.Objective;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.Width;

/** The limits of a batch, as the keys describe them. Immutable; any thread. */
public record BatchConfig(
        Mode mode,
        Objective objective,
        int maxEvents,
        long maxBytes,
        long lingerMs,
        OptionalInt latencyTargetMs,
        long maxFilteredBytes,
        int offsetDelayMs) {

    static final String GROUP = "Batch";

    public static final String LATENCY_TARGET_MS_CONFIG = "latency.target.ms";

    /** The largest budget of a pressure level. */
    private static final int MAX_LATENCY_TARGET_MS = 30_000;

    static final String LATENCY_TARGET_MS_DOC =
            "The longest time that 99 of 100 events may take from their arrival in the task to their durable "
                    + "acknowledgement by Kafka, in milliseconds. With batch.objective=efficiency it is the latency "
                    + "budget at every rate: raise it for fewer transactions, lower it for lower latency. With "
                    + "batch.objective=latency it is the largest budget. Without it, budgets go from "
                    + "30 ms at under 500 events/s to 75 ms at 2,000 events/s and more.";

    public static final String MODE_CONFIG = "batch.mode";

    static final String MODE_DOC =
            "'adaptive' chooses maximum records (N) and linger (T) by the pressure level. 'fixed' uses "
                    + "batch.max.records and batch.linger.ms unchanged at every rate.";

    public static final String OBJECTIVE_CONFIG = "batch.objective";

    static final String OBJECTIVE_DOC =
            "What adaptive mode prefers among the settings that keep the latency budget. 'efficiency' prefers "
                    + "the lowest cost per event for worker and broker. 'latency' prefers the lowest latency, as long "
                    + "as it leaves the task idle for a third of the time. If no setting keeps the budget, both use "
                    + "the setting that comes closest to it. Not used in fixed mode.";

    public static final String MAX_RECORDS_CONFIG = "batch.max.records";

    static final String MAX_RECORDS_DOC =
            "Maximum records (N): in fixed mode the number of events at which a batch is returned "
                    + "immediately, in adaptive mode the upper bound of the controller's choice. In fixed mode a value "
                    + "above what the stripes hold is never reached. Under exactly-once a batch is a transaction. With "
                    + "bulk.enabled the default is 1000000. In adaptive mode two thirds of what the stripes hold is "
                    + "another upper bound: 21845 events for one reader with the default stripe.max.events.";
    static final int MAX_RECORDS_DEFAULT = 50_000;
    private static final int MAX_RECORDS_LIMIT = 1_000_000;

    public static final String MAX_BYTES_CONFIG = "batch.max.bytes";

    static final String MAX_BYTES_DOC =
            "Maximum bytes (B): the estimated size, in bytes before conversion, at which a batch is returned "
                    + "immediately. It bounds the heap that a batch uses. Events that share one source offset stay "
                    + "together, up to what the stripes hold: the rows of Debezium's initial snapshot do.";
    static final long MAX_BYTES_DEFAULT = 16L * 1024 * 1024;

    public static final String LINGER_MS_CONFIG = "batch.linger.ms";

    static final String LINGER_MS_DOC =
            "Linger (T) in fixed mode: the longest deliberate delay of the oldest event of a batch, in "
                    + "milliseconds. With 0 the available events are returned immediately. Not used in adaptive mode.";
    static final long LINGER_MS_DEFAULT = 5;

    public static final String MAX_FILTERED_BYTES_CONFIG = "batch.max.filtered.bytes";

    static final String MAX_FILTERED_BYTES_DOC =
            "An exactly-once worker keeps the events that transforms filter until a transaction with content "
                    + "commits. When the estimated size of the kept events exceeds this number of bytes, the task "
                    + "fails with nothing lost, before the worker's heap is full. Not used in at-least-once mode.";
    static final long MAX_FILTERED_BYTES_DEFAULT = 256L * 1024 * 1024;

    public static final String OFFSET_DELAY_MS_CONFIG = "batch.offset.delay.ms";

    /** For a delay that is learned. */
    public static final int LEARNED = -1;

    static final String OFFSET_DELAY_MS_DOC =
            "How much later than the records of a batch its source offsets are sent, in milliseconds. Connect sends "
                    + "both at once and commits. Where two brokers lead their partitions, the transaction coordinator "
                    + "may then refuse the one that asks second to add its partition, and this broker asks again after "
                    + "its add.partitions.to.txn.retry.backoff.ms, 20 ms by default. -1: with batch.mode=adaptive the "
                    + "task tries delays of up to 28 ms while commits take 20 to 100 ms, and keeps what makes them "
                    + "faster, for batches of at most 1000 events; with fixed there is no delay. Not used for a full "
                    + "batch, in at-least-once mode, or with another transaction.boundary than poll.";
    private static final int MAX_OFFSET_DELAY_MS = 100;

    private static final Pattern WITHIN = Pattern.compile(" within (\\d+) to (\\d+) ms");

    /** Whether N and T follow the pressure. */
    public enum Mode {
        ADAPTIVE,
        FIXED
    }

    /** The latency budgets of the levels. */
    public LatencyBudgets budgets() {
        return LatencyBudgets.of(latencyTargetMs, objective);
    }

    /** Whether the task finds the delay of the offsets by itself. */
    public boolean learnsOffsetDelay() {
        return offsetDelayMs == LEARNED && mode == Mode.ADAPTIVE;
    }

    /**
     * The part of a calibration key that names the latency budgets and the objective. The best linger within one budget
     * may break a lower budget, so that each has its own calibration.
     */
    public String learnedUnder() {
        String within = " within " + budgets().minMs() + " to " + budgets().maxMs() + " ms";
        return objective == Objective.LATENCY ? within + " for latency" : within;
    }

    /** The latency budgets in a calibration's key. Those of a connector without a target if it names none. */
    public static LatencyBudgets budgetsLearnedUnder(String text) {
        Matcher within = WITHIN.matcher(text);
        return within.find()
                ? new LatencyBudgets(Integer.parseInt(within.group(1)), Integer.parseInt(within.group(2)))
                : LatencyBudgets.DEFAULT;
    }

    /** Whether the objective is latency. The configuration need not be validated. */
    public static boolean isForLatency(Map<String, String> config) {
        return Objective.LATENCY
                .name()
                .equalsIgnoreCase(config.getOrDefault(OBJECTIVE_CONFIG, "").trim());
    }

    static void define(ConfigDef def) {
        KeyGroup keys = new KeyGroup(def, GROUP);
        keys.add(Importance.HIGH, LATENCY_TARGET_MS_CONFIG, "Latency target (ms)", LATENCY_TARGET_MS_DOC)
                .takes(Type.INT, null, Width.SHORT, OptionalRange.between(1, MAX_LATENCY_TARGET_MS, "milliseconds"));
        keys.add(Importance.MEDIUM, MODE_CONFIG, "Batch mode", MODE_DOC).takesOneOf("adaptive", "fixed");
        keys.add(Importance.MEDIUM, OBJECTIVE_CONFIG, "Batch objective", OBJECTIVE_DOC)
                .takesOneOf("efficiency", "latency");
        keys.add(Importance.MEDIUM, MAX_RECORDS_CONFIG, "Maximum records of a batch", MAX_RECORDS_DOC)
                .takes(Type.INT, MAX_RECORDS_DEFAULT, Width.SHORT, Range.between(1, MAX_RECORDS_LIMIT));
        keys.add(Importance.LOW, MAX_BYTES_CONFIG, "Maximum bytes of a batch", MAX_BYTES_DOC)
                .takes(Type.LONG, MAX_BYTES_DEFAULT, Width.SHORT, Range.between(1_024, 1L << 30));
        keys.add(Importance.LOW, LINGER_MS_CONFIG, "Linger in fixed mode (ms)", LINGER_MS_DOC)
                .takes(Type.LONG, LINGER_MS_DEFAULT, Width.SHORT, Range.between(0, 30_000));
        keys.add(Importance.LOW, MAX_FILTERED_BYTES_CONFIG, "Maximum bytes of filtered events", MAX_FILTERED_BYTES_DOC)
                .takes(Type.LONG, MAX_FILTERED_BYTES_DEFAULT, Width.SHORT, Range.between(64 * 1024, 1L << 40));
        keys.add(Importance.LOW, OFFSET_DELAY_MS_CONFIG, "Delay of the offsets (ms)", OFFSET_DELAY_MS_DOC)
                .takes(Type.INT, LEARNED, Width.SHORT, Range.between(LEARNED, MAX_OFFSET_DELAY_MS));
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
                config.getLong(MAX_FILTERED_BYTES_CONFIG),
                config.getInt(OFFSET_DELAY_MS_CONFIG));
    }

    /** With bulk records and no explicit limit, only bytes and time end a batch. */
    private static int maxEvents(AbstractConfig config) {
        boolean isDefault = !config.originals().containsKey(MAX_RECORDS_CONFIG);
        return isDefault && config.getBoolean(BulkConfig.ENABLED_CONFIG)
                ? MAX_RECORDS_LIMIT
                : config.getInt(MAX_RECORDS_CONFIG);
    }
}
