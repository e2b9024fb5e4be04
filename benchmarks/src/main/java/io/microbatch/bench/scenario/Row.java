package io.microbatch.bench.scenario;

import io.microbatch.bench.load.LoadResult;
import io.microbatch.bench.load.Medians;
import io.microbatch.bench.profile.Driver;
import io.microbatch.testbed.oracle.Findings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** All runs of a situation: medians, spreads, and where another contender is better. One thread. */
final class Row {

    /** A smaller difference is noise. */
    private static final double WORTH_SAYING = 0.9;

    private final Driver driver;
    private final Situation situation;
    private final Map<Contender, Map<Figure, List<Double>>> figures = new EnumMap<>(Contender.class);
    private final Map<Contender, Findings> found = new EnumMap<>(Contender.class);
    private final Map<Contender, Integer> collapsed = new EnumMap<>(Contender.class);
    private final Map<Contender, Integer> runs = new EnumMap<>(Contender.class);

    Row(Driver driver, Situation situation) {
        this.driver = driver;
        this.situation = situation;
    }

    /**
     * A run that is as promised. One of a stock contender that did not end in time has no other figure than what it
     * carried.
     */
    void add(Contender contender, Scenario.Measured outcome) {
        Map<Figure, List<Double>> ofThis = figures.computeIfAbsent(contender, c -> new EnumMap<>(Figure.class));
        LoadResult result = outcome.result();
        Map<Figure, Double> shown = result.cut() ? Map.of(Figure.PER_SEC, result.perSec()) : outcome.figures();
        if (result.cut()) {
            int ignored = collapsed.merge(contender, 1, Integer::sum);
        }
        shown.forEach((figure, value) -> {
            if (!value.isNaN()) {
                ofThis.computeIfAbsent(figure, f -> new ArrayList<>()).add(value);
            }
        });
        int ignored = runs.merge(contender, 1, Integer::sum);
        found.merge(contender, result.sent(), Findings::plus);
    }

    private double median(Contender contender, Figure figure) {
        return Medians.of(figures.getOrDefault(contender, Map.of()).getOrDefault(figure, List.of()));
    }

    /** Whether it reached its rate, and could not be faster. */
    private boolean isBoundByTheRate(Contender contender) {
        return situation.ratePerSec() > 0
                && figures.getOrDefault(contender, Map.of()).containsKey(Figure.P99_MS);
    }

