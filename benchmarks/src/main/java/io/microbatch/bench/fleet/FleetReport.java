package io.microbatch.bench.fleet;

import io.microbatch.bench.load.Medians;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The medians of all contenders, how they compare with the plain ones, and the goals. One thread. */
final class FleetReport {

    /** What an idle task may hold, in total and beyond a plain one, in KiB. */
    private static final double IDLE_HEAP_LIMIT_KB = 1_024;

    /** What cannot be seen: a thousandth of a processor, in milliseconds per second. */
    private static final double IDLE_CPU_LIMIT_MS = 1;

    private final Map<FleetContender, List<FleetResult>> rounds = new EnumMap<>(FleetContender.class);

    /** Adds a turn that was verified. */
    void add(FleetContender contender, FleetResult result) {
        rounds.computeIfAbsent(contender, key -> new ArrayList<>()).add(result);
    }

    /** The median over the rounds. Not a number for a contender without a verified turn. */
    double median(FleetContender contender, FleetFigure figure) {
        return Medians.of(values(contender, figure));
    }

    private List<Double> values(FleetContender contender, FleetFigure figure) {
        return rounds.getOrDefault(contender, List.of()).stream()
                .map(round -> round.figures().get(figure))
                .toList();
    }

    /** The median of the plain contender with the lowest one. */
    private double bestPlain(FleetFigure figure) {
        return rounds.keySet().stream()
                .filter(FleetContender::isPlain)
                .mapToDouble(contender -> median(contender, figure))
                .min()
                .orElse(Double.NaN);
    }

    /** The figures of each contender: medians, spread, every round. */
    List<Map<String, Object>> contenders() {
        List<Map<String, Object>> all = new ArrayList<>();
        rounds.forEach((contender, results) -> {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("name", contender.key());
            Map<String, Object> spread = new LinkedHashMap<>();
            for (FleetFigure figure : FleetFigure.values()) {
                List<Double> values = values(contender, figure);
                json.put(figure.key(), median(contender, figure));
                spread.put(figure.key(), List.of(Collections.min(values), Collections.max(values)));
            }
            json.put("spread", spread);
            json.put("rounds", results.stream().map(FleetReport::round).toList());
            all.add(json);
        });
        return all;
    }

    private static Map<String, Object> round(FleetResult result) {
        Map<String, Object> json = new LinkedHashMap<>();
        result.figures().forEach((figure, value) -> json.put(figure.key(), value));
        return json;
    }

    /** The goals of the fleet, each with its value, its limit and whether it is met. */
    List<Map<String, Object>> goals() {
        FleetContender hosted = FleetContender.HOSTED;
        return List.of(
                goal("CPU, versus the cheapest plain contender", ratio(hosted, FleetFigure.CPU_CORES), 1),
                goal(
                        "transactions, versus the plain contender with the fewest",
                        ratio(hosted, FleetFigure.TRANSACTIONS_PER_S),
                        1),
                goal(
                        "heap of an idle task beyond that of a plain one, KiB",
                        beyondPlain(hosted, FleetFigure.IDLE_HEAP_KB_PER_TASK),
                        IDLE_HEAP_LIMIT_KB),
                goal(
                        "heap of an idle task in total, KiB",
                        median(hosted, FleetFigure.IDLE_HEAP_KB_PER_TASK),
                        IDLE_HEAP_LIMIT_KB),
                goal(
                        "CPU of an idle task beyond that of a plain one, ms a second",
                        beyondPlain(hosted, FleetFigure.IDLE_CPU_MS_PER_S),
                        IDLE_CPU_LIMIT_MS),
                goal(
                        "CPU of an idle task in total, ms a second",
                        median(hosted, FleetFigure.IDLE_CPU_MS_PER_S),
                        IDLE_CPU_LIMIT_MS));
    }

    private static Map<String, Object> goal(String name, double value, double limit) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("goal", name);
        json.put("value", value);
        json.put("limit", limit);
        json.put("met", value <= limit);
        return json;
    }

    private double ratio(FleetContender contender, FleetFigure figure) {
        return median(contender, figure) / bestPlain(figure);
    }

    /** A plain task itself costs a producer, a consumer and their metrics. */
    private double beyondPlain(FleetContender contender, FleetFigure figure) {
        return median(contender, figure) - bestPlain(figure);
    }

    /** Every figure in which a contender of this connector is worse than the best plain one. */
    List<String> losing() {
        List<String> cases = new ArrayList<>();
        for (FleetContender contender : rounds.keySet()) {
            for (FleetFigure figure : FleetFigure.values()) {
                double ours = median(contender, figure);
                double plain = bestPlain(figure);
                if (!contender.isPlain() && ours > plain) {
                    cases.add(String.format(
                            Locale.ROOT,
                            "%s %s: %s versus %s",
                            contender.key(),
                            figure.key(),
                            figure.text(ours),
                            figure.text(plain)));
                }
            }
        }
        return cases;
    }

    /** A line for each figure, a column for each contender. */
    List<String> table() {
        List<String> lines = new ArrayList<>();
        StringBuilder header = new StringBuilder(String.format("%-24s", "median"));
        rounds.keySet().forEach(contender -> header.append(String.format(" %16s", contender.key())));
        lines.add(header.toString());
        Arrays.stream(FleetFigure.values()).forEach(figure -> {
            StringBuilder line = new StringBuilder(String.format("%-24s", figure.key()));
            rounds.keySet()
                    .forEach(contender -> line.append(String.format(" %16s", figure.text(median(contender, figure)))));
            lines.add(line.toString());
        });
        return lines;
    }
}
