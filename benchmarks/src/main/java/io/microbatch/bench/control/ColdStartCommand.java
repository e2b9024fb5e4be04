package io.microbatch.bench.control;

import io.microbatch.bench.QuickOrFull;
import io.microbatch.bench.VerifyingCommand;
import io.microbatch.bench.load.Delivery;
import io.microbatch.bench.load.LoadResult;
import io.microbatch.bench.load.LoadRun;
import io.microbatch.bench.load.LoadSpec;
import io.microbatch.bench.load.LoadStack;
import io.microbatch.bench.load.Settings;
import io.microbatch.bench.load.Timeline;
import io.microbatch.connect.pressure.LatencyBudgets;
import io.microbatch.connect.pressure.PressureLevel;
import io.microbatch.testbed.WorkDirectory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench cold-start}: exits with 0 when every event was verified. */
@Command(
        name = "cold-start",
        sortOptions = false,
        description = {
            "What it costs a task to begin without a calibration file, exactly-once: how long until it has learned its"
                    + " level, and how many events are over the budget until then.",
            "",
            "Each rate is run twice: cold, and for 20 s again in the same worker with the file that the cold run has"
                    + " left. Then stock settings run, which have nothing to learn. Each cold run and each of these"
                    + " settings has a new broker and a new worker: code that is not compiled yet is a part of a start."
                    + " Latency is end to end, from when an event was due to a read_committed consumer. --quick is one"
                    + " round with 60 s for a cold run, --full three rounds with 120 s.",
            ""
        })
public final class ColdStartCommand extends VerifyingCommand {

    private static final int QUICK_COLD_SECONDS = 60;
    private static final int FULL_COLD_SECONDS = 120;
    private static final int WARM_SECONDS = 20;
    private static final int WARM_UP_PER_SEC = 20_000;
    private static final int WARM_UP_SECONDS = 10;
    private static final int FULL_ROUNDS = 3;
    private static final double MS_PER_SEC = 1_000;

    @ArgGroup(multiplicity = "1")
    private QuickOrFull extent;

    @Option(
            names = "--rates",
            paramLabel = "N",
            split = ",",
            description = "events per second; 1000,50000 unless given")
    private List<Integer> rates = List.of(1_000, 50_000);

    @Option(
            names = "--windows",
            paramLabel = "MS",
            split = ",",
            description = "values of pressure.window.ms; 10000,2000 unless given")
    private List<Integer> windows = List.of(10_000, 2_000);

    @Option(
            names = "--intervals",
            paramLabel = "MS",
            split = ",",
            description = "stock settings to compare with: a source with one event per poll, Connect's interval of this"
                    + " length and a producer's linger as long; 20,50 unless given, 0 for none")
    private List<Integer> intervalsMs = List.of(20, 50);

    @Override
    protected Map<String, Object> measure() throws IOException {
        if (rates.stream().anyMatch(rate -> rate < 1) || windows.stream().anyMatch(ms -> ms < MS_PER_SEC)) {
            throw wrong("a rate is 1 at least, a window 1000 ms");
        }
        if (intervalsMs.stream().anyMatch(ms -> ms < 0)) {
            throw wrong("an interval is 1 ms at least, or 0 for none");
        }
        int rounds = extent.isQuick() ? 1 : FULL_ROUNDS;
        repeated(rounds);
        List<Map<String, Object>> rows = new ArrayList<>();
        List<Map<String, Object>> stock = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            for (int rate : rates) {
                for (int windowMs : windows) {
                    rows.add(onNewServers(adaptive(windowMs), run -> row(run, rate, windowMs)));
                    rows.get(rows.size() - 1).put("round", round);
                }
                for (int intervalMs : intervalsMs) {
                    if (intervalMs > 0) {
                        stock.add(onNewServers(interval(intervalMs), run -> stockRow(run, rate, intervalMs)));
                        stock.get(stock.size() - 1).put("round", round);
                    }
                }
            }
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("starts", rows);
        json.put("stock", stock);
        return json;
    }

