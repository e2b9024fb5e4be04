package io.microbatch.bench.frontier;

import io.microbatch.bench.QuickOrFull;
import io.microbatch.bench.VerifyingCommand;
import io.microbatch.bench.load.Delivery;
import io.microbatch.bench.load.Leaders;
import io.microbatch.bench.load.LoadStack;
import io.microbatch.testbed.BrokerCluster;
import io.microbatch.testbed.FaultProxy;
import io.microbatch.testbed.WorkDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench frontier}: exits with 0 when every event was verified. */
@Command(
        name = "frontier",
        sortOptions = false,
        description = {
            "At each rate: latency and CPU of this connector versus the settings that any stock connector can have.",
            "",
            "Under exactly-once these are Connect's own transactions by the clock: interval-N is a source that returns"
                    + " one event a poll with transaction.boundary=interval and transaction.boundary.interval.ms=N,"
                    + " interval-all-N one that returns all it has, interval-N-wait-M one whose polls wait M ms at"
                    + " most, naive one event a poll and a transaction. With -linger-M after its name an interval or a"
                    + " target has the producer's linger.ms=M, otherwise Kafka's default. At-least-once they are"
                    + " linger-N and linger-all-N, with the producer's linger.ms=N. Ours are default, latency"
                    + " (batch.objective=latency), target-N (latency.target.ms=N) and fixed-N (batch.mode=fixed,"
                    + " T = N ms), from the connector's own generator; with hosted- before its name the source of"
                    + " interval-N is hosted, and with -delay-M after it offsets come M ms after the records of a"
                    + " batch (batch.offset.delay.ms). Latency is end to end from when an event was due. A stock"
                    + " setting dominates one of ours if it has both a lower p99 and less CPU.",
            ""
        },
        footer = {"", "Exit codes: 0 verified, 1 not verified or failed, 2 wrong command line."})
public final class FrontierCommand extends VerifyingCommand {

    private static final List<Integer> FULL_RATES = List.of(20, 200, 1_000, 10_000, 50_000);
    private static final List<Integer> QUICK_RATES = List.of(200, 1_000, 10_000);
    private static final List<Integer> DELAYED_RATES = List.of(50, 1_000);
    private static final int MAX_RATE = 1_000_000;
    private static final int MAX_DELAY_MS = 5_000;
    private static final String BACKOFF = "add.partitions.to.txn.retry.backoff";

    /** The broker's own upper bound of the backoff, unless it is configured. */
    private static final int DEFAULT_MAX_BACKOFF_MS = 100;

    @ArgGroup(multiplicity = "1")
    private QuickOrFull extent;

    @Option(
            names = "--brokers",
            paramLabel = "N",
            defaultValue = "1",
            description = "1, or 3 with min.insync.replicas=2; default ${DEFAULT-VALUE}")
    private int brokers;

    @Option(
            names = "--leaders",
            paramLabel = "WHERE",
            description = "of three brokers: apart if records and offsets have different ones, or together; the"
                    + " transaction coordinator is always another one; default apart")
    private String leaders;

    @Option(
            names = "--txn-retry-backoff-ms",
            paramLabel = "N",
            description = "the brokers' " + BACKOFF + ".ms; Kafka's own default unless given")
    private Integer backoffMs;

    @Option(
            names = "--delays-ms",
            paramLabel = "MS",
            split = ",",
            description = "one broker that answers produce requests later by each of these delays; at 50 and 1000"
                    + " events/s unless --rates is given")
    private List<Integer> delaysMs;

    @Option(
            names = "--delivery",
            paramLabel = "MODE",
            defaultValue = "exactly-once",
            description = "exactly-once or at-least-once; default ${DEFAULT-VALUE}")
    private String delivery;

