package io.microbatch.bench.control;

import io.microbatch.bench.QuickOrFull;
import io.microbatch.bench.VerifyingCommand;
import io.microbatch.bench.load.ControlSampler;
import io.microbatch.bench.load.Delivery;
import io.microbatch.bench.load.LoadResult;
import io.microbatch.bench.load.LoadRun;
import io.microbatch.bench.load.LoadSpec;
import io.microbatch.bench.load.LoadStack;
import io.microbatch.bench.load.Medians;
import io.microbatch.bench.load.Regain;
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
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;

/** {@code bench step}: exits with 0 when every event was verified. */
@Command(
        name = "step",
        sortOptions = false,
        description = {
            "10, then 10,000, then 10 events/s again, exactly-once: how long until the latency belongs to the new"
                    + " rate.",
            "",
            "End to end, from when an event was due to a read_committed consumer's having it, in slices of 100 ms."
                    + " Upward: until a second's slices have their p99 within the new level's budget of 75 ms."
                    + " Downward: within 1.5 times what the phase before the steps had settled to. The JSON also has"
                    + " level, rate, N and T over the time of one repetition more.",
            ""
        })
public final class StepCommand extends VerifyingCommand {

    private static final int LOW_PER_SEC = 10;
    private static final int HIGH_PER_SEC = 10_000;
    private static final double NEAR_SETTLED = 1.5;
    private static final String CONNECTOR = "step";
    private static final int SLICES_PER_SEC = (int) (1_000 / Timeline.SLICE_MS);

    @ArgGroup(multiplicity = "1")
    private QuickOrFull extent;

    @Override
    protected Map<String, Object> measure() throws IOException {
        configured(CONNECTOR, Settings.adaptive());
        int phaseSeconds = extent.isQuick() ? 10 : 30;
        int repetitions = extent.isQuick() ? 3 : 7;
        List<Double> up = new ArrayList<>();
        List<Double> down = new ArrayList<>();
        Map<String, Object> timeline = Map.of();
        try (WorkDirectory work = WorkDirectory.createOnFreeDisk("microbatch-step");
                LoadStack stack = LoadStack.start(work.path(), 1)) {
            measuredOn(stack.bootstrapServers());
            repeated(repetitions);
            // The first time round warms up the worker's JVM.
            for (int repetition = 0; repetition <= repetitions; repetition++) {
                LoadResult result = run(stack, repetition, phaseSeconds);
                double[] figures = figures(result.first().timeline(), phaseSeconds);
                say(String.format(
                        Locale.ROOT,
                        "%s: up %.0f ms, down %.0f ms, settled at %.1f and %.1f ms, %s",
                        repetition == 0 ? "warm-up" : repetition + " of " + repetitions,
                        figures[0],
                        figures[1],
                        figures[2],
                        figures[3],
                        result.text()));
                if (repetition > 0) {
                    up.add(figures[0]);
                    down.add(figures[1]);
                }
            }
            // Apart, since looking costs: at 10 events/s a few calls a second are as much work as the events.
            try (ControlSampler sampler =
                    ControlSampler.start(stack.worker(Delivery.EXACTLY_ONCE).jmx(), CONNECTOR)) {
                LoadResult watched = run(stack, repetitions + 1, phaseSeconds);
                timeline = StepTimeline.of(sampler.samples(), watched.first().timeline());
                say("watched once more, for the timeline: " + watched.text());
            }
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("up_ms", Medians.of(up));
        json.put("down_ms", Medians.of(down));
        json.put("up_ms_each", up);
        json.put("down_ms_each", down);
        json.put("timeline", timeline);
        say(String.format(Locale.ROOT, "median: up %.0f ms, down %.0f ms", Medians.of(up), Medians.of(down)));
        return json;
    }

    private LoadResult run(LoadStack stack, int repetition, int phaseSeconds) {
        LoadResult result = new LoadRun(stack, out()).run(stepped("step-" + repetition, phaseSeconds));
        boolean ignored = note(result.isVerified());
        return result;
    }

    private static LoadSpec stepped(String topic, int phaseSeconds) {
        String rate = LOW_PER_SEC + "@" + phaseSeconds + "s," + HIGH_PER_SEC + "@" + phaseSeconds + "s," + LOW_PER_SEC;
        int events = phaseSeconds * (LOW_PER_SEC + HIGH_PER_SEC + LOW_PER_SEC);
        return new LoadSpec(
                CONNECTOR, topic, Delivery.EXACTLY_ONCE, rate, events, 0, 3 * phaseSeconds + 30, Settings.adaptive());
    }

    /** Up, down, and what the first two phases settled to, in milliseconds. */
    private static double[] figures(Timeline timeline, int phaseSeconds) {
        int phase = phaseSeconds * SLICES_PER_SEC;
        int end = Math.min(3 * phase, timeline.size());
        double low = Regain.settledMs(timeline::p99Ms, phase / 2, phase);
        double high = Regain.settledMs(timeline::p99Ms, phase + phase / 2, 2 * phase);
        double budgetMs = LatencyBudgets.DEFAULT.budgetMs(PressureLevel.ofRate(HIGH_PER_SEC - 1));
        return new double[] {
            regainedMs(timeline, phase, 2 * phase, budgetMs),
            regainedMs(timeline, 2 * phase, end, NEAR_SETTLED * low),
            low,
            high
        };
    }

    /** The whole phase if the bound was not kept in it: a smaller number would be a good one. */
    static double regainedMs(Timeline timeline, int from, int to, double boundMs) {
        long ms = Regain.regainedMs(timeline::p99Ms, from, to, boundMs);
        return ms < 0 ? (to - from) * Timeline.SLICE_MS : ms;
    }
}
