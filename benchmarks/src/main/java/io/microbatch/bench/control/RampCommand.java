package io.microbatch.bench.control;

import io.microbatch.bench.QuickOrFull;
import io.microbatch.bench.VerifyingCommand;
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
import io.microbatch.testbed.WorkDirectory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;

/** {@code bench ramp}: exits with 0 when every event was verified. */
@Command(
        name = "ramp",
        sortOptions = false,
        description = {
            "One configuration at ten rates, from 10 events/s to as many as go, in both delivery modes.",
            "",
            "p99 is from arrival in the task to acknowledgement, the median over observation windows, those of trials"
                    + " among them; 'e2e' is from"
                    + " when an event was due to a read_committed consumer's having it, over all events. Where a commit"
                    + " does not fit into the budget, the lowest p99 of the fixed lingers 1, 2, 5, 10 and 20 ms (2"
                    + " and 5 with --quick) is measured too.",
            ""
        })
public final class RampCommand extends VerifyingCommand {

    private static final List<Integer> RATES =
            List.of(10, 50, 300, 1_000, 5_000, 25_000, 100_000, 500_000, 2_000_000, 0);
    private static final List<Integer> FIXED_LINGERS_MS = List.of(1, 2, 5, 10, 20);
    private static final List<Integer> QUICK_LINGERS_MS = List.of(2, 5);
    private static final int BEYOND_BUDGET_PER_SEC = 50;
    private static final double REACHED = 0.97;
    private static final int LIMIT_SECONDS = 90;
    private static final String ROW = "%-14s %10s %12s %5s %8s %9s %9s %9s %9s %9s %9s %9s  %s";

    @ArgGroup(multiplicity = "1")
    private QuickOrFull extent;

    private int runs;

    @Override
    protected Map<String, Object> measure() throws IOException {
        List<Map<String, Object>> levels = new ArrayList<>();
        try (WorkDirectory work = WorkDirectory.createOnFreeDisk("microbatch-ramp");
                LoadStack stack = LoadStack.start(work.path(), 1)) {
            measuredOn(stack.bootstrapServers());
            for (Delivery delivery : Delivery.values()) {
                LoadRun load = new LoadRun(stack, out());
                // The worker's JVM has to be warm before a latency means anything.
                boolean ignored =
                        note(run(load, delivery, 20_000, Settings.adaptive()).isVerified());
                header();
                for (int rate : RATES) {
                    levels.add(measure(load, delivery, rate));
                }
            }
        }
        return Map.of("levels", levels);
    }

    private Map<String, Object> measure(LoadRun load, Delivery delivery, int rate) {
        LoadResult result = run(load, delivery, rate, Settings.adaptive());
        boolean verified = note(result.isVerified());
        Windows settled = result.windows();
        double level = settled.median(Window::level);
        boolean attainable = rate > 0 && result.perSec() >= REACHED * rate;
        double p99Ms = settled.median(Window::ackP99Ms);
        Double budgetMs = Double.isNaN(level)
                ? null
                : (double) LatencyBudgets.DEFAULT.budgetMs(PressureLevel.ofNumber((int) level));
        Double lowestFixedMs = null;
        if (rate > 0 && rate <= BEYOND_BUDGET_PER_SEC) {
            lowestFixedMs = (extent.isQuick() ? QUICK_LINGERS_MS : FIXED_LINGERS_MS)
                    .stream()
                            .mapToDouble(lingerMs -> {
                                LoadResult fixed = run(load, delivery, rate, Settings.fixed(lingerMs));
                                boolean ignored = note(fixed.isVerified());
                                return fixed.windows().median(Window::ackP99Ms);
                            })
                            .min()
                            .orElseThrow();
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("mode", delivery.key());
        json.put("level", (int) level);
        json.put("rate", rate == 0 ? "max" : rate);
        json.put("achieved_per_s", Math.round(result.perSec()));
        json.put("budget_ms", budgetMs);
        json.put("attainable", attainable);
        json.put("p99_ms", p99Ms);
        json.put("p99_worst_window_ms", result.windows().worst(Window::ackP99Ms));
        json.put("p50_end_to_end_ms", result.p(50));
        json.put("p99_end_to_end_ms", result.p(99));
        json.put("p999_end_to_end_ms", result.p(99.9));
        json.put("lowest_fixed_p99_ms", lowestFixedMs);
        json.put("batch_target_events", settled.median(Window::batchTargetEvents));
        json.put("linger_ms", settled.median(Window::lingerMs));
        json.put("batches_per_s", settled.median(window -> window.batches() * 1_000.0 / window.windowMs()));
        json.put("worker_cpu_s_per_million", result.workerCpuSecPerMillion());
        json.put("broker_cpu_s_per_million", result.brokerCpuSecPerMillion());
        json.put("verified", verified);
        row(json, result);
        return json;
    }

    private LoadResult run(LoadRun load, Delivery delivery, int rate, Map<String, String> setting) {
        Map<String, String> settings = new HashMap<>(setting);
        settings.put("pressure.window.ms", extent.isQuick() ? "1000" : "2000");
        String linger = setting.get("batch.linger.ms");
        configured(linger == null ? "adaptive" : "fixed " + linger, settings);
        int seconds = extent.isQuick() ? 3 : 24;
        int warmUp = extent.isQuick() ? 1 : 6;
        String name = "ramp-" + runs++;
        int most = extent.isQuick() ? 1_500_000 : 6_000_000;
        // A rate that cannot be reached would take minutes to show it.
        long wanted = rate == 0 ? most : (long) rate * (seconds + warmUp);
        int events = (int) Math.min(most, wanted);
        int warmUpEvents = (int) ((long) events * warmUp / (seconds + warmUp));
        return load.run(new LoadSpec(
                name, name, delivery, Integer.toString(rate), events, warmUpEvents, LIMIT_SECONDS, settings));
    }

    private void header() {
        say(String.format(
                ROW,
                "mode",
                "rate",
                "achieved",
                "level",
                "budget",
                "p99",
                "kept",
                "e2e p50",
                "e2e p99",
                "p99.9",
                "T",
                "batches",
                "CPU s/M worker, broker"));
    }

    private void row(Map<String, Object> json, LoadResult result) {
        Double budgetMs = (Double) json.get("budget_ms");
        double p99Ms = (double) json.get("p99_ms");
        Double lowestFixedMs = (Double) json.get("lowest_fixed_p99_ms");
        say(String.format(
                ROW,
                json.get("mode"),
                json.get("rate"),
                json.get("achieved_per_s") + ((boolean) json.get("attainable") ? "" : " *"),
                "L" + json.get("level"),
                budgetMs == null ? "-" : number(budgetMs),
                number(p99Ms),
                kept(json, budgetMs, p99Ms, lowestFixedMs),
                number(result.p(50)),
                number(result.p(99)),
                number(result.p(99.9)),
                number((double) json.get("linger_ms")),
                number((double) json.get("batches_per_s")),
                number(result.workerCpuSecPerMillion())
                        + ", "
                        + number(result.brokerCpuSecPerMillion())
                        + (result.isVerified() ? "" : "  NOT VERIFIED")));
    }

    /** Where the rate was not reached, a latency says how long the run was, and nothing is kept or broken. */
    private static String kept(Map<String, Object> json, Double budgetMs, double p99Ms, Double lowestFixedMs) {
        if (!(boolean) json.get("attainable")) {
            return "-";
        }
        boolean kept = budgetMs != null && p99Ms <= budgetMs;
        return kept ? "yes" : lowestFixedMs == null ? "no" : "fixed " + number(lowestFixedMs);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value < 100 ? "%.1f" : "%,.0f", value);
    }
}
