package io.microbatch.bench.control;

import io.microbatch.bench.QuickOrFull;
import io.microbatch.bench.VerifyingCommand;
import io.microbatch.bench.control.RegretFigures.AtRate;
import io.microbatch.bench.control.RegretFigures.Shown;
import io.microbatch.bench.load.Delivery;
import io.microbatch.bench.load.LoadResult;
import io.microbatch.bench.load.LoadRun;
import io.microbatch.bench.load.LoadSpec;
import io.microbatch.bench.load.LoadStack;
import io.microbatch.bench.load.Medians;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench regret}: exits with 0 when every event was verified. */
@Command(
        name = "regret",
        sortOptions = false,
        description = {
            "At each rate, exactly-once: what the adaptive setting loses versus the best of a grid of"
                    + " fixed lingers.",
            "",
            "First the adaptive connector learns at every rate; then all settings take turns at it, the adaptive one"
                    + " with what it learned. Capacity is events per second that the task is busy, p99 is from arrival"
                    + " to acknowledgement; medians over observation windows.",
            ""
        })
public final class RegretCommand extends VerifyingCommand {

    private static final List<Integer> ALL_RATES = List.of(10, 50, 300, 1_000, 5_000, 25_000, 100_000);
    private static final List<Integer> ALL_LINGERS_MS = List.of(0, 1, 2, 5, 10, 20, 50, 100, 500);
    private static final List<Integer> QUICK_RATES = List.of(50, 1_000, 20_000);
    private static final List<Integer> QUICK_LINGERS_MS = List.of(0, 5, 20, 100);
    private static final String ADAPTIVE = "adaptive";
    private static final String NAIVE = "naive";

    /** Above this rate a transaction for each event keeps up on no machine, and what is late fills the run. */
    private static final int MAX_NAIVE_PER_SEC = 100;

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
            names = "--repetitions",
            paramLabel = "N",
            description = "how often every setting takes its turn at a rate, instead of 1 (quick) or 3 (full)")
    private Integer repetitions;

    private int runs;

    @Override
    protected Map<String, Object> measure() throws IOException {
        if (brokers != 1 && brokers != BrokerCluster.NODES) {
            throw wrong("--brokers is 1 or " + BrokerCluster.NODES);
        }
        List<AtRate> measured = new ArrayList<>();
        try (WorkDirectory work = WorkDirectory.create("microbatch-regret");
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
     */
    private void warmUp(LoadRun load) {
        boolean events = note(
                run(load, "warm-up-events", 20_000, 0, 10, Settings.fixed(20)).isVerified());
        boolean transactions =
                note(run(load, "warm-up-commits", 300, 0, 30, Settings.fixed(1)).isVerified());
        say("warmed up" + (events && transactions ? "" : ", NOT VERIFIED"));
    }

    private AtRate measure(LoadRun load, int rate) {
        int learnSeconds = extent.isQuick() ? 24 : 60;
        // Ten windows of two seconds and what it takes for each to settle.
        LoadResult learning = run(load, ADAPTIVE + "-" + rate, rate, 0, learnSeconds, Settings.adaptive());
        boolean learned = note(learning.isVerified());
        say(rate + "/s: learned in " + learning.windows().all().size() + " windows"
                + (learned ? "" : ", NOT VERIFIED"));
        List<String> settings = new ArrayList<>(List.of(ADAPTIVE));
        (extent.isQuick() ? QUICK_LINGERS_MS : ALL_LINGERS_MS).forEach(ms -> settings.add(ms.toString()));
        if (rate <= MAX_NAIVE_PER_SEC) {
            settings.add(NAIVE);
        }
        Map<String, List<Shown>> shown = new LinkedHashMap<>();
        settings.forEach(setting -> shown.put(setting, new ArrayList<>()));
        double level = Double.NaN;
        int turns = repetitions != null ? repetitions : extent.isQuick() ? 1 : 3;
        for (int repetition = 0; repetition < turns; repetition++) {
            List<String> order = new ArrayList<>(settings);
            Collections.shuffle(order, new Random(repetition));
            for (String setting : order) {
                boolean adaptive = setting.equals(ADAPTIVE);
                LoadResult result =
                        run(load, adaptive ? ADAPTIVE + "-" + rate : "fixed", rate, 2, 6, settings(setting));
                boolean ignored = note(result.isVerified());
                Windows settled = result.windows().where(window -> !window.trial());
                shown.get(setting).add(shown(setting, result, settled));
                level = adaptive ? settled.median(Window::level) : level;
            }
        }
        double budgetMs = LatencyBudgets.DEFAULT.budgetMs(
                Double.isNaN(level) ? PressureLevel.ofRate(rate) : PressureLevel.ofNumber((int) level));
        List<Shown> fixed = settings.stream()
                .filter(setting -> !setting.equals(ADAPTIVE))
                .map(setting -> median(setting, shown.get(setting)))
                .toList();
        return new AtRate(rate, budgetMs, median(ADAPTIVE, shown.get(ADAPTIVE)), fixed);
    }

    private static Map<String, String> settings(String name) {
        return switch (name) {
            case ADAPTIVE -> Settings.adaptive();
            case NAIVE -> Settings.oneEventAPoll();
            default -> Settings.fixed(Integer.parseInt(name));
        };
    }

    private LoadResult run(
            LoadRun load, String connector, int rate, int warmUp, int seconds, Map<String, String> settings) {
        String topic = "regret-" + runs++;
        // A fixed setting has nothing to learn, and its file would hold the rows of all of them.
        String name = connector.equals("fixed") ? topic : connector;
        return load.run(LoadSpec.steady(name, topic, Delivery.EXACTLY_ONCE, rate, warmUp, seconds, settings));
    }

    private static Shown shown(String name, LoadResult result, Windows windows) {
        return new Shown(
                name,
                windows.median(Window::lingerMs),
                windows.median(Window::capacityPerSec),
                windows.median(Window::ackP99Ms),
                result.workerCpuSecPerMillion() + result.brokerCpuSecPerMillion());
    }

    private static Shown median(String name, List<Shown> repeated) {
        return new Shown(
                name,
                Medians.of(repeated.stream().map(Shown::lingerMs).toList()),
                Medians.of(repeated.stream().map(Shown::capacity).toList()),
                Medians.of(repeated.stream().map(Shown::p99Ms).toList()),
                Medians.of(repeated.stream().map(Shown::cpuSecPerMillion).toList()));
    }
}
