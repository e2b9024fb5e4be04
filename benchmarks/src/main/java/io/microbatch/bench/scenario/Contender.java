package io.microbatch.bench.scenario;

import io.microbatch.bench.load.Delivery;
import io.microbatch.bench.load.Settings;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** What is compared. */
enum Contender {
    /** One event a poll. */
    NAIVE(Settings.baseline(1), true),
    /** This connector with T = 5 ms and N = 20,000 at every rate. */
    FIXED(Settings.fixed(5), false),
    /** This connector as it is. */
    ADAPTIVE(Settings.adaptive(), false),
    /** The same with producer batches of 1 MB. */
    ADAPTIVE_LARGE_BATCHES(withLargeBatches(Settings.adaptive()), false),
    /** This connector with a latency target of 100 ms. */
    TARGET_100(with(Settings.adaptive(), "latency.target.ms", "100"), false),
    /** This connector with many events in each record. */
    BULK(with(Settings.adaptive(), "bulk.enabled", "true"), false),
    /** One event a poll, with the producer's settings that are advised for a diskless topic. */
    NAIVE_DISKLESS(Settings.withDiskless(Settings.baseline(1)), true),
    /** The same with Connect's transactions by the clock, every 500 ms. */
    INTERVAL_500_DISKLESS(Settings.withDiskless(Settings.interval(1, 500)), true),
    /** The same every second. */
    INTERVAL_1000_DISKLESS(Settings.withDiskless(Settings.interval(1, 1_000)), true),
    /** The same every two seconds. */
    INTERVAL_2000_DISKLESS(Settings.withDiskless(Settings.interval(1, 2_000)), true),
    /** All that is due in each poll, with these settings and a transaction every second. */
    UNBUFFERED_INTERVAL_1000_DISKLESS(Settings.withDiskless(Settings.interval(Settings.MAX_EVENTS, 1_000)), true),
    /** This connector with the producer's settings that are advised for a diskless topic. */
    ADAPTIVE_DISKLESS(Settings.withDiskless(Settings.adaptive()), false),
    /** One event a poll, with Connect's transactions by the clock, every 20 ms. */
    INTERVAL_20(Settings.interval(1, 20), true),
    /** The same with a producer's linger as long. */
    INTERVAL_20_LINGER_20(Settings.withLinger(Settings.interval(1, 20), 20), true),
    /** One event a poll, with Connect's transactions by the clock, every 50 ms. */
    INTERVAL_50(Settings.interval(1, 50), true),
    /** The same with a producer's linger as long: the strongest stock setting at a steady rate. */
    INTERVAL_50_LINGER_50(Settings.withLinger(Settings.interval(1, 50), 50), true),
    /** The same with 100 ms for both. */
    INTERVAL_100_LINGER_100(Settings.withLinger(Settings.interval(1, 100), 100), true),
    /** All that is due in each poll, made in it, without readers or rings. */
    UNBUFFERED(Settings.baseline(Settings.MAX_EVENTS), true),
    /** The same with Connect's transactions by the clock, every 20 ms. */
    UNBUFFERED_INTERVAL_20(Settings.interval(Settings.MAX_EVENTS, 20), true),
    /** The same every 50 ms. */
    UNBUFFERED_INTERVAL_50(Settings.interval(Settings.MAX_EVENTS, 50), true),
    /** One event a poll, with producer batches of 1 MB. */
    NAIVE_LARGE_BATCHES(withLargeBatches(Settings.baseline(1)), true),
    /** All that is due in each poll, with producer batches of 1 MB. */
    UNBUFFERED_LARGE_BATCHES(withLargeBatches(Settings.baseline(Settings.MAX_EVENTS)), true),
    /** The same with Connect's transactions by the clock, every 50 ms. */
    UNBUFFERED_INTERVAL_50_LARGE_BATCHES(withLargeBatches(Settings.interval(Settings.MAX_EVENTS, 50)), true),
    /** The same every second. */
    UNBUFFERED_INTERVAL_1000_LARGE_BATCHES(withLargeBatches(Settings.interval(Settings.MAX_EVENTS, 1_000)), true),
    /** One event a poll, with producer batches of 1 MB and Connect's transactions by the clock, every 200 ms. */
    INTERVAL_200_LARGE_BATCHES(withLargeBatches(Settings.interval(1, 200)), true),
    /** The same every second. */
    INTERVAL_1000_LARGE_BATCHES(withLargeBatches(Settings.interval(1, 1_000)), true),
    /** This connector, hosting the source that returns one event a poll, with producer batches of 1 MB. */
    HOSTED_LARGE_BATCHES(withLargeBatches(Settings.hosted(Settings.baseline(1))), false),
    /** The same with Connect's transactions by the clock, every second. */
    HOSTED_INTERVAL_1000_LARGE_BATCHES(Settings.withInterval(HOSTED_LARGE_BATCHES.settings, 1_000), false),
    /** The same source and batches, with N = 50,000 and T = 100 ms at every rate, and queues that hold two such N. */
    HOSTED_FIXED_50000_LARGE_BATCHES(
            with(
                    with(with(Settings.fixed(100), HOSTED_LARGE_BATCHES.settings), Settings.MAX_RECORDS, "50000"),
                    "stripe.max.events",
                    "131072"),
            false);

    /** The producer's setting that limits what a request to a slow broker carries. */
    static final String BATCH_SIZE = "producer.override.batch.size";

    private final Map<String, String> settings;
    private final boolean foreign;

    Contender(Map<String, String> settings, boolean foreign) {
        this.settings = settings;
        this.foreign = foreign;
    }

    private static Map<String, String> withLargeBatches(Map<String, String> settings) {
        return with(settings, BATCH_SIZE, "1000000");
    }

    private static Map<String, String> with(Map<String, String> settings, String key, String value) {
        return with(settings, Map.of(key, value));
    }

    private static Map<String, String> with(Map<String, String> settings, Map<String, String> others) {
        Map<String, String> more = new HashMap<>(settings);
        more.putAll(others);
        return Map.copyOf(more);
    }

    Map<String, String> settings() {
        return settings;
    }

    /** Whether it exists in this mode. */
    boolean isFor(Delivery delivery) {
        return delivery == Delivery.EXACTLY_ONCE || !Settings.isByTheClock(settings);
    }

    /** Whether each event may be a transaction of its own under exactly-once. */
    boolean isOneByOne() {
        return Settings.isOneEventAPoll(settings);
    }

    /** Whether it returns all it has from each poll. */
    boolean isUnbuffered() {
        return foreign && !isOneByOne();
    }

    /** Whether it is another connector than this project's. */
    boolean isForeign() {
        return foreign;
    }

    /** The adaptive connector with producer batches of the same size. */
    Contender counterpart() {
        String batchSize = settings.get(BATCH_SIZE);
        return Stream.of(ADAPTIVE_LARGE_BATCHES, ADAPTIVE_DISKLESS)
                .filter(ours -> ours.settings.get(BATCH_SIZE).equals(batchSize))
                .findFirst()
                .orElse(ADAPTIVE);
    }

    /** Whether the adaptive connector is compared with it. */
    boolean isRival() {
        return foreign || this == FIXED;
    }

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
