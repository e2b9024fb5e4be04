package io.microbatch.bench.advise;

import io.microbatch.bench.Goal;
import io.microbatch.bench.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** What all advices together came to, as JSON and as lines. Stateless; any thread. */
final class AdviceReport {

    /** Rounds of one setting differ by as much. */
    private static final double MAX_WORSE = 1.1;

    private static final double MAX_REGRET = 1.25;
    private static final double MIN_PART = 0.9;
    private static final double MAX_FACTOR = 1.5;

    private static final Table TABLE = new Table()
            .text(36, "stream", "stream")
            .text(16, "advice", "advice")
            .number(10, "p99 said", "predicted_p99_ms", "%,.1f")
            .number(10, "p99 ms", "p99_ms", "%,.1f")
            .number(10, "tx/s said", "predicted_tps", "%,.1f")
            .number(8, "tx/s", "tps", "%,.1f")
            .number(8, "regret", "regret", "%.2f")
            .text(2, "", "gap")
            .text(30, "best", "best");

    private AdviceReport() {}

    /** The goals with what was reached. Without transactions there is no goal for them. */
    static List<Goal> goals(List<AdvisedCase> cases) {
        long near = cases.stream().filter(each -> each.regret() <= MAX_REGRET).count();
        List<Goal> goals = new ArrayList<>(List.of(
                new Goal("times as bad as before, the worst case", max(cases, AdvisedCase::worse), MAX_WORSE, true),
                new Goal(
                        "part of the cases with a regret of 1.25 or less",
                        (double) near / Math.max(1, cases.size()),
                        MIN_PART,
                        false),
                new Goal(
                        "factor between predicted and measured p99",
                        max(cases, AdvisedCase::p99Factor),
                        MAX_FACTOR,
                        true)));
        double tpsFactor = max(cases, AdvisedCase::tpsFactor);
        if (!Double.isNaN(tpsFactor)) {
            goals.add(new Goal("factor between predicted and measured transactions/s", tpsFactor, MAX_FACTOR, true));
        }
        return goals;
    }

    /** Cases without the figure do not count. */
    private static double max(List<AdvisedCase> cases, ToDoubleFunction<AdvisedCase> figure) {
        return cases.stream()
                .mapToDouble(figure)
                .filter(value -> !Double.isNaN(value))
                .max()
                .orElse(Double.NaN);
    }

    /** What missed a goal, case by case. */
    static List<String> misses(List<AdvisedCase> cases) {
        List<String> misses = new ArrayList<>();
        for (AdvisedCase each : cases) {
            String stream = each.stream().name();
            if (each.worse() > MAX_WORSE) {
                misses.add(stream + text(": %.2f times as bad as before", each.worse()));
            }
            if (each.regret() > MAX_REGRET) {
                misses.add(stream + text(": regret %.2f, best is ", each.regret()) + each.best());
            }
            if (each.p99Factor() > MAX_FACTOR) {
                misses.add(stream + text(": p99 is off by a factor of %.2f", each.p99Factor()));
            }
            if (each.tpsFactor() > MAX_FACTOR) {
                misses.add(stream + text(": transactions/s are off by a factor of %.2f", each.tpsFactor()));
            }
            if (Double.isNaN(each.p99Factor())) {
                misses.add(stream + ": no p99 to compare with a prediction");
            }
        }
        return misses;
    }

    private static String text(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }

    /** The result. */
    static Map<String, Object> json(List<AdvisedCase> cases) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("cases", cases.stream().map(AdvisedCase::toJson).toList());
        json.put(
                "goals", goals(cases).stream().map(goal -> goal.toJson("value")).toList());
        json.put("misses", misses(cases));
        return json;
    }

    /** The result as lines. */
    static List<String> lines(List<AdvisedCase> cases) {
        List<String> lines = new ArrayList<>(List.of("", TABLE.header()));
        cases.forEach(each -> lines.add(TABLE.row(each.toJson())));
        lines.add("");
        goals(cases).forEach(goal -> lines.add("goal: " + goal.text()));
        lines.add("");
        List<String> misses = misses(cases);
        lines.add("missed:" + (misses.isEmpty() ? " nothing" : ""));
        misses.forEach(miss -> lines.add("  " + miss));
        lines.add("");
        return lines;
    }
}
