package io.microbatch.bench.upgrade;

import io.microbatch.bench.faults.VerifiedStream;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConfigValidation;
import io.microbatch.testbed.ConnectRestException;
import io.microbatch.testbed.ConnectorStatus;
import io.microbatch.testbed.oracle.Findings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Exchanges two archives on the workers while streams run, and checks the streams at the end. One thread.
 */
final class UpgradeRun {

    /** Without them a connector runs too, with its defaults. An older version may not know them. */
    private static final Map<String, String> OPTIONAL = Map.of("pressure.window.ms", "2000");

    private static final Duration START_LIMIT = Duration.ofSeconds(90);
    private static final Duration RECOVERY_LIMIT = Duration.ofSeconds(240);
    private static final Duration END_LIMIT = Duration.ofSeconds(120);
    private static final Duration LEARN_LIMIT = Duration.ofSeconds(120);
    /** A task whose file is locked tries again after five seconds, and its first window takes two more. */
    private static final Duration FILE_LIMIT = Duration.ofSeconds(20);

    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long RESTART_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final UpgradeServers servers;
    private final List<VerifiedStream> streams;
    private final Path scratch;
    private final long minWindows;
    private final Consumer<String> progress;
    private final TreeSet<String> leftOut = new TreeSet<>();
    private final List<Exchange> exchanges = new ArrayList<>();
    private final Map<String, Long> records = new HashMap<>();

    /**
     * What a run showed.
     *
     * @param findings by connector
     * @param leftOut optional settings that the older version refused
     */
    record Result(Map<String, Findings> findings, List<Exchange> exchanges, List<String> leftOut) {

        boolean isVerified() {
            return findings.values().stream().allMatch(each -> each.events() > 0 && each.isExactlyOnce())
                    && !exchanges.isEmpty()
                    && exchanges.stream().allMatch(Exchange::isRecovered);
        }
    }

    /**
     * Prepares a run.
     *
     * @param streams whose connectors do not exist yet
     * @param scratch an existing directory for copies
     * @param minWindows how many windows a task's learned value is based on before an exchange
     */
    UpgradeRun(
            UpgradeServers servers,
            List<VerifiedStream> streams,
            Path scratch,
            long minWindows,
            Consumer<String> progress) {
        this.servers = servers;
        this.streams = streams;
        this.scratch = scratch;
        this.minWindows = minWindows;
        this.progress = progress;
    }

    /** Creates the connectors, and waits until they deliver and have learned. */
    void begin() {
        for (VerifiedStream stream : streams) {
            chooseSettings(stream);
            servers.rest().create(stream.name(), config(stream));
            stream.begin();
        }
        for (VerifiedStream stream : streams) {
            Await.until(
                    stream.name() + " has delivered an event of each source partition",
                    START_LIMIT,
                    stream::hasRevived,
                    () -> servers.rest().status(stream.name()).toString());
        }
        learn(0);
    }

    /** Leaves out what this version does not know. */
    private void chooseSettings(VerifiedStream stream) {
        ConfigValidation validation = servers.rest().validate(VerifiedStream.CONNECTOR, config(stream));
        validation.errors().forEach((key, messages) -> {
            if (!OPTIONAL.containsKey(key)) {
                throw new IllegalStateException(stream.name() + ": " + key + ": " + messages);
            }
            boolean ignored = leftOut.add(key);
        });
    }

    private Map<String, String> config(VerifiedStream stream) {
        Map<String, String> config = new HashMap<>(OPTIONAL);
        config.keySet().removeAll(leftOut);
        config.putAll(stream.config());
        config.put("calibration.directory", servers.calibration().toString());
        return config;
    }

    /** Exchanges the archive on every worker, and waits until every stream has recovered and its tasks have learned. */
    void exchange(String direction, Path archive) {
        countEvents();
        long beganMs = System.currentTimeMillis();
        Map<String, Learned> before = Learned.read(servers.calibration(), scratch, beganMs);
        servers.exchange(archive);
        long endedNanos = System.nanoTime();
        long endedMs = System.currentTimeMillis();
        streams.forEach(VerifiedStream::watchFromNow);
        Map<String, Exchange.OfStream> outcomes = new LinkedHashMap<>();
        for (VerifiedStream stream : streams) {
            outcomes.put(stream.name(), recovery(stream, endedNanos));
        }
        boolean ignored = Await.reached(FILE_LIMIT, () -> used(beganMs, endedMs).size() >= before.size());
        ContinuedLevels kept =
                ContinuedLevels.between(before, Learned.read(servers.calibration(), scratch, beganMs), endedMs);
        Exchange exchange = new Exchange(direction, beganMs, outcomes, kept);
        exchanges.add(exchange);
        outcomes.forEach((name, outcome) -> progress.accept("  " + direction + ", " + name + ": "
                + (outcome.recoveryMs() < 0 ? "NOT RECOVERED" : "recovered in " + outcome.recoveryMs() + " ms")
                + ", restarted over REST " + outcome.restarts() + " times"));
        progress.accept("  " + direction + ", calibration: " + kept);
        if (!exchange.isRecovered()) {
            throw new IllegalStateException("no recovery from the " + direction);
        }
        streams.forEach(this::requireValid);
        learn(endedMs);
    }

