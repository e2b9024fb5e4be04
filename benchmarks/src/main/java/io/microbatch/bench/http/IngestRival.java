package io.microbatch.bench.http;

import io.microbatch.bench.http.peer.IngestServer;
import io.microbatch.bench.load.Delivery;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A server of the bench that requests are posted to instead of the connector.
 *
 * @param sending what {@link IngestServer#SENDING} has
 * @param isWaiting whether a thread waits for each request
 * @param lingerMs of its producers
 * @param gatherMs how long a transaction waits for more requests after its first one
 * @param producers those that commit
 */
record IngestRival(String sending, boolean isWaiting, int lingerMs, int gatherMs, int producers) {

    /** The producer's default. */
    private static final int DEFAULT_LINGER_MS = 5;

    /** With a thread for each request. */
    static IngestRival waiting(String sending) {
        return new IngestRival(sending, true, 0, 0, 1);
    }

    /** Without. */
    static IngestRival async(String sending) {
        return new IngestRival(sending, false, 0, 0, 1);
    }

    /** The same with the producer's default linger. */
    IngestRival lingering() {
        return new IngestRival(sending, isWaiting, DEFAULT_LINGER_MS, gatherMs, producers);
    }

    /** The same with transactions that wait for more requests. */
    IngestRival gathering(int afterFirstMs) {
        return new IngestRival(sending, isWaiting, lingerMs, afterFirstMs, producers);
    }

    /** The same with so many producers. */
    IngestRival producers(int number) {
        return new IngestRival(sending, isWaiting, lingerMs, gatherMs, number);
    }

    Delivery delivery() {
        return sending.equals(IngestServer.SENDS) ? Delivery.AT_LEAST_ONCE : Delivery.EXACTLY_ONCE;
    }

    /** The producer settings that all contenders have, but for the linger of some rivals. */
    static Map<String, String> producer() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("linger.ms", "0");
        settings.put("compression.type", "lz4");
        settings.put("batch.size", "1000000");
        return settings;
    }

    /** The settings of the server and of its producers. */
    Map<String, String> settings() {
        Map<String, String> settings = producer();
        settings.put("linger.ms", Integer.toString(lingerMs));
        settings.put("acks", "all");
        settings.put(IngestServer.SENDING, sending);
        settings.put(IngestServer.WAITING, Boolean.toString(isWaiting));
        settings.put(IngestServer.GATHER_MS, Integer.toString(gatherMs));
        settings.put(IngestServer.PRODUCERS, Integer.toString(producers));
        return settings;
    }
}
