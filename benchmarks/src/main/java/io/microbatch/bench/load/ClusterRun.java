package io.microbatch.bench.load;

import com.fasterxml.jackson.databind.JsonNode;
import io.microbatch.testbed.ConnectRest;
import io.microbatch.testbed.ConnectorStatus;
import java.net.URI;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Carries out a {@link LoadSpec} on brokers and workers that somebody else has started, and may be anywhere: without
 * their processes' CPU time and without the tasks' own observations. Used by one thread.
 */
public final class ClusterRun {

    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final String bootstrapServers;
    private final ConnectRest rest;
    private final String calibrationDirectory;

    /**
     * Through one of the workers, whose others it forwards to.
     *
     * @param calibrationDirectory where the workers may write
     */
    public ClusterRun(String bootstrapServers, URI worker, String calibrationDirectory) {
        this.bootstrapServers = bootstrapServers;
        this.rest = ConnectRest.at(worker);
        this.calibrationDirectory = calibrationDirectory;
    }

    /** From the first event to the last, or to the limit. Leaves neither connector nor topic. */
    public LoadResult run(LoadSpec spec) {
        Topics topics = new Topics(bootstrapServers);
        List<String> names = spec.layout().names(spec.topic());
        topics.create(names, spec.layout().topicPartitions());
        try (Readers readers = new Readers(bootstrapServers, spec)) {
            rest.create(spec.connector(), spec.connectorConfig(calibrationDirectory));
            String problem = follow(spec, readers);
            rest.stop(spec.connector());
            rest.awaitState(spec.connector(), "STOPPED");
            List<Reading> readings = readers.stop();
            long corrupt = readings.stream().mapToLong(Reading::corrupt).sum();
            if (problem.isEmpty() && corrupt > 0) {
                problem = corrupt + " corrupt events";
            }
            if (problem.isEmpty() && committedEvents(spec.connector()) != spec.events()) {
                problem = "the committed offsets are not those of the last event";
            }
            rest.resetOffsets(spec.connector());
            rest.delete(spec.connector());
            return new LoadResult(spec.promise(), readings, new Windows(List.of()), Double.NaN, Double.NaN, problem);
        } finally {
            topics.delete(names);
        }
    }

    /** Why it did not come to its end; empty if it did. */
    private String follow(LoadSpec spec, Readers readers) {
        long beganNanos = System.nanoTime();
        long lookedNanos = beganNanos;
        while (!readers.haveEnded()) {
            readers.poll();
            long nowNanos = System.nanoTime();
            if (nowNanos - beganNanos >= TimeUnit.SECONDS.toNanos(spec.limitSeconds())) {
                return "not at its end within " + spec.limitSeconds() + " s";
            }
            if (nowNanos - lookedNanos >= LOOK_NANOS) {
                lookedNanos = nowNanos;
                ConnectorStatus status = rest.status(spec.connector());
                if (status.hasFailed()) {
                    return "failed: " + status.failure();
                }
            }
        }
        return "";
    }

    private long committedEvents(String connector) {
        long events = 0;
        for (JsonNode each : rest.offsets(connector).path("offsets")) {
            events += each.path("offset").path("events").asLong();
        }
        return events;
    }
}
