package io.microbatch.bench.control;

import io.microbatch.bench.Comparison;
import io.microbatch.bench.Rounds;
import io.microbatch.bench.Table;
import io.microbatch.bench.VerifyingCommand;
import io.microbatch.bench.load.Delivery;
import io.microbatch.bench.load.GrowingRun;
import io.microbatch.bench.load.LoadResult;
import io.microbatch.bench.load.LoadRun;
import io.microbatch.bench.load.LoadSpec;
import io.microbatch.bench.load.LoadStack;
import io.microbatch.bench.load.Settings;
import io.microbatch.testbed.WorkDirectory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench final}: exits with 0 when every event was verified. */
@Command(
        name = "final",
        sortOptions = false,
        description = {
            "One table: every way to get events into Kafka through a Connect worker, and when to use which.",
            "",
            "naive returns one event from each poll, linger is the same with linger.ms=100 for the producer."
                    + " interval_20 and interval_50 are naive with Connect's transaction.boundary=interval,"
                    + " interval_50_linger_50 also has linger.ms=50, unbuffered ones return all they have from each"
                    + " poll; all these under exactly-once only. greedy is this"
                    + " connector with T = 0, fixed with T = 5 ms, both with N = 20,000, adaptive as it is.",
            "",
            "End-to-end latency and CPU at 100 and 10,000 events/s and throughput at saturation, in both delivery"
                    + " modes. All ways take rotated turns after a warm-up of each; medians of three rounds, half an"
                    + " hour. A dash is a rate that was not reached.",
            ""
        },
        footer = {"", "Exit codes: 0 verified, 1 not verified or failed, 2 wrong command line."})
public final class FinalCommand extends VerifyingCommand {

    private static final String NUMBER = "%,.1f";
    private static final int SLOW = 100;
    private static final int FAST = 10_000;
    private static final int WARM_UP_SECONDS = 4;
    private static final int SECONDS = 8;
    private static final int EVENTS = 1_500_000;

    /** What one event a transaction manages in seconds. */
    private static final int FEW_EVENTS = 1_000;

    private static final int MAX_ROUNDS = 20;