    /** The configuration is that of the other version: this one has to take it. */
    private void requireValid(VerifiedStream stream) {
        ConfigValidation validation = servers.rest().validate(VerifiedStream.CONNECTOR, config(stream));
        if (!validation.isValid()) {
            throw new IllegalStateException(stream.name() + " is refused: " + validation.errors());
        }
    }

    private Exchange.OfStream recovery(VerifiedStream stream, long endedNanos) {
        int[] restarts = new int[1];
        long[] lookedNanos = {System.nanoTime()};
        long[] restartedNanos = {System.nanoTime() - RESTART_AGAIN_NANOS};
        boolean recovered = Await.reached(RECOVERY_LIMIT, () -> {
            if (stream.hasRevived()) {
                return true;
            }
            long nowNanos = System.nanoTime();
            if (nowNanos - lookedNanos[0] >= LOOK_NANOS && nowNanos - restartedNanos[0] >= RESTART_AGAIN_NANOS) {
                lookedNanos[0] = nowNanos;
                if (restartIfFailed(stream)) {
                    restarts[0]++;
                    restartedNanos[0] = nowNanos;
                }
            }
            return false;
        });
        return new Exchange.OfStream(recovered ? stream.revivedAfterMs(endedNanos) : -1, restarts[0], 0, Map.of());
    }

    /** As the page on upgrades says: the connector with all its tasks. */
    private boolean restartIfFailed(VerifiedStream stream) {
        try {
            ConnectorStatus status = servers.rest().status(stream.name());
            if (!status.hasFailed()) {
                return false;
            }
            progress.accept("  " + stream.name() + " has failed: "
                    + status.failure().lines().findFirst().orElse(""));
            servers.rest().restart(stream.name());
            return true;
        } catch (ConnectRestException | CompletionException e) {
            // The group is being rebalanced. The next look is a second away.
            return false;
        }
    }

    /** Waits until each task that has a file has learned enough to tell what it was taught from what it finds. */
    private void learn(long sinceEpochMs) {
        boolean ignored = Await.reached(LEARN_LIMIT, () -> {
            List<Learned> tasks = used(sinceEpochMs, sinceEpochMs);
            return (sinceEpochMs > 0 || !tasks.isEmpty())
                    && tasks.stream().allMatch(task -> task.hasLearned(minWindows));
        });
    }

    /** The files that tasks have stored windows in since a time. */
    private List<Learned> used(long recentSinceEpochMs, long sinceEpochMs) {
        return Learned.read(servers.calibration(), scratch, recentSinceEpochMs).values().stream()
                .filter(task -> task.isUsedSince(sinceEpochMs))
                .toList();
    }

    /** Notes the events of each stream since the last exchange. */
    private void countEvents() {
        Map<String, Long> since = new HashMap<>();
        for (VerifiedStream stream : streams) {
            long now = stream.records();
            since.put(stream.name(), now - records.getOrDefault(stream.name(), 0L));
            records.put(stream.name(), now);
        }
        if (!exchanges.isEmpty()) {
            int last = exchanges.size() - 1;
            exchanges.set(last, exchanges.get(last).withEvents(since));
        }
    }

    /** Ends the streams, removes the connectors and compares the topics with what was sent. */
    Result end() {
        for (VerifiedStream stream : streams) {
            stream.seal();
            servers.rest().put(stream.name(), config(stream));
        }
        for (VerifiedStream stream : streams) {
            // What is missing is for the oracle to count.
            boolean ignored = Await.reached(END_LIMIT, stream::hasEnded);
        }
        countEvents();
        Map<String, Findings> findings = new LinkedHashMap<>();
        for (VerifiedStream stream : streams) {
            servers.rest().stop(stream.name());
            servers.rest().awaitState(stream.name(), "STOPPED");
            VerifiedStream.Checked checked = stream.check();
            findings.put(stream.name(), checked.findings());
            for (int i = 0; i < exchanges.size(); i++) {
                long nextMs = i + 1 < exchanges.size() ? exchanges.get(i + 1).beganEpochMs() : Long.MAX_VALUE;
                exchanges.set(i, exchanges.get(i).with(stream.name(), checked.violations(), nextMs));
            }
            servers.rest().delete(stream.name());
        }
        return new Result(findings, List.copyOf(exchanges), List.copyOf(leftOut));
    }
}
