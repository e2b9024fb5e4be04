package io.microbatch.bench.control;

import io.microbatch.bench.BuiltArchive;
import io.microbatch.bench.Comparison;
import io.microbatch.bench.QuickOrFull;
import io.microbatch.bench.VerifyingCommand;
import io.microbatch.bench.load.Delivery;
import io.microbatch.bench.load.GrowingRun;
import io.microbatch.bench.load.LoadResult;
import io.microbatch.bench.load.LoadRun;
import io.microbatch.bench.load.LoadSpec;
import io.microbatch.bench.load.LoadStack;
import io.microbatch.bench.load.OlderPlugin;
import io.microbatch.bench.load.Settings;
import io.microbatch.bench.load.TransactionalProducer;
import io.microbatch.testbed.WorkDirectory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench compare}: exits with 0 when every event of every contender was verified. */
@Command(
        name = "compare",
        sortOptions = false,
        description = {
            "How much a worker moves at saturation: one event a poll, a source that buffers nothing, both also with"
                    + " Connect's transaction.boundary=interval, a fixed setting, the adaptive one, and a producer"
                    + " without Connect.",
            "",
            "100-byte random events, one topic partition, the same converter and producer settings for all, in rotated"
                    + " turns. Every event is read back by a read_committed consumer; the figure is events per second"
                    + " as it gets them, the tail included. interval_20, _50 and _100 return one event from each"
                    + " poll, unbuffered ones all they have; they exist under exactly-once only. adaptive reads the"
                    + " connector's own generator; hosted ones are the sources of the stock contenders, hosted by this"
                    + " connector. With --older there is also the adaptive connector of an older commit, in the same"
                    + " worker. A second table has the CPU of worker and broker for an event, by what the worker's"
                    + " threads do, and the time that all cores had for it.",
            ""
        })
public final class CompareCommand extends VerifyingCommand {

    private static final double FIXED_LINGER_MS = 5;
    private static final int QUICK_EVENTS = 2_000_000;

    /** The first round has as many: a worker's JVM takes that long to compile what it runs. */
    private static final int FULL_EVENTS = 4_000_000;

    /** What one event a transaction manages in seconds. */
    private static final int FEW_EVENTS = 1_000;

    private static final int MAX_ROUNDS = 20;
    private static final int MAX_GC_PAUSE_MS = 1_000;

    /** After the options of all measurements, which they override. */
    private static final List<String> GROWING_HEAP = List.of("-Xms256m", "-XX:-AlwaysPreTouch");

    @ArgGroup(multiplicity = "1")
    private QuickOrFull extent;

    @Option(
            names = "--contenders",
            paramLabel = "NAME",
            split = ",",
            description = "what is compared, separated by commas, instead of everything")
    private List<String> names;

    @Option(names = "--rounds", paramLabel = "N", description = "medians of this many rounds, 1 to 20")
    private Integer rounds;

    @Option(
            names = "--older",
            paramLabel = "COMMIT",
            description = "also compare with this project's connector at an older commit, as contender older; Maven"
                    + " builds it the first time")
    private String olderCommit;

    @Option(
            names = "--growing-heap",
            description =
                    "the worker's heap grows from 256 MB to 2 GB, as with Kafka's own script; otherwise it has 2 GB"
                            + " from the start")
    private boolean growingHeap;

    @Option(
            names = "--gc-pause-ms",
            paramLabel = "MS",
            description = "the worker's -XX:MaxGCPauseMillis, 1 to 1000; otherwise 20, as with Kafka's own script")
    private Integer gcPauseMs;

    /** How many events the warm-up has found to take some seconds. */
    private final Map<String, Integer> eventsOf = new HashMap<>();

    private int runs;

    /** What is compared. */
    private enum CompareContender {
        NAIVE(Settings.baseline(1)),
        INTERVAL_20(Settings.interval(1, 20)),
        INTERVAL_50(Settings.interval(1, 50)),
        INTERVAL_100(Settings.interval(1, 100)),
        FIXED(Settings.fixed(FIXED_LINGER_MS)),
        ADAPTIVE(Settings.adaptive()),
        HOSTED(Settings.hosted(Settings.baseline(1))),
        HOSTED_INTERVAL_100(Settings.withInterval(Settings.hosted(Settings.baseline(1)), 100)),
        HOSTED_UNBUFFERED(Settings.hosted(Settings.baseline(Settings.MAX_EVENTS))),
        HOSTED_UNBUFFERED_INTERVAL_100(Settings.withInterval(HOSTED_UNBUFFERED.settings, 100)),
        OLDER(OlderPlugin.SETTINGS),
        UNBUFFERED(Settings.baseline(Settings.MAX_EVENTS)),
        UNBUFFERED_INTERVAL_20(Settings.interval(Settings.MAX_EVENTS, 20)),
        UNBUFFERED_INTERVAL_50(Settings.interval(Settings.MAX_EVENTS, 50)),
        UNBUFFERED_INTERVAL_100(Settings.interval(Settings.MAX_EVENTS, 100)),
        PRODUCER(Map.of());

        private final Map<String, String> settings;

        CompareContender(Map<String, String> settings) {
            this.settings = settings;
        }

