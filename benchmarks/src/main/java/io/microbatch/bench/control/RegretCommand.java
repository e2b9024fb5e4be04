package io.microbatch.bench.control;

import io.microbatch.bench.QuickOrFull;
import io.microbatch.bench.Rounds;
import io.microbatch.bench.VerifyingCommand;
import io.microbatch.bench.control.RegretFigures.AtRate;
import io.microbatch.bench.control.RegretFigures.Shown;
import io.microbatch.bench.load.Delivery;
import io.microbatch.bench.load.LoadResult;
import io.microbatch.bench.load.LoadRun;
import io.microbatch.bench.load.LoadSpec;
import io.microbatch.bench.load.LoadStack;
import io.microbatch.bench.load.Settings;
import io.microbatch.bench.load.Window;
import io.microbatch.bench.load.Windows;
import io.microbatch.connect.pressure.LatencyBudgets;
import io.microbatch.connect.pressure.PressureLevel;
import io.microbatch.testbed.BrokerCluster;
import io.microbatch.testbed.WorkDirectory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench regret}: exits with 0 when every event was verified. */
@Command(
        name = "regret",
        sortOptions = false,
        description = {
            "At each rate, exactly-once: what the adaptive setting loses versus the best of a grid of"
                    + " fixed lingers, and versus Connect's transaction.boundary=interval, also with a producer's"
                    + " linger as long as the interval.",
            "",
            "First the adaptive connector learns at every rate; then all settings take three turns at it"
                    + " in changing order, the adaptive one with what it learned. Its windows count, those of trials"
                    + " among them. The lingers are those of 0 to 500 ms up to 1.2 times the rate's budget, all with"
                    + " N = 20,000. CPU is of worker and broker, end-to-end latency from when an event was due to a"
                    + " read_committed consumer; capacity is events per second that the task is busy, p99 from"
                    + " arrival to acknowledgement is the median over observation windows: both exist for this"
                    + " connector only.",
            ""
        })
public final class RegretCommand extends VerifyingCommand {

    private static final List<Integer> ALL_RATES = List.of(10, 50, 300, 1_000, 5_000, 25_000, 100_000);
    private static final List<Integer> ALL_LINGERS_MS =
            List.of(0, 1, 2, 5, 10, 20, 30, 40, 50, 70, 80, 100, 150, 200, 300, 400, 500);
    private static final List<Integer> QUICK_RATES = List.of(50, 1_000, 20_000);
    private static final List<Integer> QUICK_LINGERS_MS = List.of(0, 5, 20, 40, 80, 150, 300, 400);
    private static final String ADAPTIVE = "adaptive";
    private static final String ONE_EVENT = "naive";

    /** Above this rate a transaction for each event keeps up on no machine, and what is late fills the run. */
    private static final int MAX_ONE_EVENT_PER_SEC = 100;

    /** Shows whether an interval is shorter than a commit: then these events take most of a minute. */
    private static final int PROBE_EVENTS = 500;

    private static final int PROBE_PER_SEC = 1_000;
    private static final int PROBE_LIMIT_SECONDS = 120;

    @ArgGroup(multiplicity = "1")
    private QuickOrFull extent;

    @Option(
            names = "--brokers",
            paramLabel = "N",
            defaultValue = "1",
            description = "1, or 3 with min.insync.replicas=2; default ${DEFAULT-VALUE}")
    private int brokers;

    @Option(
            names = "--rates",
            paramLabel = "N",
            split = ",",
            description = "events/s, separated by commas, instead of those of the preset")
    private List<Integer> rates;

    @Option(
            names = {"--rounds", "--repetitions"},
            paramLabel = "N",
            defaultValue = "3",
            description = "how often every setting takes its turn at a rate; default ${DEFAULT-VALUE}")
    private int rounds;

    /** Events per second of the settings with transactions by the clock, at saturation. */
    private final Map<String, Double> carriedPerSec = new LinkedHashMap<>();

    private int runs;

    @Override
    protected Map<String, Object> measure() throws IOException {
        if (brokers != 1 && brokers != BrokerCluster.NODES) {
            throw wrong("--brokers is 1 or " + BrokerCluster.NODES);
        }
        if (rounds < 1) {
            throw wrong("--rounds is 1 or more");
        }
        repeated(rounds);
        List<AtRate> measured = new ArrayList<>();
        try (WorkDirectory work = WorkDirectory.createOnFreeDisk("microbatch-regret");
                LoadStack stack = LoadStack.start(work.path(), brokers)) {
            measuredOn(stack.bootstrapServers());
            LoadRun load = new LoadRun(stack, out());
            warmUp(load);
            for (int rate : rates != null ? rates : extent.isQuick() ? QUICK_RATES : ALL_RATES) {
                measured.add(measure(load, rate));
                RegretReport.print(measured.get(measured.size() - 1), out());
            }
        }
        RegretReport.printProof(measured, out());
        return RegretReport.json(brokers, measured);
    }

    /**
     * Of events and of transactions: a worker's first ten thousand of either take several times as long as later ones.
     * It also finds which rates an interval carries. Where a commit takes longer than the interval, that is one event a
     * commit.
     */
    private void warmUp(LoadRun load) {
        LoadResult events = run(load, "warm-up-events", 20_000, 0, 10, Settings.fixed(20));
        LoadResult transactions = run(load, "warm-up-commits", 300, 0, 30, Settings.fixed(1));
        boolean verified = events.isVerified() && transactions.isVerified();
        for (Map.Entry<String, Map<String, String>> setting : intervals().entrySet()) {
            String name = "regret-" + runs++;
            LoadResult probe = noted(
                    load,
                    new LoadSpec(
                            name,
                            name,
                            Delivery.EXACTLY_ONCE,
                            Integer.toString(PROBE_PER_SEC),
                            PROBE_EVENTS,
                            0,
                            PROBE_LIMIT_SECONDS,
                            setting.getValue()));
            verified &= probe.isSound(true);
            double perSec = probe.perSecSinceDue();
            boolean commitsEveryPoll = perSec < PROBE_PER_SEC / 2.0;
            carriedPerSec.put(setting.getKey(), commitsEveryPoll ? perSec : Double.MAX_VALUE);
            say(setting.getKey() + (commitsEveryPoll ? " carries " + Math.round(perSec) : " carries all")
                    + " events/s");
        }
        say("warmed up" + (verified ? "" : ", NOT VERIFIED"));
    }

