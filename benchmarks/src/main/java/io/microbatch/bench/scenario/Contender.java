package io.microbatch.bench.scenario;

import io.microbatch.bench.load.Settings;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** What is compared. */
enum Contender {
    /** One event a poll. */
    NAIVE(Settings.baseline(1), true),
    /** This connector with T = 5 ms at every rate. */
    FIXED(Settings.fixed(5), false),
    /** This connector as it is. */
    ADAPTIVE(Settings.adaptive(), false),
    /** The same with producer batches of 1 MB. */
    ADAPTIVE_LARGE_BATCHES(with(Settings.adaptive(), "producer.override.batch.size", "1000000"), false),
    /** All that is due in each poll, made in it, without readers or rings. */
    UNBUFFERED(Settings.baseline(Settings.MAX_EVENTS), true);

    private final Map<String, String> settings;
    private final boolean foreign;

    Contender(Map<String, String> settings, boolean foreign) {
        this.settings = settings;
        this.foreign = foreign;
    }

    private static Map<String, String> with(Map<String, String> settings, String key, String value) {
        Map<String, String> more = new HashMap<>(settings);
        more.put(key, value);
        return Map.copyOf(more);
    }

    Map<String, String> settings() {
        return settings;
    }

    /** Whether it is another connector than this project's. */
    boolean isForeign() {
        return foreign;
    }

    /** Whether the adaptive connector is compared with it. */
    boolean isRival() {
        return this != ADAPTIVE && this != ADAPTIVE_LARGE_BATCHES;
    }

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
