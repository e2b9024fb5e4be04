package io.microbatch.bench.advise;

import com.fasterxml.jackson.databind.JsonNode;
import io.microbatch.bench.fleet.FleetReader;
import io.microbatch.bench.fleet.FleetStream;
import io.microbatch.bench.load.CpuClock;
import io.microbatch.bench.load.LoadRun;
import io.microbatch.bench.load.LoadStack;
import io.microbatch.bench.load.Promise;
import io.microbatch.bench.load.Settings;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectRest;
import io.microbatch.testbed.ConnectWorker;
import io.microbatch.testbed.oracle.Findings;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A stream through one connector whose configuration is replaced while the events go on. All events are checked over
 * all configurations together. One thread.
 */
final class StreamRun implements AutoCloseable {

    /** Longer than the minute for which a start is in the percentiles of this project's tasks. */
    private static final Duration ADVICE_LIMIT = Duration.ofSeconds(90);

    /** The stream has more events than any run reads: the connector is stopped before its last one. */
    private static final int MAX_SECONDS = 3_600;

    /** How long the last events of a measured part may take. */
    private static final long END_MS = 700;

    private final LoadStack stack;
    private final AdvisedStream stream;
    private final Lengths lengths;
    private final String name;
    private final ConnectWorker worker;
    private final ConnectRest rest;
    private final FleetStream read;
    private final FleetReader reader;
    private boolean created;

    /**
     * How long the parts of a run take, in seconds.
     *
     * @param settle before a measured part of a stock setting
     * @param learn the same of this project's connector, which learns
     * @param seconds a measured part
     */
    record Lengths(int settle, int learn, int seconds) {

        private static final int MAX_MEASURED = 8;
        private static final int MIN_EVENTS = 100;

        /** The measured part at a rate: longer where there are few events. */
        int secondsAt(int perSec) {
            int enough = (MIN_EVENTS + perSec - 1) / perSec;
            return Math.max(seconds, Math.min(MAX_MEASURED, enough));
        }
    }

    /**
     * Prepares a stream.
     *
     * @param name of the connector and of the topic, new for each run
     */
    StreamRun(LoadStack stack, AdvisedStream stream, Lengths lengths, String name) {
        this.stack = stack;
        this.stream = stream;
        this.lengths = lengths;
        this.name = name;
        this.worker = stack.worker(stream.delivery());
        this.rest = worker.rest();
        stack.create(List.of(name), 1);
        this.read = new FleetStream(events(), 0, 0);
        this.reader = new FleetReader(stack.bootstrapServers(), Map.of(name, read));
    }

    private int events() {
        return Math.multiplyExact(stream.perSec(), MAX_SECONDS);
    }

    /** The configuration of a setting on this stream. */
    Map<String, String> config(AdvisedStream.Setting setting) {
        return completed(stream.config(setting, name, events()));
    }

    /** With what this project's connector has in every short run. */
    Map<String, String> completed(Map<String, String> config) {
        Map<String, String> all = new LinkedHashMap<>(config);
        if (!Settings.isStock(config)) {
            all.putAll(Settings.SHORT_RUN);
            all.put("calibration.directory", stack.calibration() + "/" + name);
        }
        return all;
    }

    /** Lets the connector run with this configuration, and measures it. */
    Outcome measure(Map<String, String> config) {
        apply(config);
        int settle = Settings.isStock(config) ? lengths.settle() : lengths.learn();
        long fromMs = System.currentTimeMillis() + settle * 1_000L;
        int seconds = lengths.secondsAt(stream.perSec());
        long toMs = fromMs + seconds * 1_000L;
        read.measure(fromMs * 1_000_000, toMs * 1_000_000);
        reader.pollUntil(fromMs);
        double beganSec = cpuSeconds();
        long beganNanos = System.nanoTime();
        reader.pollUntil(toMs);
        double cores = (cpuSeconds() - beganSec) * 1e9 / (System.nanoTime() - beganNanos);
        long endMs = END_MS + stream.goalMs();
        reader.pollUntil(toMs + endMs);
        long due = (long) stream.perSec() * seconds;
        return Outcome.of(read.micros(), due, endMs, (double) read.transactions() / seconds, cores);
    }

    private double cpuSeconds() {
        return CpuClock.seconds(worker.pid())
                + stack.brokerPids().stream().mapToDouble(CpuClock::seconds).sum();
    }

    /** As docs/operations.md has it: stop, replace the configuration, resume. */
    private void apply(Map<String, String> config) {
        if (!created) {
            rest.create(name, config);
            created = true;
        } else {
            stop();
            rest.put(name, config);
            rest.resume(name);
        }
        rest.awaitRunning(name, 1);
    }

    private void stop() {
        rest.stop(name);
        rest.awaitState(name, "STOPPED");
    }

    /** The console's advice for the connector as it runs now. */
    JsonNode advice() {
        JsonNode[] last = new JsonNode[1];
        Await.until(
                "advice for " + name,
                ADVICE_LIMIT,
                () -> {
                    reader.pollUntil(System.currentTimeMillis() + 500);
                    last[0] = advised();
                    String verdict = last[0].path("verdict").asText();
                    JsonNode change = last[0].path("change");
                    return !verdict.isEmpty()
                            && !verdict.equals("wait")
                            && (isNone(change) || change.path("put").isObject());
                },
                () -> String.valueOf(last[0]));
        return last[0];
    }

    private JsonNode advised() {
        JsonNode answer = rest.call("GET", "/microbatch/v1/advice?p99=" + stream.goalMs(), null);
        for (JsonNode task : answer.path("tasks")) {
            if (task.path("connector").asText().equals(name)) {
                return task.path("advice");
            }
        }
        return answer.path("absent");
    }

    /** Whether an advice changes nothing. */
    static boolean isNone(JsonNode change) {
        return change.path("set").isEmpty()
                && change.path("remove").isEmpty()
                && !change.path("wrap").asBoolean();
    }

    /** Stops the connector and checks every event that it has committed: why they are not as promised, or nothing. */
    String end() {
        stop();
        long committed = LoadRun.committed(rest.offsets(name));
        rest.resetOffsets(name);
        rest.delete(name);
        created = false;
        reader.drain();
        Findings found = read.findings();
        Promise promise = Promise.of(stream.delivery(), "all", true);
        boolean sound = committed > 0 && LoadRun.isReadTo(stream.delivery(), promise, committed, found);
        return sound
                ? ""
                : "committed " + committed + " events, read " + (found.events() - found.lost()) + ", " + found;
    }

    @Override
    public void close() {
        reader.close();
        if (created) {
            // The run did not come to its end.
            rest.delete(name);
        }
        stack.topics().delete(List.of(name));
    }
}
