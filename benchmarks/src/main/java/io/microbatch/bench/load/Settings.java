package io.microbatch.bench.load;

import java.util.LinkedHashMap;
import java.util.Map;

/** The connector settings that are compared. Stateless. */
public final class Settings {

    /** The longest batch, fixed and adaptive alike. */
    public static final int MAX_EVENTS = 50_000;

    private Settings() {}

    /** This connector with one T at every rate. */
    public static Map<String, String> fixed(double lingerMs) {
        return fixed(lingerMs, MAX_EVENTS);
    }

    /** This connector with one T and one N at every rate. */
    public static Map<String, String> fixed(double lingerMs, int maxEvents) {
        return Map.of(
                "batch.mode",
                "fixed",
                "batch.linger.ms",
                Long.toString(Math.round(lingerMs)),
                "batch.max.records",
                Integer.toString(maxEvents));
    }

    /** This connector, returning each event alone. */
    public static Map<String, String> oneEventAPoll() {
        return Map.of("batch.mode", "fixed", "batch.linger.ms", "0", "batch.max.records", "1");
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
                "baseline.poll.events",
                Integer.toString(pollEvents));
    }

    /** A connector that makes the same events in poll, with Connect's own transactions by the clock (KIP-618). */
    public static Map<String, String> interval(int pollEvents, int intervalMs) {
        Map<String, String> settings = new LinkedHashMap<>(baseline(pollEvents));
        settings.put("transaction.boundary", "interval");
        settings.put("transaction.boundary.interval.ms", Integer.toString(intervalMs));
        return settings;
    }

    /** The same whose polls wait for an event no longer than this, so that Connect looks at its clock that often. */
    public static Map<String, String> interval(int pollEvents, int intervalMs, int waitMs) {
        Map<String, String> settings = interval(pollEvents, intervalMs);
        settings.put("baseline.wait.ms", Integer.toString(waitMs));
        return settings;
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