    @Option(
            names = "--contenders",
            paramLabel = "NAME",
            split = ",",
            description = "what is compared, separated by commas, instead of everything")
    private List<String> names;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "3",
            description = "medians of this many rounds, 1 to 20; default ${DEFAULT-VALUE}")
    private int rounds;

    /** One implementation. */
    enum Way {
        NAIVE(Settings.baseline(1), "when there are a few events a minute, and no plugin may be installed"),
        LINGER(Settings.withLinger(Settings.baseline(1), 100), "in at-least-once mode: the producer batches by itself"),
        INTERVAL_20(
                Settings.interval(1, 20), "exactly once without a plugin, where a commit always takes less than 20 ms"),
        INTERVAL_50(Settings.interval(1, 50), "the same, where a commit always takes less than 50 ms"),
        INTERVAL_50_LINGER_50(
                Settings.withLinger(Settings.interval(1, 50), 50),
                "the same, at a steady rate: the linger saves produce requests"),
        UNBUFFERED_INTERVAL_20(
                Settings.interval(Settings.MAX_EVENTS, 20), "the same, for a source that returns all it has"),
        UNBUFFERED_INTERVAL_50(
                Settings.interval(Settings.MAX_EVENTS, 50), "the same, for a source that returns all it has"),
        GREEDY(
                Settings.fixed(0),
                "when latency counts more than CPU; under exactly-once, transactions delay each other"),
        FIXED(Settings.fixed(5), "when the rate never changes and the best T for it was measured"),
        ADAPTIVE(Settings.adaptive(), "when the rate changes, or measuring is too much work");

        private final Map<String, String> own;
        private final String use;

        Way(Map<String, String> own, String use) {
            this.own = own;
            this.use = use;
        }

        boolean isFor(Delivery delivery) {
            return delivery == Delivery.EXACTLY_ONCE || !Settings.isByTheClock(own);
        }

        /** Whether each event may be a transaction, so that nobody knows how many are carried in some seconds. */
        private boolean mayBeSlow(Delivery delivery) {
            return delivery == Delivery.EXACTLY_ONCE && Settings.isOneEventAPoll(own);
        }

        Map<String, String> settings() {
            Map<String, String> settings = new LinkedHashMap<>(own);
            settings.put("producer.override.compression.type", "lz4");
            settings.put("producer.override.batch.size", "1000000");
            settings.putIfAbsent(Settings.LINGER, "0");
            return settings;
        }
    }

    /** What the warm-up has found of a way: how many events take some seconds, and how many it carries in one. */
    private record Capacity(int events, double perSec) {}

    private final Map<String, Capacity> capacities = new HashMap<>();
    private int runs;

    @Override
    protected Map<String, Object> measure() throws IOException {
        List<Way> ways = chosen(names, List.of(Way.values()), Comparison::key);
        if (rounds < 1 || rounds > MAX_ROUNDS) {
            throw wrong("--rounds is 1 to " + MAX_ROUNDS);
        }
        repeated(rounds);
        Map<String, Object> json = new LinkedHashMap<>();
        try (WorkDirectory work = WorkDirectory.createOnFreeDisk("microbatch-final");
                LoadStack stack = LoadStack.start(work.path(), 1)) {
            measuredOn(stack.bootstrapServers());
            for (Delivery delivery : Delivery.values()) {
                List<Way> those =
                        ways.stream().filter(way -> way.isFor(delivery)).toList();
                json.put(delivery.key(), compare(stack, those, delivery));
            }
        }
        ways.forEach(way -> say(String.format(Locale.ROOT, "%-24s %s", Comparison.key(way), way.use)));
        return json;
    }

    private List<Map<String, Object>> compare(LoadStack stack, List<Way> ways, Delivery delivery) {
        Map<Way, Rounds> measured = new EnumMap<>(Way.class);
        for (Way way : ways) {
            measured.put(way, new Rounds());
            warmUp(stack, way, delivery);
        }
        say(delivery.text() + ": warmed up, which counts for the check only");
        for (int round = 1; round <= rounds; round++) {
            for (Way way : Comparison.order(ways, round - 1)) {
                measured.get(way).add(measure(stack, way, delivery));
            }
            say(delivery.text() + ": " + round + " of " + rounds);
        }
        List<Map<String, Object>> rows = new ArrayList<>();
        measured.forEach((way, figures) -> {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("name", Comparison.key(way));
            row.putAll(figures.json());
            rows.add(row);
        });
        print(delivery, rows);
        return rows;
    }

    private void warmUp(LoadStack stack, Way way, Delivery delivery) {
        LoadResult ignored = GrowingRun.of(way.mayBeSlow(delivery) ? FEW_EVENTS : EVENTS, EVENTS, events -> {
            LoadResult result = saturate(stack, way, delivery, events);
            capacities.put(name(way, delivery), new Capacity(GrowingRun.next(events, result), result.perSecSinceDue()));
            return result;
        });
    }

    private Map<String, Double> measure(LoadStack stack, Way way, Delivery delivery) {
        Capacity capacity = capacities.get(name(way, delivery));
        Map<String, Double> figures = new LinkedHashMap<>();
        for (int rate : List.of(SLOW, FAST)) {
            // At the fast one a stream that does not keep up would take minutes to show it.
            if (rate == SLOW || capacity.perSec() > rate) {
                put(figures, rate, way, steady(stack, way, delivery, rate));
            }
        }
        LoadResult most = saturate(stack, way, delivery, capacity.events());
        if (most.isSound(Settings.isStock(way.own))) {
            figures.put("per_s", most.perSec());
        }
        if (most.cut()) {
            int fewer = GrowingRun.next(capacity.events(), most);
            capacities.put(name(way, delivery), new Capacity(fewer, capacity.perSec()));
        }
        return figures;
    }

    private static void put(Map<String, Double> figures, int rate, Way way, LoadResult result) {
        if (result.isSound(Settings.isStock(way.own)) && !result.carried(rate)) {
            figures.put("carried_per_s_" + rate, result.perSec());
        } else if (result.isVerified()) {
            figures.put("cpu_s_per_million_" + rate, result.workerCpuSecPerMillion() + result.brokerCpuSecPerMillion());
            figures.put("p50_ms_" + rate, result.p(50));
            figures.put("p99_ms_" + rate, result.p(99));
        }
    }

    private LoadResult saturate(LoadStack stack, Way way, Delivery delivery, int events) {
        String topic = "final-" + runs++;
        return noted(
                stack,
                way,
                LoadSpec.saturating(name(way, delivery), topic, delivery, events, events / 5, way.settings()));
    }

    private LoadResult steady(LoadStack stack, Way way, Delivery delivery, int rate) {
        String topic = "final-" + runs++;
        return noted(
                stack,
                way,
                LoadSpec.steady(name(way, delivery), topic, delivery, rate, WARM_UP_SECONDS, SECONDS, way.settings()));
    }

    private LoadResult noted(LoadStack stack, Way way, LoadSpec spec) {
        configured(Comparison.key(way), spec.settings());
        LoadResult result = new LoadRun(stack, out()).run(spec);
        boolean ignored = note(result.isSound(spec.isStock()));
        return result;
    }

    private static String name(Way way, Delivery delivery) {
        return "final-" + Comparison.key(way) + "-" + delivery.key();
    }

    private void print(Delivery delivery, List<Map<String, Object>> rows) {
        Table table = new Table()
                .text(24, delivery.text(), "name")
                .number(12, "CPU s/M 100", "cpu_s_per_million_" + SLOW, NUMBER)
                .number(10, "p99 100/s", "p99_ms_" + SLOW, NUMBER)
                .number(10, "p50 100/s", "p50_ms_" + SLOW, NUMBER)
                .number(12, "CPU s/M 10k", "cpu_s_per_million_" + FAST, NUMBER)
                .number(10, "p99 10k/s", "p99_ms_" + FAST, NUMBER)
                .number(10, "p50 10k/s", "p50_ms_" + FAST, NUMBER)
                .number(12, "saturated/s", "per_s", NUMBER);
        say("");
        say(table.header());
        rows.forEach(row -> say(table.row(row)));
        say("");
    }
}
