package io.microbatch.bench.faults;

import io.microbatch.bench.load.Delivery;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectRestException;
import io.microbatch.testbed.ConnectorStatus;
import io.microbatch.testbed.HangingTransactions;
import io.microbatch.testbed.TopicReader;
import io.microbatch.testbed.Topics;
import io.microbatch.testbed.failpoint.Failpoint;
import io.microbatch.testbed.failpoint.FailpointAction;
import io.microbatch.testbed.oracle.Findings;
import io.microbatch.testbed.oracle.Oracle;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.TopicPartition;

/** Runs one round on the arena: a stream, its faults one after the other, its end, and the check. One thread. */
final class RoundRunner {

    private static final Duration START_LIMIT = Duration.ofSeconds(90);
    /**
     * Longer than a transaction that a dead task left open, a rebalance and a broker's start take together, and slowly.
     */
    private static final Duration RECOVERY_LIMIT = Duration.ofSeconds(240);

    /** By then every transaction of before the fault has been ended or has expired. */
    private static final Duration HANGING_AFTER = Duration.ofSeconds(90);

    private static final Duration END_LIMIT = Duration.ofSeconds(120);
    private static final Duration POINT_LIMIT = Duration.ofSeconds(20);
    private static final Duration STALLED = Duration.ofSeconds(60);
    private static final long LOOK_AT_STATUS_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int CALM_MIN_MS = 300;
    private static final int CALM_MAX_MS = 1_200;

    private final Arena arena;
    private final Round round;
    private final String name;
    private final Feed feed;
    private final SplittableRandom random;
    private final PrintWriter out;
    private final Map<String, String> common = new HashMap<>();
    private final List<FaultResult> faults = new ArrayList<>();
    private final List<String> interventions = new ArrayList<>();
    private long longestOutageMs;
    private long lookedNanos;
    private int restarts;

    RoundRunner(Arena arena, Round round, String name, Feed feed, SplittableRandom random, Path work, PrintWriter out) {
        this.arena = arena;
        this.round = round;
        this.name = name;
        this.feed = feed;
        this.random = random;
        this.out = out;
        common.put("connector.class", "io.microbatch.connect.MicrobatchSourceConnector");
        common.put("calibration.directory", work.resolve("calibration").toString());
        common.put(
                "producer.override.transaction.timeout.ms",
                Long.toString(round.transactionTimeoutMs(arena.brokers().size())));
        common.put("producer.override.reconnect.backoff.max.ms", "200");
        if (round.mode() == Delivery.EXACTLY_ONCE && round.source().canBeReadAgain()) {
            common.put("exactly.once.support", "required");
        }
    }

    RoundResult run() {
        // The log's own time on every record: the oracle measures with it how long a repeated stretch was.
        new Topics(arena.bootstrapServers()).create(List.of(Topics.topic(feed.topic(), feed.topicPartitions, false)));
        long[] highest;
        try (LiveView view = new LiveView(arena.bootstrapServers(), feed)) {
            view.watchFromNow();
            arena.tell("create " + name, rest -> rest.put(name, config()));
            feed.begin();
            Await.until(
                    "every source partition of " + name + " has delivered an event",
                    START_LIMIT,
                    () -> tended(view::allRevived),
                    this::state);
            Inflictor inflictor = new Inflictor(arena, feed, random, name, config(), view::watchFromNow);
            if (round.planted()) {
                plant();
            }
            for (Fault fault : round.faults()) {
                faults.add(inflict(inflictor, fault, view));
            }
            Inflictor.pauseMs(CALM_MIN_MS);
            feed.seal(view.highest());
            if (round.source() == Round.Source.SYNTHETIC) {
                arena.tell("seal " + name, rest -> rest.put(name, config()));
            }
            awaitEnd(view);
            highest = view.highest();
        }
        arena.tell("delete " + name, rest -> rest.delete(name));
        Await.until(name + " is gone", RECOVERY_LIMIT, () -> status().state().equals("ABSENT"), this::state);
        return check(highest);
    }

    private Map<String, String> config() {
        Map<String, String> config = new HashMap<>(common);
        config.putAll(feed.config());
        return config;
    }

    private FaultResult inflict(Inflictor inflictor, Fault fault, LiveView view) {
        Inflictor.pauseMs(random.nextInt(CALM_MIN_MS, CALM_MAX_MS));
        long beganMs = System.currentTimeMillis();
        restarts = 0;
        Inflictor.Inflicted done = inflictor.inflict(fault);
        longestOutageMs = Math.max(longestOutageMs, done.outageMs());
        boolean recovered = Await.reached(HANGING_AFTER, () -> tended(view::allRevived));
        if (!recovered) {
            abortHanging();
            recovered = Await.reached(RECOVERY_LIMIT.minus(HANGING_AFTER), () -> tended(view::allRevived));
        }
        long recoveryMs = recovered ? TimeUnit.NANOSECONDS.toMillis(view.revivedAfterNanos(done.endedNanos())) : -1;
        FaultResult result = new FaultResult(
                fault, done.reached(), beganMs, recoveryMs, done.workerKills(), done.brokerKills(), restarts, Map.of());
        out.printf(
                Locale.ROOT,
                "  %-52s %s%s%s%n",
                fault.text(),
                recovered ? String.format(Locale.ROOT, "recovered in %5.1f s", recoveryMs / 1_000.0) : "NOT RECOVERED",
                restarts > 0 ? ", failed and restarted " + restarts + " times" : "",
                done.reached() ? "" : ", POINT NOT REACHED");
        out.flush();
        if (!recovered) {
            arena.dumpThreads();
            throw new IllegalStateException("no recovery from " + fault.text() + ": " + state());
        }
        return result;
    }