    /** A broker and a worker of its own for a start, after ten seconds of other events. */
    private Map<String, Object> onNewServers(
            Map<String, String> settings, Function<LoadRun, Map<String, Object>> measured) throws IOException {
        try (WorkDirectory work = WorkDirectory.createOnFreeDisk("microbatch-cold-start");
                LoadStack stack = LoadStack.start(work.path(), 1)) {
            measuredOn(stack.bootstrapServers());
            LoadRun run = new LoadRun(stack, out());
            LoadResult warmUp = run(run, "warm-up", "warm-up", WARM_UP_PER_SEC, WARM_UP_SECONDS, settings);
            say("warm-up: " + warmUp.text());
            return measured.apply(run);
        }
    }

    private static Map<String, String> adaptive(int windowMs) {
        Map<String, String> settings = new LinkedHashMap<>(Settings.adaptive());
        settings.put("pressure.window.ms", Integer.toString(windowMs));
        return settings;
    }

    private static Map<String, String> interval(int intervalMs) {
        return Settings.withLinger(Settings.interval(1, intervalMs), intervalMs);
    }

    /** A start of a stock setting at the budget that this connector has by default at the rate. */
    private Map<String, Object> stockRow(LoadRun run, int rate, int intervalMs) {
        String name = name(intervalMs);
        int seconds = coldSeconds();
        LoadResult result = run(run, name + "-" + rate, name + "-" + rate, rate, seconds, interval(intervalMs));
        double budgetMs = budgetMs(rate);
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("per_s", rate);
        row.put("stock", name);
        row.put("verified", result.isVerified());
        row.put("collapsed", result.cut());
        if (!result.isSound(true)) {
            return row;
        }
        long overCompared = late(result, rate, WARM_SECONDS, budgetMs);
        long overAll = late(result, rate, seconds, budgetMs);
        row.put("budget_ms", budgetMs);
        row.put("compared_s", WARM_SECONDS);
        row.put("events_compared", (long) rate * WARM_SECONDS);
        row.put("over_budget", overCompared);
        row.put("events_all", (long) rate * seconds);
        row.put("over_budget_all", overAll);
        if (!result.cut()) {
            row.put("p99_ms", result.p(99));
            row.put("cpu_s_per_million", result.workerCpuSecPerMillion() + result.brokerCpuSecPerMillion());
        }
        say(String.format(
                Locale.ROOT,
                "%,d/s, %s%s: %,d events over %.0f ms in the first %d s, %,d of %,d in %d s",
                rate,
                name,
                result.cut() ? ", COLLAPSED" : "",
                overCompared,
                budgetMs,
                WARM_SECONDS,
                overAll,
                (long) rate * seconds,
                seconds));
        return row;
    }

    /** Events that were due in the first seconds and have come late, or not at all where the limit ended the run. */
    private static long late(LoadResult result, int rate, int seconds, double budgetMs) {
        Timeline timeline = result.first().timeline();
        long untilMs = seconds * 1_000L;
        long inTime = events(timeline, untilMs) - over(timeline, untilMs, budgetMs);
        return Math.max(0, (long) rate * seconds - inTime);
    }

    private static double budgetMs(int rate) {
        return LatencyBudgets.DEFAULT.budgetMs(PressureLevel.ofRate(rate));
    }

    private int coldSeconds() {
        return extent.isQuick() ? QUICK_COLD_SECONDS : FULL_COLD_SECONDS;
    }