    @Option(names = "--rates", paramLabel = "N", split = ",", description = "events/s instead of the preset's")
    private List<Integer> rates;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "3",
            description = "how often every contender takes its turn; default ${DEFAULT-VALUE}")
    private int rounds;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "the measured part of a run; default " + Lengths.SECONDS + ", up to 20 at low rates")
    private Integer seconds;

    @Option(
            names = "--learn-seconds",
            paramLabel = "N",
            description =
                    "how long a contender that learns does so at a rate before the rounds; default " + Lengths.LEARN)
    private Integer learnSeconds;

    @Option(
            names = "--settle-seconds",
            paramLabel = "N",
            description = "the first part of a run, which is not measured; default " + Lengths.SETTLE)
    private Integer settleSeconds;

    @Option(
            names = "--contenders",
            paramLabel = "NAME",
            split = ",",
            description = "names as above instead of the preset's")
    private List<String> names;

    private FaultProxy proxy;

    /** By delay in milliseconds, in the order in which they were measured. */
    private final Map<Integer, List<AtRate>> measured = new LinkedHashMap<>();

    @Override
    protected Map<String, Object> measure() throws IOException {
        Delivery mode = mode();
        List<Contender> contenders = contenders(mode);
        checkNumbers();
        Lengths lengths = Lengths.of(learnSeconds, settleSeconds, seconds);
        Map<String, Object> json = described(mode, contenders, lengths);
        try (WorkDirectory work = WorkDirectory.createOnFreeDisk("microbatch-frontier");
                LoadStack stack = start(work.path())) {
            measuredOn(stack.bootstrapServers());
            FrontierRun run = new FrontierRun(stack, mode, lengths, out());
            try {
                measure(run, contenders);
            } catch (RuntimeException e) {
                // After hours, what was measured until then is worth more than nothing. It says that it is not all.
                boolean ignored = note(false);
                json.put("problem", e.toString());
                say("FAILED: " + e);
                keepLogs(work.path(), "frontier-logs");
            }
            boolean ignored = note(run.isVerified());
        }
        if (delaysMs == null) {
            json.putAll(FrontierReport.json(measured.getOrDefault(0, List.of())));
        } else {
            json.put("delays", delays());
        }
        return json;
    }

    private void measure(FrontierRun run, List<Contender> contenders) {
        run.warmUp();
        for (int delayMs : delaysMs == null ? List.of(0) : delaysMs) {
            String place = "";
            if (delaysMs != null) {
                say("");
                say("produce requests are answered " + delayMs + " ms later");
                proxy.delayProduce(delayMs);
                place = "-delay-" + delayMs;
            }
            for (int rate : rates()) {
                AtRate atRate = run.measure(rate, place, contenders, rounds);
                FrontierReport.print(atRate, out());
                measured.computeIfAbsent(delayMs, unused -> new ArrayList<>()).add(atRate);
            }
        }
    }

    private List<Object> delays() {
        List<Object> delays = new ArrayList<>();
        measured.forEach((delayMs, atRates) -> {
            Map<String, Object> delay = new LinkedHashMap<>();
            delay.put("delay_ms", delayMs);
            delay.putAll(FrontierReport.json(atRates));
            delays.add(delay);
        });
        return delays;
    }

    private Delivery mode() {
        return Arrays.stream(Delivery.values())
                .filter(each -> each.text().equals(delivery))
                .findFirst()
                .orElseThrow(() -> wrong("--delivery is exactly-once or at-least-once"));
    }

    private Leaders leaders() {
        if (leaders == null) {
            return Leaders.APART;
        }
        return Arrays.stream(Leaders.values())
                .filter(each -> each.text().equals(leaders))
                .findFirst()
                .orElseThrow(() -> wrong("--leaders is apart or together"));
    }

    private List<Contender> contenders(Delivery mode) {
        List<String> wanted = names != null ? names : Contender.usual(mode, extent.isQuick(), delaysMs != null);
        if (new HashSet<>(wanted).size() < wanted.size()) {
            throw wrong("--contenders names one twice");
        }
        try {
            return wanted.stream().map(name -> Contender.named(name, mode)).toList();
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
    }

    private List<Integer> rates() {
        return rates != null ? rates : delaysMs != null ? DELAYED_RATES : extent.isQuick() ? QUICK_RATES : FULL_RATES;
    }

    private void checkNumbers() {
        if (brokers != 1 && brokers != BrokerCluster.NODES) {
            throw wrong("--brokers is 1 or " + BrokerCluster.NODES);
        }
        if (leaders != null && brokers == 1) {
            throw wrong("--leaders needs --brokers " + BrokerCluster.NODES);
        }
        if (delaysMs != null && brokers != 1) {
            throw wrong("--delays-ms needs --brokers 1");
        }
        if (delaysMs != null && delaysMs.stream().anyMatch(ms -> ms < 0 || ms > MAX_DELAY_MS)) {
            throw wrong("--delays-ms are 0 to " + MAX_DELAY_MS);
        }
        if (rates().stream().anyMatch(rate -> rate < 1 || rate > MAX_RATE)) {
            throw wrong("--rates are 1 to " + MAX_RATE);
        }
        if (rounds < 1 || rounds > 100 || (seconds != null && (seconds < 1 || seconds > 600))) {
            throw wrong("--rounds are 1 to 100, --seconds 1 to 600");
        }
        if (learnSeconds != null && (learnSeconds < 5 || learnSeconds > 600)) {
            throw wrong("--learn-seconds are 5 to 600");
        }
        if (settleSeconds != null && (settleSeconds < 0 || settleSeconds > 600)) {
            throw wrong("--settle-seconds are 0 to 600");
        }
        if (backoffMs != null && backoffMs < 1) {
            throw wrong("--txn-retry-backoff-ms is at least 1");
        }
    }

    private LoadStack start(Path work) {
        Map<String, String> properties = brokerProperties();
        if (delaysMs == null) {
            return LoadStack.start(work, brokers, leaders(), properties);
        }
        proxy = FaultProxy.listenForKafka();
        return LoadStack.startBehind(proxy, work, properties);
    }

    private Map<String, String> brokerProperties() {
        return backoffMs == null
                ? Map.of()
                : Map.of(
                        BACKOFF + ".ms",
                        Integer.toString(backoffMs),
                        BACKOFF + ".max.ms",
                        Integer.toString(Math.max(backoffMs, DEFAULT_MAX_BACKOFF_MS)));
    }

    private Map<String, Object> described(Delivery mode, List<Contender> contenders, Lengths lengths) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("delivery", mode.text());
        json.put("brokers", brokers);
        String placed = leaders().text();
        if (brokers > 1) {
            json.put("leaders", placed);
        }
        json.put("broker_properties", brokerProperties());
        json.put("rounds", rounds);
        json.put("seconds", lengths.seconds());
        json.put("max_seconds", lengths.maxSeconds());
        json.put("learn_seconds", lengths.learn());
        json.put("settle_seconds", lengths.settle());
        Map<String, Object> settings = new LinkedHashMap<>();
        contenders.forEach(each -> settings.put(each.name(), FrontierRun.completeSettings(each, mode)));
        json.put("settings", settings);
        return json;
    }
}
