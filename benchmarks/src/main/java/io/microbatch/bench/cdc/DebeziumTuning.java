package io.microbatch.bench.cdc;

import io.microbatch.bench.load.Settings;
import java.util.Map;
import java.util.TreeMap;

/** Settings by which Debezium is tuned by hand, without anything of this project. Stateless. */
public final class DebeziumTuning {

    /** Long queues and frequent looks: the fastest in a backlog. */
    public static final Map<String, String> TUNED = queue(65_536, 16_384, 5);

    /** Short queues, which keep few change events in memory. */
    public static final Map<String, String> SMALL = queue(512, 256, 10);

    /** Queues between the short ones and Debezium's defaults, with Connect's transactions every 50 ms. */
    public static final Map<String, String> MID_I50 = interval(50, queue(2_048, 1_024, 10));

    /** The same with a producer's linger as long as the interval, which saves produce requests. */
    public static final Map<String, String> MID_I50_L50 = intervalAndLinger(50, queue(2_048, 1_024, 10));

    /** Queues between the short ones and Debezium's defaults. */
    static final Map<String, String> MID = queue(2_048, 1_024, 10);

    private DebeziumTuning() {}

    static Map<String, String> queue(int events, int batchEvents, int pollMs) {
        return Map.of(
                "poll.interval.ms", Integer.toString(pollMs),
                "max.batch.size", Integer.toString(batchEvents),
                "max.queue.size", Integer.toString(events));
    }

    static Map<String, String> interval(int ms, Map<String, String> queue) {
        Map<String, String> settings = new TreeMap<>(queue);
        settings.put("transaction.boundary", "interval");
        settings.put("transaction.boundary.interval.ms", Integer.toString(ms));
        return Map.copyOf(settings);
    }

    static Map<String, String> intervalAndLinger(int ms, Map<String, String> queue) {
        return Map.copyOf(Settings.withLinger(interval(ms, queue), ms));
    }
}