    private Map<String, Object> row(LoadRun run, int rate, int windowMs) {
        // A name that has learned nothing yet.
        String connector = "cold-" + rate;
        int coldSeconds = coldSeconds();
        Map<String, String> settings = adaptive(windowMs);
        LoadResult cold = run(run, connector, connector, rate, coldSeconds, settings);
        LoadResult warm = run(run, connector, connector + "-warm", rate, WARM_SECONDS, settings);
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("per_s", rate);
        row.put("window_ms", windowMs);
        row.put("verified", cold.isVerified() && warm.isVerified());
        if (!cold.isVerified() || !warm.isVerified()) {
            return row;
        }
        Timeline timeline = cold.first().timeline();
        ColdStart start = ColdStart.of(cold.windows().all(), timeline.firstEpochMs(), windowMs);
        double budgetMs = budgetMs(rate);
        long untilMs = start.convergedMs() < 0 ? coldSeconds * 1_000L : start.convergedMs();
        long overUntil = over(timeline, untilMs, budgetMs);
        long overCold = over(timeline, WARM_SECONDS * 1_000L, budgetMs);
        long overWarm = over(warm.first().timeline(), WARM_SECONDS * 1_000L, budgetMs);
        row.put("budget_ms", budgetMs);
        row.putAll(start.toJson());
        row.put("events_until_converged", events(timeline, untilMs));
        row.put("over_budget_until_converged", overUntil);
        row.put("compared_s", WARM_SECONDS);
        row.put("events_compared", events(timeline, WARM_SECONDS * 1_000L));
        row.put("over_budget_cold", overCold);
        row.put("over_budget_warm", overWarm);
        row.put("events_all", (long) rate * coldSeconds);
        row.put("over_budget_all", late(cold, rate, coldSeconds, budgetMs));
        row.put("p99_ms_cold", cold.p(99));
        row.put("p99_ms_warm", warm.p(99));
        row.put("cpu_s_per_million_cold", cold.workerCpuSecPerMillion() + cold.brokerCpuSecPerMillion());
        row.put("cpu_s_per_million_warm", warm.workerCpuSecPerMillion() + warm.brokerCpuSecPerMillion());
        say(String.format(
                Locale.ROOT,
                "%,d/s, windows of %d ms: settled after %.1f s, %s, T %.1f to %.1f ms; %,d of %,d events over %.0f ms"
                        + " until then; in the first %d s %,d cold and %,d with the file; CPU s/M %.1f and %.1f",
                rate,
                windowMs,
                start.settledMs() / MS_PER_SEC,
                start.exploredMs() < 0
                        ? "NOT EXPLORED in " + coldSeconds + " s"
                        : String.format(Locale.ROOT, "explored after %.1f s", start.exploredMs() / MS_PER_SEC),
                start.firstLingerMs(),
                start.lastLingerMs(),
                overUntil,
                events(timeline, untilMs),
                budgetMs,
                WARM_SECONDS,
                overCold,
                overWarm,
                cold.workerCpuSecPerMillion() + cold.brokerCpuSecPerMillion(),
                warm.workerCpuSecPerMillion() + warm.brokerCpuSecPerMillion()));
        return row;
    }

    private LoadResult run(
            LoadRun run, String connector, String topic, int rate, int seconds, Map<String, String> settings) {
        LoadSpec spec = LoadSpec.steady(connector, topic, Delivery.EXACTLY_ONCE, rate, 0, seconds, settings);
        configured(nameOf(settings), spec.settings());
        LoadResult result = run.run(spec);
        boolean ignored = note(result.isSound(spec.isStock()));
        return result;
    }

    private static String nameOf(Map<String, String> settings) {
        int intervalMs = Settings.intervalMs(settings);
        return intervalMs > 0 ? name(intervalMs) : "windows of " + settings.get("pressure.window.ms") + " ms";
    }

    private static String name(int intervalMs) {
        return "interval_" + intervalMs + "_linger_" + intervalMs;
    }

    private static long over(Timeline timeline, long untilMs, double budgetMs) {
        long over = 0;
        for (int slice = 0; slice < slices(timeline, untilMs); slice++) {
            over += timeline.eventsAbove(slice, budgetMs);
        }
        return over;
    }

    private static long events(Timeline timeline, long untilMs) {
        long events = 0;
        for (int slice = 0; slice < slices(timeline, untilMs); slice++) {
            events += timeline.events(slice);
        }
        return events;
    }

    private static int slices(Timeline timeline, long untilMs) {
        return (int) Math.min(timeline.size(), untilMs / Timeline.SLICE_MS);
    }
}