        private boolean isFor(Delivery delivery) {
            return delivery == Delivery.EXACTLY_ONCE || !Settings.isByTheClock(settings);
        }

        /** Whether each event may be a transaction, so that nobody knows how many are carried in some seconds. */
        private boolean mayBeSlow(Delivery delivery) {
            return delivery == Delivery.EXACTLY_ONCE && Settings.isOneEventAPoll(settings);
        }
    }

    @Override
    protected Map<String, Object> measure() throws IOException {
        List<CompareContender> contenders = chosen(
                names,
                Stream.of(CompareContender.values())
                        .filter(contender -> contender != CompareContender.OLDER || olderCommit != null)
                        .toList(),
                Comparison::key);
        int last = rounds != null ? rounds : extent.isQuick() ? 3 : 7;
        if (last < 1 || last > MAX_ROUNDS) {
            throw wrong("--rounds is 1 to " + MAX_ROUNDS);
        }
        if (gcPauseMs != null && (gcPauseMs < 1 || gcPauseMs > MAX_GC_PAUSE_MS)) {
            throw wrong("--gc-pause-ms is 1 to " + MAX_GC_PAUSE_MS);
        }
        repeated(last);
        Map<String, Object> json = new LinkedHashMap<>();
        try (WorkDirectory work = WorkDirectory.createOnFreeDisk("microbatch-compare");
                LoadStack stack = LoadStack.startWith(workerOptions(), work.path())) {
            if (olderCommit != null) {
                say("the archive of " + olderCommit);
                stack.addOlder(new BuiltArchive().of(olderCommit));
            }
            measuredOn(stack.bootstrapServers());
            for (Delivery delivery : Delivery.values()) {
                List<CompareContender> those = contenders.stream()
                        .filter(contender -> contender.isFor(delivery))
                        .toList();
                json.put(delivery.key(), compare(stack, those, delivery, last));
            }
        }
        return json;
    }

    private List<String> workerOptions() {
        List<String> options = new ArrayList<>(growingHeap ? GROWING_HEAP : List.of());
        if (gcPauseMs != null) {
            options.add("-XX:MaxGCPauseMillis=" + gcPauseMs);
        }
        return options;
    }

    private Map<String, Object> compare(
            LoadStack stack, List<CompareContender> contenders, Delivery delivery, int last) {
        Comparison<CompareContender> comparison = new Comparison<>(contenders, CompareContender.ADAPTIVE);
        CpuPerEvent cpu = new CpuPerEvent(Runtime.getRuntime().availableProcessors());
        // The first round warms up the worker's JVM and counts for nothing but the check.
        for (int round = 0; round <= last; round++) {
            for (CompareContender contender : Comparison.order(contenders, round - 1)) {
                LoadResult result = round == 0 ? warmUp(stack, contender, delivery) : run(stack, contender, delivery);
                if (round > 0 && result.isVerified()) {
                    comparison.add(contender, result.perSec());
                    cpu.add(Comparison.key(contender), result);
                } else if (round > 0 && result.isSound(Settings.isStock(contender.settings))) {
                    comparison.addCollapsed(contender, result.perSec());
                }
            }
            say(delivery.text() + ": " + round + " of " + last);
        }
        Map<String, Object> json = comparison.report(delivery.text(), out());
        json.put("cpu_us_per_event", cpu.report(out()));
        return json;
    }

    private LoadResult warmUp(LoadStack stack, CompareContender contender, Delivery delivery) {
        int fewest = contender.mayBeSlow(delivery) ? FEW_EVENTS : FULL_EVENTS;
        return GrowingRun.of(fewest, FULL_EVENTS, events -> {
            int most = extent.isQuick() ? QUICK_EVENTS : FULL_EVENTS;
            eventsOf.put(name(contender, delivery), Math.min(events, most));
            return run(stack, contender, delivery, events);
        });
    }

    private LoadResult run(LoadStack stack, CompareContender contender, Delivery delivery) {
        return run(stack, contender, delivery, eventsOf.get(name(contender, delivery)));
    }

    private LoadResult run(LoadStack stack, CompareContender contender, Delivery delivery, int events) {
        Map<String, String> settings = Settings.withProducer(contender.settings);
        LoadSpec wanted = LoadSpec.saturating(
                name(contender, delivery), "compare-" + runs++, delivery, events, events / 5, settings);
        boolean isProducer = contender == CompareContender.PRODUCER;
        configured(Comparison.key(contender), isProducer ? Settings.producer() : wanted.settings());
        LoadResult result = isProducer
                ? new TransactionalProducer(stack, out()).run(wanted, Settings.MAX_EVENTS, Settings.producer())
                : new LoadRun(stack, out()).run(wanted);
        if (result.cut()) {
            eventsOf.put(name(contender, delivery), GrowingRun.next(events, result));
        }
        boolean ignored = note(result.isSound(Settings.isStock(contender.settings)));
        return result;
    }

    /** One name for all rounds of a contender: the adaptive one keeps what it learned, as it does in use. */
    private static String name(CompareContender contender, Delivery delivery) {
        return "compare-" + Comparison.key(contender) + "-" + delivery.key();
    }
}
