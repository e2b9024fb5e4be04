package io.microbatch.bench.load;

import java.util.LinkedHashMap;
import java.util.Map;

/** The connector settings that are compared. Stateless. */
public final class Settings {

    /** The longest batch of the adaptive connector, and of a source that returns all it has. */
    public static final int MAX_EVENTS = 50_000;

    /**
     * N of every fixed setting: the result of tuning by hand. It is less than two thirds of what a stripe holds. With
     * more, a batch is all that a stripe holds, and reader and task take turns.
     */
    public static final int FIXED_EVENTS = 20_000;

    /**
     * What every connector of this project gets in a run of seconds: it observes windows of 2 s instead of 10. After
     * the ten seconds in which a new task does not learn, it learns up to five times as fast.
     */
    public static final Map<String, String> SHORT_RUN = Map.of("pressure.window.ms", "2000");

    /** This connector's class. */
    public static final String MICROBATCH = "io.microbatch.connect.MicrobatchSourceConnector";

    /** Before the keys of a hosted connector. */
    public static final String HOSTED_PREFIX = "upstream.connector.";

    /** The key of a producer's linger in a connector's configuration. */
    public static final String LINGER = "producer.override.linger.ms";

    /** The key of N, the maximum records of a batch. */
    public static final String MAX_RECORDS = "batch.max.records";

    private static final String POLL_EVENTS = "baseline.poll.events";
    private static final String BOUNDARY = "transaction.boundary";
    private static final String INTERVAL_MS = BOUNDARY + ".interval.ms";

    private Settings() {}

    /** This connector with one T and one N at every rate. */
    public static Map<String, String> fixed(double lingerMs) {
        return Map.of(
                "batch.mode",
                "fixed",
                "batch.linger.ms",
                Long.toString(Math.round(lingerMs)),
                MAX_RECORDS,
                Integer.toString(FIXED_EVENTS));
    }

    /** This connector, returning each event alone. */
    public static Map<String, String> oneEventAPoll() {
        return Map.of("batch.mode", "fixed", "batch.linger.ms", "0", MAX_RECORDS, "1");
    }

    /** This connector as it is. */
    public static Map<String, String> adaptive() {
        return Map.of("batch.mode", "adaptive");
    }

    /** A connector that makes the same events in poll, this many at a time. */
    public static Map<String, String> baseline(int pollEvents) {
        return Map.of(
                "connector.class",
                "io.microbatch.bench.baseline.BaselineConnector",
                POLL_EVENTS,
                Integer.toString(pollEvents));
    }

    /** A connector that makes the same events in poll, with Connect's own transactions by the clock (KIP-618). */
    public static Map<String, String> interval(int pollEvents, int intervalMs) {
        return withInterval(baseline(pollEvents), intervalMs);
    }

    /** These settings with Connect's transactions by the clock (KIP-618). */
    public static Map<String, String> withInterval(Map<String, String> settings, int intervalMs) {
        Map<String, String> all = new LinkedHashMap<>(settings);
        all.put(BOUNDARY, "interval");
        all.put(INTERVAL_MS, Integer.toString(intervalMs));
        return all;
    }

    /** The same whose polls wait for an event no longer than this, so that Connect looks at its clock that often. */
    public static Map<String, String> interval(int pollEvents, int intervalMs, int waitMs) {
        Map<String, String> settings = interval(pollEvents, intervalMs);
        settings.put("baseline.wait.ms", Integer.toString(waitMs));
        return settings;
    }

    /**
     * The same with the producer's {@code linger.ms}. With a linger as long as Connect's interval it is the strongest
     * stock setting at a steady rate: a commit sends what the linger has collected, so that the linger saves most
     * produce requests of an interval and delays no event beyond its transaction.
     */
    public static Map<String, String> withLinger(Map<String, String> settings, int ms) {
        Map<String, String> all = new LinkedHashMap<>(settings);
        all.put(LINGER, Integer.toString(ms));
        return all;
    }

    /**
     * The same with the producer's settings that are advised for a diskless topic, whose broker writes to an object
     * store: few large requests, of many partitions each. A batch for each of 64 partitions is a request of the largest
     * size. With batches of 1 MB half of the partitions would take the whole {@code buffer.memory} of 32 MiB, because
     * a producer allocates a whole batch for the first record.
     */
    public static Map<String, String> withDiskless(Map<String, String> settings) {
        Map<String, String> all = withLinger(settings, 100);
        all.put("producer.override.batch.size", "125000");
        all.put("producer.override.max.request.size", "8000000");
        return all;
    }

    /** Another connector with these settings of its own, hosted by this one. */
    public static Map<String, String> hosted(Map<String, String> connector) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("connector.class", MICROBATCH);
        settings.put("upstream.type", "connector");
        connector.forEach(
                (key, value) -> settings.put(HOSTED_PREFIX + (key.equals("connector.class") ? "class" : key), value));
        return settings;
    }

    /** Whether this connector hosts another one. */
    public static boolean isHosted(Map<String, String> settings) {
        return "connector".equals(settings.get("upstream.type"));
    }

    /** Whether Connect commits by the clock, which it does under exactly-once only. */
    public static boolean isByTheClock(Map<String, String> settings) {
        return "interval".equals(settings.get(BOUNDARY));
    }

    /** Connect's interval in milliseconds, and 0 of a connector that does not commit by the clock. */
    public static int intervalMs(Map<String, String> settings) {
        return isByTheClock(settings) ? Integer.parseInt(settings.get(INTERVAL_MS)) : 0;
    }

    /** Whether another connector makes the events: any worker has this setting without this project. */
    public static boolean isStock(Map<String, String> settings) {
        return !MICROBATCH.equals(settings.getOrDefault("connector.class", MICROBATCH));
    }

    /** Whether another connector returns one event from each poll. */
    public static boolean isOneEventAPoll(Map<String, String> settings) {
        return "1".equals(settings.get(POLL_EVENTS));
    }

    /**
     * The stock settings with transactions by the clock, by name: of a source that returns one event from each poll,
     * and of one that returns all it has.
     */
    public static Map<String, Map<String, String>> intervals() {
        Map<String, Map<String, String>> intervals = new LinkedHashMap<>();
        intervals.put("interval_20", interval(1, 20));
        intervals.put("interval_50", interval(1, 50));
        intervals.put("unbuffered_interval_20", interval(MAX_EVENTS, 20));
        intervals.put("unbuffered_interval_50", interval(MAX_EVENTS, 50));
        return intervals;
    }

    /** What moves most through a producer, for all contenders alike. */
    public static Map<String, String> producer() {
        return Map.of("batch.size", "1000000", "linger.ms", "20", "compression.type", "lz4");
    }

    /** The same as a connector's overrides. */
    public static Map<String, String> withProducer(Map<String, String> settings) {
        Map<String, String> all = new LinkedHashMap<>(settings);
        producer().forEach((key, value) -> all.put("producer.override." + key, value));
        return all;
    }
}
