package io.microbatch.bench.outbox.peer;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * How a relay works.
 *
 * @param batchRows the most rows that a worker claims in a transaction
 * @param workers each with a connection of its own; all have one producer
 * @param pollMs how long a worker waits after it has found no row
 * @param lingerMs the producer's
 */
public record RelayPlan(Sending sending, int batchRows, int workers, long pollMs, long lingerMs) {

    private static final String SENDING = "sending";
    private static final String BATCH = "batch.rows";
    private static final String WORKERS = "workers";
    private static final String POLL = "poll.interval.ms";
    private static final String LINGER = "linger.ms";

    /** The opposite of {@link #settings}. */
    public static RelayPlan of(Map<String, String> settings) {
        return new RelayPlan(
                Sending.valueOf(settings.get(SENDING).toUpperCase(Locale.ROOT).replace('-', '_')),
                Integer.parseInt(settings.get(BATCH)),
                Integer.parseInt(settings.get(WORKERS)),
                Long.parseLong(settings.get(POLL)),
                Long.parseLong(settings.get(LINGER)));
    }

    /** As results and requests have it, with the settings of all producers. */
    public Map<String, String> settings() {
        Map<String, String> settings = new TreeMap<>(producer());
        settings.put(SENDING, sending.text());
        settings.put(BATCH, Integer.toString(batchRows));
        settings.put(WORKERS, Integer.toString(workers));
        settings.put(POLL, Long.toString(pollMs));
        return settings;
    }

    /** The settings of the producer. */
    Map<String, String> producer() {
        return Map.of("acks", "all", "enable.idempotence", "true", LINGER, Long.toString(lingerMs));
    }
}
