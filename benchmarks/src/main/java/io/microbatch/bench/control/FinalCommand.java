package io.microbatch.bench.control;

import io.microbatch.bench.Table;
import io.microbatch.bench.VerifyingCommand;
import io.microbatch.bench.load.Delivery;
import io.microbatch.bench.load.LoadResult;
import io.microbatch.bench.load.LoadRun;
import io.microbatch.bench.load.LoadSpec;
import io.microbatch.bench.load.LoadStack;
import io.microbatch.bench.load.Settings;
import io.microbatch.testbed.WorkDirectory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code bench final}: exits with 0 when every event was verified. */
@Command(
        name = "final",
        sortOptions = false,
        description = {
            "One table: every way to get events into Kafka through a Connect worker, and when to use which.",
            "",
            "naive returns one event from each poll, linger is the same with linger.ms=100 for the producer, greedy"
                    + " is this connector with T = 0, fixed with T = 5 ms, adaptive as it is. Throughput at"
                    + " saturation, end-to-end latency and CPU at 100 and 10,000 events/s, in both delivery modes;"
                    + " eight minutes. A dash is a rate that was not reached.",
            ""
        },
        footer = {"", "Exit codes: 0 verified, 1 not verified or failed, 2 wrong command line."})
public final class FinalCommand extends VerifyingCommand {

    private static final String NUMBER = "%,.1f";
    private static final int SLOW = 100;
    private static final int FAST = 10_000;
    private static final double REACHED = 0.95;
    private static final int WARM_UP_SECONDS = 4;
    private static final int SECONDS = 8;
    private static final int EVENTS = 1_500_000;
    private static final int EVENTS_OF_NAIVE = 1_000;

    /** One implementation. */
    private enum Way {
        NAIVE("when there are a few events a minute, and no plugin may be installed"),
        LINGER("in at-least-once mode: the producer batches by itself"),
        GREEDY("when latency counts more than CPU; under exactly-once, transactions delay each other"),
        FIXED("when the rate never changes and the best T for it was measured"),
        ADAPTIVE("when the rate changes, or measuring is too much work");

        private final String use;

        Way(String use) {
            this.use = use;
        }

        private String text() {
            return name().toLowerCase(Locale.ROOT);
        }

        private boolean onePerPoll() {
            return this == NAIVE || this == LINGER;
        }
    }

    private int runs;

    @Override
    protected Map<String, Object> measure() throws IOException {
        Map<String, Object> json = new LinkedHashMap<>();
        try (WorkDirectory work = WorkDirectory.create("microbatch-final");
                LoadStack stack = LoadStack.start(work.path(), 1)) {
            measuredOn(stack.bootstrapServers());
            for (Delivery delivery : Delivery.values()) {
                for (int warmUp = 0; warmUp < 2; warmUp++) {
                    boolean ignored =
                            note(saturate(stack, Way.ADAPTIVE, delivery, EVENTS).isVerified());
                }
                List<Map<String, Object>> ways = new ArrayList<>();
                for (Way way : Way.values()) {
                    ways.add(measure(stack, way, delivery));
                }
                json.put(delivery.key(), ways);
                print(delivery, ways);
            }
        }
        for (Way way : Way.values()) {
            say(String.format(Locale.ROOT, "%-10s %s", way.text(), way.use));
        }
        return json;
    }

    private Map<String, Object> measure(LoadStack stack, Way way, Delivery delivery) {
        boolean slow = way.onePerPoll() && delivery == Delivery.EXACTLY_ONCE;
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", way.text());
        LoadResult most = saturate(stack, way, delivery, slow ? EVENTS_OF_NAIVE : EVENTS);
        json.put("per_s", note(most.isVerified()) ? most.perSec() : null);
        put(json, SLOW, steady(stack, way, delivery, SLOW));
        if (!slow) {
            // One transaction an event does not keep up with this rate.
            put(json, FAST, steady(stack, way, delivery, FAST));
        }
        return json;
    }

    private void put(Map<String, Object> json, int rate, LoadResult result) {
        // Where the rate is not reached, latency is how long the run was.
        if (note(result.isVerified()) && result.perSec() > REACHED * rate) {
            json.put("p50_ms_" + rate, result.p(50));
            json.put("p99_ms_" + rate, result.p(99));
            json.put("cpu_s_per_million_" + rate, result.workerCpuSecPerMillion() + result.brokerCpuSecPerMillion());
        }
    }

    private LoadResult saturate(LoadStack stack, Way way, Delivery delivery, int events) {
        String topic = "final-" + runs++;
        return new LoadRun(stack, out())
                .run(LoadSpec.saturating(name(way, delivery), topic, delivery, events, events / 5, settings(way)));
    }

    private LoadResult steady(LoadStack stack, Way way, Delivery delivery, int rate) {
        String topic = "final-" + runs++;
        return new LoadRun(stack, out())
                .run(LoadSpec.steady(
                        name(way, delivery), topic, delivery, rate, WARM_UP_SECONDS, SECONDS, settings(way)));
    }

    private static String name(Way way, Delivery delivery) {
        return "final-" + way.text() + "-" + delivery.key();
    }

    private static Map<String, String> settings(Way way) {
        Map<String, String> settings = new LinkedHashMap<>(
                switch (way) {
                    case NAIVE, LINGER -> Settings.baseline(1);
                    case GREEDY -> Settings.fixed(0);
                    case FIXED -> Settings.fixed(5);
                    case ADAPTIVE -> Settings.adaptive();
                });
        settings.put("producer.override.compression.type", "lz4");
        settings.put("producer.override.batch.size", "1000000");
        settings.put("producer.override.linger.ms", way == Way.LINGER ? "100" : "0");
        return settings;
    }

    private void print(Delivery delivery, List<Map<String, Object>> ways) {
        Table table = new Table()
                .text(16, delivery.text(), "name")
                .number(12, "events/s", "per_s", NUMBER)
                .number(10, "p50 100/s", "p50_ms_" + SLOW, NUMBER)
                .number(10, "p99 100/s", "p99_ms_" + SLOW, NUMBER)
                .number(12, "CPU s/M 100", "cpu_s_per_million_" + SLOW, NUMBER)
                .number(10, "p50 10k/s", "p50_ms_" + FAST, NUMBER)
                .number(10, "p99 10k/s", "p99_ms_" + FAST, NUMBER)
                .number(12, "CPU s/M 10k", "cpu_s_per_million_" + FAST, NUMBER);
        say("");
        say(table.header());
        ways.forEach(way -> say(table.row(way)));
        say("");
    }
}
