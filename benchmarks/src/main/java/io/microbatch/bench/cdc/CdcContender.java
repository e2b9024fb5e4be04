package io.microbatch.bench.cdc;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** What carries the rows in {@code bench cdc}. */
enum CdcContender {
    /** Debezium's own connector with its defaults. */
    PLAIN(true, Map.of()),
    /** The same, tuned by hand for speed: it looks for events often and takes many at once. */
    TUNED(true, Map.of("poll.interval.ms", "5", "max.batch.size", "16384", "max.queue.size", "65536")),
    /** Hosted, with the objective that prefers short waits. */
    ADAPTIVE(false, Map.of("batch.objective", "latency")),
    /** Hosted, with the objective that prefers few transactions within 100 ms. */
    EFFICIENCY(false, Map.of("batch.objective", "efficiency"));

    private final boolean plain;
    private final Map<String, String> settings;

    CdcContender(boolean plain, Map<String, String> settings) {
        this.plain = plain;
        this.settings = settings;
    }

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Its configuration: exactly-once, with a slot and a topic of this run's own. It takes what is written from now on.
     *
     * @param example what a user posts for the hosted connector
     * @param run a name for the slot and the topic
     */
    ConnectorConfig config(ConnectorConfig example, String run, Path work) {
        ConnectorConfig base = plain ? example.plain() : example;
        String prefix = plain ? "" : ConnectorConfig.UPSTREAM;
        Map<String, String> own = new LinkedHashMap<>(settings);
        own.put("exactly.once.support", "required");
        own.put(prefix + "slot.name", run);
        own.put(prefix + "publication.name", run);
        own.put(prefix + "topic.prefix", run);
        own.put(prefix + "snapshot.mode", "no_data");
        if (!plain) {
            own.put("calibration.directory", work.resolve("calibration").toString());
        }
        // One name for all rounds: the hosted ones keep what they learned, as they do in use.
        return new ConnectorConfig(text(), base.with(own).config());
    }
}