    private void abortHanging() {
        if (arena.brokers().size() > 1) {
            return; // Never seen there, so it would be news.
        }
        List<TopicPartition> aborted = HangingTransactions.abort(
                arena.bootstrapServers(),
                List.of(feed.topic(), arena.offsetsTopic(round.mode()), arena.configTopic(round.mode())),
                round.transactionTimeoutMs(1));
        if (!aborted.isEmpty()) {
            intervened("hanging transactions of the lone broker, aborted: " + aborted);
        }
    }

    private void intervened(String what) {
        interventions.add(what);
        out.println("  " + what);
        out.flush();
    }

    /** Plants bugs that the oracle must see. */
    private void plant() {
        for (FailpointAction bug :
                List.of(FailpointAction.SWAP, FailpointAction.DROP, FailpointAction.DUPLICATE, FailpointAction.ALTER)) {
            for (int i = 0; i < arena.workerCount(); i++) {
                arena.failpoints(i).arm(Failpoint.BEFORE_POLL_RETURNS, bug, 1);
            }
            boolean planted = Await.reached(
                    POINT_LIMIT,
                    () -> arena.failpoints(0).wasHit() || arena.failpoints(1).wasHit());
            for (int i = 0; i < arena.workerCount(); i++) {
                arena.failpoints(i).disarm();
            }
            if (!planted) {
                throw new IllegalStateException("no batch was large enough to plant " + bug);
            }
        }
    }

    /** Restarts over REST what has failed, as an operator does, and asks again. */
    private boolean tended(BooleanSupplier condition) {
        if (condition.getAsBoolean()) {
            return true;
        }
        long nowNanos = System.nanoTime();
        if (nowNanos - lookedNanos >= LOOK_AT_STATUS_NANOS) {
            lookedNanos = nowNanos;
            if (status().hasFailed()) {
                restarts++;
                restartFailed();
            }
        }
        return false;
    }

    /**
     * A worker of Kafka 4.3.1 that was frozen, lost the lead of its group and regained it keeps the fenced producer of
     * its config topic. If a restart is the first that it is to write, it refuses that, and everything else, until the
     * next rebalance: DistributedHerder writes it without the reclaiming that its other writes have.
     */
    private void restartFailed() {
        boolean[] fenced = new boolean[1];
        arena.tell("restart what failed of " + name, rest -> {
            try {
                rest.restartFailed(name);
            } catch (ConnectRestException e) {
                fenced[0] = e.getMessage().contains("write privileges");
                if (!fenced[0]) {
                    throw e;
                }
            }
        });
        if (fenced[0]) {
            intervened("the leader has lost its write privileges: one worker is restarted");
            arena.worker(restarts % arena.workerCount()).restart();
        }
    }

    private void awaitEnd(LiveView view) {
        long[] truth = feed.truth();
        long[] records = {-1, System.nanoTime()};
        boolean ended = Await.reached(
                END_LIMIT, () -> tended(() -> view.hasReached(truth)) || isStalled(view.records(), records));
        if (!ended || !view.hasReached(truth)) {
            // Not an error of the run: what is missing is for the oracle to count.
            out.printf(
                    "  the end was not reached: %s of %s; %s%n",
                    Arrays.toString(view.highest()), Arrays.toString(truth), state());
            out.flush();
        }
    }

    private static boolean isStalled(long records, long[] last) {
        if (records != last[0]) {
            last[0] = records;
            last[1] = System.nanoTime();
        }
        return System.nanoTime() - last[1] > STALLED.toNanos();
    }

    private ConnectorStatus status() {
        return arena.ask("status of " + name, rest -> rest.status(name));
    }

    private String state() {
        return status().toString();
    }

    private RoundResult check(long[] highest) {
        Oracle oracle = Oracle.timed(feed.run, feed.expected(highest));
        TopicReader reader = new TopicReader(arena.bootstrapServers());
        long[] read = new long[2];
        reader.readCommitted(feed.topic(), record -> {
            read[0]++;
            feed.show(record.value(), record.timestamp(), oracle);
        });
        reader.readUncommitted(feed.topic(), record -> read[1]++);
        long allowedMs = Arena.OFFSET_FLUSH_INTERVAL_MS + Arena.OFFSET_FLUSH_TIMEOUT_MS + longestOutageMs;
        Findings found = oracle.findings();
        return new RoundResult(
                round,
                name,
                found,
                feed.http(found),
                feed.outbox(found),
                read[1] - read[0],
                allowedMs,
                attributed(oracle.violations()),
                List.copyOf(interventions),
                "");
    }

    /** Each violation goes to the last fault that had begun when it came to light. */
    private List<FaultResult> attributed(List<Oracle.Violation> violations) {
        List<Map<Oracle.Kind, Long>> counts = new ArrayList<>();
        faults.forEach(fault -> counts.add(new EnumMap<>(Oracle.Kind.class)));
        for (Oracle.Violation violation : violations) {
            int at = -1;
            while (at + 1 < faults.size() && faults.get(at + 1).beganMs() <= violation.ms()) {
                at++;
            }
            if (at >= 0) {
                long ignored = counts.get(at).merge(violation.kind(), 1L, Long::sum);
            }
        }
        List<FaultResult> results = new ArrayList<>();
        for (int i = 0; i < faults.size(); i++) {
            results.add(faults.get(i).with(counts.get(i)));
        }
        return results;
    }

    /** The result of a round that did not come to its end. */
    RoundResult failed(RuntimeException failure) {
        return new RoundResult(
                round,
                name,
                Findings.NONE,
                Optional.empty(),
                Optional.empty(),
                0,
                0,
                List.copyOf(faults),
                List.copyOf(interventions),
                String.valueOf(failure));
    }
}
