package io.microbatch.bench.fleet;

import io.microbatch.bench.load.Settings;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** One way to run every connector of the fleet. All of them make the same events. */
enum FleetContender {
    /** A connector that returns one event a poll, with Connect's transactions by the clock. */
    PLAIN_ONE(true),
    /** A connector that returns all that it has, with Connect's transactions by the clock. */
    PLAIN_ALL(true),
    /** One event a poll, transactions by the clock, and a producer's linger as long as their interval. */
    PLAIN_ONE_LINGER(true),
    /** The same that returns all that it has. */
    PLAIN_ALL_LINGER(true),
    /** The same connector, hosted by this one with a latency target as long as the plain one's interval. */
    HOSTED(false),
    /** The same without a latency target. */
    HOSTED_DEFAULT(false),
    /** This connector's own generator with the latency target: without what hosting costs. */
    GENERATOR(false);

    private static final int INTERVAL_MS = 100;
    private static final long DAY_MS = TimeUnit.DAYS.toMillis(1);

    private final boolean plain;

    FleetContender(boolean plain) {
        this.plain = plain;
    }

    /** Whether this connector has no part in it. */
    boolean isPlain() {
        return plain;
    }

    /** As results name it. */
    String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The settings that make the difference. */
    Map<String, String> settings() {
        return switch (this) {
            case PLAIN_ONE -> Settings.interval(1, INTERVAL_MS);
            case PLAIN_ALL -> Settings.interval(Settings.MAX_EVENTS, INTERVAL_MS);
            case PLAIN_ONE_LINGER -> Settings.withLinger(PLAIN_ONE.settings(), INTERVAL_MS);
            case PLAIN_ALL_LINGER -> Settings.withLinger(PLAIN_ALL.settings(), INTERVAL_MS);
            case HOSTED -> withTarget(hosted());
            case HOSTED_DEFAULT -> hosted();
            case GENERATOR -> withTarget(generator());
        };
    }

    private static Map<String, String> hosted() {
        return Settings.hosted(Settings.baseline(Settings.MAX_EVENTS));
    }

    private static Map<String, String> generator() {
        return new LinkedHashMap<>(Map.of("connector.class", Settings.MICROBATCH, "upstream.type", "synthetic"));
    }

    private static Map<String, String> withTarget(Map<String, String> settings) {
        settings.put("latency.target.ms", Integer.toString(INTERVAL_MS));
        return settings;
    }

    /**
     * The whole configuration of one connector.
     *
     * @param perSec its rate; 0 for none within a day
     * @param events how many events it makes
     * @param startEpochMs when the first event is due
     * @param calibration where it may keep what it learns
     */
    Map<String, String> config(String topic, int perSec, int events, long startEpochMs, String calibration) {
        boolean idle = perSec == 0;
        Map<String, String> source = new LinkedHashMap<>();
        source.put("upstream.synthetic.topic", topic);
        source.put("upstream.synthetic.rate", Integer.toString(Math.max(1, perSec)));
        source.put("upstream.synthetic.events.per.partition", Integer.toString(Math.max(1, events)));
        source.put("upstream.synthetic.size.bytes", "100");
        source.put("upstream.synthetic.start.epoch.ms", Long.toString(startEpochMs + (idle ? DAY_MS : 0)));
        Map<String, String> config = new LinkedHashMap<>(settings());
        boolean isHosted = "connector".equals(config.get("upstream.type"));
        source.forEach((key, value) -> config.put(isHosted ? Settings.HOSTED_PREFIX + key : key, value));
        config.put("tasks.max", "1");
        config.put("key.converter", "org.apache.kafka.connect.converters.ByteArrayConverter");
        config.put("value.converter", "org.apache.kafka.connect.converters.ByteArrayConverter");
        if (!plain) {
            config.put("calibration.directory", calibration);
        }
        return config;
    }
}