    /** A result's part, flat, so that {@code regress} and {@code report} find each figure by its name. */
    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("mode", driver.delivery().key());
        // A driver of the worker's own settings has the mode's name.
        if (!driver.name().equals(driver.delivery().text())) {
            json.put("driver", driver.name());
        }
        json.put(situation.key(), situation.value());
        if (situation.ratePerSec() > 0) {
            json.putIfAbsent("rate", situation.ratePerSec());
            json.put("budget_ms", driver.budgetMs(situation.ratePerSec()));
        }
        Map<String, Object> spread = new LinkedHashMap<>();
        Map<String, Object> eachRound = new LinkedHashMap<>();
        Map<String, Object> missing = new LinkedHashMap<>();
        figures.forEach((contender, ofThis) -> ofThis.forEach((figure, values) -> {
            json.put(figure.key(contender), Medians.of(values));
            eachRound.put(figure.key(contender), values);
            if (values.size() > 1) {
                spread.put(figure.key(contender), List.of(Collections.min(values), Collections.max(values)));
            }
            if (values.size() < runs.get(contender)) {
                missing.put(figure.key(contender), runs.get(contender) - values.size());
            }
        }));
        double ratio = median(Contender.ADAPTIVE, Figure.PER_SEC) / median(Contender.NAIVE, Figure.PER_SEC);
        if (!Double.isNaN(ratio) && !isBoundByTheRate(Contender.ADAPTIVE)) {
            json.put("ratio", ratio);
        }
        found.forEach((contender, all) -> {
            if (all.lost() > 0) {
                json.put("lost_" + contender.text(), all.lost());
            }
            if (all.duplicated() > 0) {
                json.put("duplicated_" + contender.text(), all.duplicated());
            }
        });
        collapsed.forEach((contender, count) -> json.put("collapsed_" + contender.text(), count));
        json.put("spread", spread);
        json.put("each_round", eachRound);
        json.put("events", events());
        if (!missing.isEmpty()) {
            json.put("runs_without", missing);
        }
        return json;
    }

    /** How many events a run of each contender has, on the average. */
    private Map<String, Long> events() {
        Map<String, Long> events = new LinkedHashMap<>();
        found.forEach((contender, all) -> events.put(contender.text(), all.events() / runs.get(contender)));
        return events;
    }

    /** A line for each contender. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        String budget = situation.ratePerSec() == 0
                ? ""
                : ", budget " + number(driver.budgetMs(situation.ratePerSec())) + " ms";
        lines.add(driver.name() + " (" + driver.delivery().text() + "), " + situation.text() + budget);
        figures.forEach((contender, ofThis) -> {
            StringBuilder line = new StringBuilder(String.format("  %-24s", contender.text()));
            StringBuilder rest = new StringBuilder();
            String part = "";
            for (Map.Entry<Figure, List<Double>> entry : ofThis.entrySet()) {
                Figure figure = entry.getKey();
                if (!figure.part().equals(part)) {
                    part = figure.part();
                    rest.append(String.format("%n  %-24s", "  " + part));
                }
                StringBuilder to = part.isEmpty() ? line : rest;
                to.append(text(figure, entry.getValue(), runs.get(contender)));
            }
            Findings all = found.get(contender);
            line.append(String.format(Locale.ROOT, "  %,d events a run", all.events() / runs.get(contender)));
            Integer late = collapsed.get(contender);
            line.append(late == null ? "" : "  COLLAPSED in " + late + " of " + runs.get(contender) + " runs");
            line.append(all.lost() > 0 ? "  LOST " + all.lost() : "");
            lines.add(line + (all.duplicated() > 0 ? "  DUPLICATED " + all.duplicated() : "") + rest);
        });
        return lines;
    }

    private static String text(Figure figure, List<Double> values, int runs) {
        return String.format(
                Locale.ROOT,
                "  %s%s%s %s%s",
                figure.label().isEmpty() ? "" : figure.label() + " ",
                number(Medians.of(values)),
                values.size() > 1
                        ? " (" + number(Collections.min(values)) + " to " + number(Collections.max(values)) + ")"
                        : "",
                figure.unit(),
                values.size() < runs ? " in " + values.size() + " of " + runs + " runs" : "");
    }

    /** Where the adaptive connector is worse than a rival with the same producer's batches by more than a tenth. */
    List<String> losses() {
        List<String> losses = new ArrayList<>();
        figures.keySet().stream().filter(Contender::isRival).forEach(rival -> {
            Contender ours = rival.counterpart();
            for (Figure figure : figures.getOrDefault(ours, Map.of()).keySet()) {
                double mine = median(ours, figure);
                double theirs = median(rival, figure);
                double advantage = figure.advantage(mine, theirs);
                boolean bound = figure == Figure.PER_SEC && isBoundByTheRate(ours);
                if (advantage < WORTH_SAYING && !bound) {
                    losses.add(String.format(
                            Locale.ROOT,
                            "%s, %s%s: %s %s %s %s, %s %s, %.2f of it",
                            driver.name(),
                            situation.text(),
                            figure.part().isEmpty() ? "" : ", " + figure.part(),
                            rival.text(),
                            figure.label(),
                            number(theirs),
                            figure.unit(),
                            ours.text(),
                            number(mine),
                            advantage));
                }
            }
        });
        return losses;
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, Math.abs(value) < 100 && value != 0 ? "%.1f" : "%,.0f", value);
    }
}
