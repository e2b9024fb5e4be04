package io.microbatch.bench.cdc;

import io.microbatch.bench.load.Settings;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What carries the rows in {@code bench cdc}. */
enum CdcContender {
    /** Debezium's own connector with its defaults. */
    PLAIN(true, Map.of()),
    /** The same, tuned by hand for speed: it looks for events often and takes many at once. */
    TUNED(true, DebeziumTuning.TUNED),
    /** Long queues with Connect's transactions by the clock, every 20 ms. */
    TUNED_I20(true, DebeziumTuning.interval(20, DebeziumTuning.TUNED)),
    /** Every 50 ms, and with a producer's linger as long. */
    TUNED_I50_L50(true, DebeziumTuning.intervalAndLinger(50, DebeziumTuning.TUNED)),
    /** Short queues, which keep few change events in memory. */
    SMALL(true, DebeziumTuning.SMALL),
    /** The same with Connect's transactions by the clock, every 20 ms. */
    SMALL_I20(true, DebeziumTuning.interval(20, DebeziumTuning.queue(512, 256, 5))),
    /** The same every 50 ms. */
    SMALL_I50(true, DebeziumTuning.interval(50, DebeziumTuning.SMALL)),
    /** The same with a producer's linger as long. */
    SMALL_I50_L50(true, DebeziumTuning.intervalAndLinger(50, DebeziumTuning.SMALL)),
    /** Queues between the short ones and Debezium's defaults. */
    MID(true, DebeziumTuning.MID),
    /** The same with Connect's transactions by the clock, every 20 ms. */
    MID_I20(true, DebeziumTuning.interval(20, DebeziumTuning.queue(2_048, 1_024, 5))),
    /** The same with a producer's linger as long. */
    MID_I20_L20(true, DebeziumTuning.intervalAndLinger(20, DebeziumTuning.queue(2_048, 1_024, 5))),
    /** The middle queues with Connect's transactions by the clock, every 50 ms. */
    MID_I50(true, DebeziumTuning.MID_I50),
    /** The same with a producer's linger as long. */
    MID_I50_L50(true, DebeziumTuning.MID_I50_L50),
    /** An interval and a linger that end near the p99 of {@link #DEFAULT} at 1,000 rows/s, below it. */
    MID_I30_L30(true, DebeziumTuning.intervalAndLinger(30, DebeziumTuning.MID)),
    /** The same above it. */
    MID_I40_L40(true, DebeziumTuning.intervalAndLinger(40, DebeziumTuning.MID)),
    /** An interval and a linger that end near the latency target of {@link #EFFICIENCY}. */
    MID_I80_L80(true, DebeziumTuning.intervalAndLinger(80, DebeziumTuning.MID)),
    /**
     * Debezium's engine in a process of its own, with one thread that converts and a producer that waits for each
     * batch. At least once.
     */
    ENGINE_1(true, Map.of(ConnectorConfig.ENGINE_THREADS, "1")),
    /** The same with two threads. */
    ENGINE_2(true, Map.of(ConnectorConfig.ENGINE_THREADS, "2")),
    /** Hosted, with neither a latency target nor an objective of the user's. */
    DEFAULT(false, Map.of()),
    /** Hosted, with a latency target of 30 ms and no objective of the user's. */
    HOSTED_30(false, Map.of("latency.target.ms", "30")),
    /** Hosted, with the objective that prefers short waits, and a latency target of 100 ms. */
    ADAPTIVE(false, Map.of("batch.objective", "latency")),
    /** Hosted, with the objective that prefers few transactions, and a latency target of 100 ms. */
    EFFICIENCY(false, Map.of("batch.objective", "efficiency"));

    /** What {@code --quick} compares. */
    static final List<CdcContender> QUICK = List.of(
            TUNED,
            TUNED_I20,
            TUNED_I50_L50,
            SMALL,
            SMALL_I20,
            SMALL_I50,
            MID_I20_L20,
            MID_I50,
            MID_I50_L50,
            MID_I30_L30,
            MID_I40_L40,
            MID_I80_L80,
            DEFAULT,
            HOSTED_30,
            ADAPTIVE,
            EFFICIENCY);

    /** What {@link #DEFAULT} leaves out of the example. */
    private static final Set<String> TARGET = Set.of("latency.target.ms");

    private static final String DATABASE = "database.";

    private final boolean stock;
    private final Map<String, String> own;

    CdcContender(boolean stock, Map<String, String> own) {
        this.stock = stock;
        this.own = own;
    }

    /** As results and the command line have it: {@code small-i20}. */
    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether it is Debezium by itself, with nothing of this project. */
    boolean isStock() {
        return stock;
    }

    /** Whether it runs without a worker, and at least once. */
    boolean isEngine() {
        return own.containsKey(ConnectorConfig.ENGINE_THREADS);
    }

    /** The whole configuration as a result shows it: without the database's address, names of a run, and paths. */
    Map<String, String> settings(ConnectorConfig example) {
        Map<String, String> shown = new TreeMap<>(base(example).with(own()).config());
        shown.keySet()
                .removeIf(key -> key.startsWith(DATABASE)
                        || key.startsWith(ConnectorConfig.UPSTREAM + DATABASE)
                        || key.endsWith("slot.name")
                        || key.endsWith("publication.name")
                        || key.endsWith("topic.prefix"));
        return shown;
    }

    /** A round lasts some seconds, so a hosted one has the windows of all short runs. */
    private Map<String, String> own() {
        Map<String, String> all = new TreeMap<>(own);
        if (!stock) {
            all.putAll(Settings.SHORT_RUN);
        }
        return all;
    }

    private ConnectorConfig base(ConnectorConfig example) {
        if (stock) {
            return example.plain();
        }
        return this == DEFAULT ? example.without(TARGET) : example;
    }

    /**
     * Its configuration: exactly-once, with a slot and a topic of this run's own. It takes what is written from now on.
     *
     * @param example what a user posts for the hosted connector
     * @param turn a number that no other run has
     */
    ConnectorConfig config(ConnectorConfig example, int turn, Path work) {
        // A replication slot has no other characters in its name.
        String run = name().toLowerCase(Locale.ROOT) + "_" + turn;
        String prefix = stock ? "" : ConnectorConfig.UPSTREAM;
        Map<String, String> all = new TreeMap<>(own());
        if (!isEngine()) {
            all.put("exactly.once.support", "required");
        }
        all.put(prefix + "slot.name", run);
        all.put(prefix + "publication.name", run);
        all.put(prefix + "topic.prefix", run);
        all.put(prefix + "snapshot.mode", "no_data");
        if (!stock) {
            all.put("calibration.directory", work.resolve("calibration").toString());
        }
        // One name for all rounds: the hosted ones keep what they learned, as they do in use.
        return new ConnectorConfig(text(), base(example).with(all).config());
    }
}
