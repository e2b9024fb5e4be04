package io.microbatch.connect.it;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Clients that post one event after the other, each with its own value, and note what the answers say. The test's
 * thread starts and stops them.
 */
final class PostingClients {

    /** What an answer says about an event. */
    enum Outcome {
        WRITTEN,
        NOT_WRITTEN,
        UNKNOWN
    }

    private static final long PAUSE_MS = 20;
    private static final Executor LATER = CompletableFuture.delayedExecutor(PAUSE_MS, TimeUnit.MILLISECONDS);

    private final HttpPoster poster;
    private final String topic;
    private final Map<String, Outcome> outcomes = new ConcurrentHashMap<>();
    private final List<CompletableFuture<Void>> clients = new ArrayList<>();
    private volatile boolean stopped;

    PostingClients(HttpPoster poster, String topic) {
        this.poster = poster;
        this.topic = topic;
    }

    void start(int count) {
        for (int client = 0; client < count; client++) {
            clients.add(post(client, 0));
        }
    }

    private CompletableFuture<Void> post(int client, int number) {
        if (stopped) {
            return CompletableFuture.completedFuture(null);
        }
        String value = client + "-" + number;
        return poster.postLater("/events/" + topic, "text/plain", value)
                .handle((reply, failure) -> {
                    outcomes.put(value, failure != null ? failed(failure) : outcome(reply.status()));
                    return failure == null && reply.status() == 200;
                })
                .thenCompose(isWritten -> isWritten
                        ? post(client, number + 1)
                        : CompletableFuture.supplyAsync(() -> null, LATER)
                                .thenCompose(nothing -> post(client, number + 1)));
    }

    private static Outcome failed(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof java.net.ConnectException ? Outcome.NOT_WRITTEN : Outcome.UNKNOWN;
    }

    private static Outcome outcome(int status) {
        return status == 200 ? Outcome.WRITTEN : status == 500 || status == 504 ? Outcome.UNKNOWN : Outcome.NOT_WRITTEN;
    }

    /** The number of events with this outcome so far. */
    long count(Outcome outcome) {
        return outcomes.values().stream().filter(each -> each == outcome).count();
    }

    /** Waits for the answer to each client's last event. */
    void stop() {
        stopped = true;
        clients.forEach(CompletableFuture::join);
    }

    /**
     * Compares the outcomes with the values in the topic.
     *
     * @param lost events that were answered as written and are not there
     * @param duplicated events that are there more than once
     * @param refusedPresent events that were answered as not written and are there
     */
    record Findings(Set<String> lost, Set<String> duplicated, Set<String> refusedPresent) {}

    Findings compare(List<String> values) {
        Map<String, Integer> present = new HashMap<>();
        values.forEach(value -> present.merge(value, 1, Integer::sum));
        Map<Outcome, Set<String>> by = new EnumMap<>(Outcome.class);
        outcomes.forEach((value, outcome) ->
                by.computeIfAbsent(outcome, key -> new HashSet<>()).add(value));
        Set<String> lost = new HashSet<>(by.getOrDefault(Outcome.WRITTEN, Set.of()));
        lost.removeAll(present.keySet());
        Set<String> refused = new HashSet<>(by.getOrDefault(Outcome.NOT_WRITTEN, Set.of()));
        refused.retainAll(present.keySet());
        Set<String> duplicated = new HashSet<>(present.keySet());
        duplicated.removeIf(value -> present.get(value) == 1);
        return new Findings(lost, duplicated, refused);
    }
}