    /** The settings with transactions by the clock, by name. */
    static Map<String, Map<String, String>> intervals() {
        Map<String, Map<String, String>> intervals = Settings.intervals();
        intervals.put("interval_20_linger_20", Settings.withLinger(intervals.get("interval_20"), 20));
        intervals.put("interval_50_linger_50", Settings.withLinger(intervals.get("interval_50"), 50));
        return intervals;
    }

    private AtRate measure(LoadRun load, int rate) {
        int learnSeconds = extent.isQuick() ? 24 : 60;
        // Ten windows of two seconds and what it takes for each to settle.
        LoadResult learning = run(load, ADAPTIVE + "-" + rate, rate, 0, learnSeconds, Settings.adaptive());
        say(rate + "/s: learned in " + learning.windows().all().size() + " windows"
                + (learning.isVerified() ? "" : ", NOT VERIFIED"));
        double learnedLevel = learning.windows().median(Window::level);
        double budgetMs = LatencyBudgets.DEFAULT.budgetMs(
                Double.isNaN(learnedLevel) ? PressureLevel.ofRate(rate) : PressureLevel.ofNumber((int) learnedLevel));
        Map<String, Map<String, String>> settings = new LinkedHashMap<>();
        settings.put(ADAPTIVE, Settings.adaptive());
        List<Integer> grid = extent.isQuick() ? QUICK_LINGERS_MS : ALL_LINGERS_MS;
        RegretFigures.lingersMs(grid, rate, budgetMs)
                .forEach(lingerMs -> settings.put(lingerMs.toString(), Settings.fixed(lingerMs)));
        if (rate <= MAX_ONE_EVENT_PER_SEC) {
            settings.put(ONE_EVENT, Settings.oneEventAPoll());
        }
        List<String> fixed = settings.keySet().stream()
                .filter(name -> !name.equals(ADAPTIVE))
                .toList();
        Map<String, Map<String, String>> carried = intervals();
        carried.keySet().removeIf(name -> carriedPerSec.get(name) < rate);
        settings.putAll(carried);
        List<String> notCarried = carriedPerSec.keySet().stream()
                .filter(name -> !carried.containsKey(name))
                .toList();

        Map<String, Rounds> shown = new LinkedHashMap<>();
        Set<String> late = new HashSet<>();
        settings.forEach((name, own) -> {
            configured(
                    RegretFigures.isNumber(name) ? "fixed " + name : name,
                    spec("", "", rate, 0, 1, own).settings());
            shown.put(name, new Rounds());
        });
        for (int round = 0; round < rounds; round++) {
            List<String> order = new ArrayList<>(settings.keySet());
            Collections.shuffle(order, new Random(round));
            for (String name : order) {
                // A fixed setting has nothing to learn, and its file would hold the rows of all of them.
                String connector = name.equals(ADAPTIVE) ? ADAPTIVE + "-" + rate : "regret-" + runs;
                LoadResult result = run(load, connector, rate, 2, 6, settings.get(name));
                if (result.isVerified()) {
                    shown.get(name).add(figures(result));
                } else if (result.isSound(Settings.isStock(settings.get(name)))) {
                    shown.get(name).add(Map.of("per_s", result.perSec()));
                }
                if (!result.isVerified() || !result.carried(rate)) {
                    late.add(name);
                }
            }
        }
        Function<String, Shown> medians = name -> Shown.of(name, !late.contains(name), shown.get(name));
        return new AtRate(
                rate,
                budgetMs,
                medians.apply(ADAPTIVE),
                fixed.stream().map(medians).toList(),
                carried.keySet().stream().map(medians).toList(),
                notCarried);
    }

    private LoadResult run(
            LoadRun load, String connector, int rate, int warmUp, int seconds, Map<String, String> settings) {
        return noted(load, spec(connector, "regret-" + runs++, rate, warmUp, seconds, settings));
    }

    private static LoadSpec spec(
            String connector, String topic, int rate, int warmUp, int seconds, Map<String, String> settings) {
        return LoadSpec.steady(connector, topic, Delivery.EXACTLY_ONCE, rate, warmUp, seconds, settings);
    }

    private LoadResult noted(LoadRun load, LoadSpec spec) {
        LoadResult result = load.run(spec);
        boolean ignored = note(result.isSound(spec.isStock()));
        return result;
    }

    private static Map<String, Double> figures(LoadResult result) {
        Windows windows = result.windows();
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("cpu_s_per_million", result.workerCpuSecPerMillion() + result.brokerCpuSecPerMillion());
        figures.put("p99_end_to_end_ms", result.p(99));
        figures.put("p50_end_to_end_ms", result.p(50));
        figures.put("per_s", result.perSec());
        figures.put("p99_ms", windows.median(Window::ackP99Ms));
        figures.put("linger_ms", windows.median(Window::lingerMs));
        figures.put("capacity", windows.median(Window::capacityPerSec));
        figures.put("trial_windows", (double) windows.where(Window::trial).all().size());
        figures.put("windows", (double) windows.all().size());
        return figures;
    }
}
