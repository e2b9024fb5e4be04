package io.microbatch.bench.regress;

import com.fasterxml.jackson.databind.JsonNode;
import io.microbatch.bench.load.Medians;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The figures of a result that can become better or worse, by their paths in it. Immutable. */
final class ComparedFigures {

    /** What else is in a result: what was asked for, what was chosen, and how far runs lay apart. */
    private static final List<String> NO_FIGURES = List.of(
            "environment",
            "spread",
            "each_round",
            "rounds",
            "goals",
            "targets",
            "dominated",
            "losing",
            "settings",
            "runs_without",
            "collapsed",
            "fixed",
            "runs",
            "rate",
            "level",
            "budget_ms",
            "delay_ms",
            "linger_ms",
            "batches_per_s",
            "transactions_per_s",
            "achieved_per_s",
            "ratio");

    private static final List<String> CONTENDERS = List.of(
            "naive",
            "interval_20",
            "interval_50",
            "fixed",
            "adaptive",
            "unbuffered",
            "unbuffered_interval_20",
            "unbuffered_interval_50",
            "producer",
            "adaptive_bulk",
            "raw_bulk",
            "raw_mega",
            "adaptive_records");
    private static final String IDLE_CPU = "idle_cpu_ms_per_s";
    private static final String STEP_TIMES = "(up|down)_ms";
    private static final double SLICE_MS = 100;
    private static final List<String> NAMES = List.of(
            "mode",
            "driver",
            "name",
            "cell",
            "acks",
            "payload",
            "rate",
            "delay_ms",
            "backlog_events",
            "topic_partitions",
            "size_bytes",
            "consumer_groups",
            "interruption");

    private final Map<String, Double> values = new LinkedHashMap<>();

    private ComparedFigures() {}

    /** Those of a result as {@code --json} writes it. */
    static ComparedFigures of(JsonNode result) {
        ComparedFigures figures = new ComparedFigures();
        figures.collect("", result);
        return figures;
    }

    private void collect(String path, JsonNode node) {
        if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                collect(path + "[" + name(node.get(i), i) + "]", node.get(i));
            }
        } else if (node.isObject()) {
            node.properties().forEach(field -> {
                String key = field.getKey();
                boolean contender = CONTENDERS.contains(key) && field.getValue().isNumber();
                if (contender || !NO_FIGURES.contains(key)) {
                    collect(path.isEmpty() ? key : path + "." + key, field.getValue());
                }
            });
        } else if (node.isNumber() && (isMoreBetter(path) || isLessBetter(path))) {
            values.put(path, node.asDouble());
        }
    }

    private static String name(JsonNode element, int index) {
        String name = NAMES.stream()
                .map(element::path)
                .filter(JsonNode::isValueNode)
                .map(JsonNode::asText)
                .collect(Collectors.joining(" "));
        return name.isEmpty() ? Integer.toString(index) : name;
    }

    /** By path, in the order of the result. */
    Map<String, Double> values() {
        return values;
    }

    private static String last(String path) {
        return path.substring(path.lastIndexOf('.') + 1);
    }

    private static boolean isMoreBetter(String path) {
        String key = last(path);
        return (key.endsWith("per_s") && !key.equals(IDLE_CPU)) || key.equals("capacity") || CONTENDERS.contains(key);
    }

    private static boolean isLessBetter(String path) {
        String key = last(path);
        return key.matches("(ack_)?p[0-9]+_.*ms.*|(live_after|first_new)_ms_.*|lowest_.*|.*cpu_s_per_million.*|"
                + IDLE_CPU + "|" + STEP_TIMES);
    }

    /**
     * How much better each figure of this result is in others: 1 for the same, 0.5 for half the rate or twice the
     * latency, 0 where the other has none. Times in whole tenths of a second, as of a step, may be 0 and count from a
     * tenth on.
     */
    Map<String, List<Double>> ratios(List<ComparedFigures> fresh) {
        Map<String, List<Double>> ratios = new LinkedHashMap<>();
        values.forEach((path, stored) -> {
            List<Double> found = fresh.stream()
                    .map(each -> ratio(path, stored, each.values.get(path)))
                    .sorted()
                    .toList();
            ratios.put(path, found);
        });
        return ratios;
    }

    /**
     * The speed of the machine versus the stored result: the median of the ratios of the figures that contain one of
     * the texts. Not a number when there is none.
     */
    static double speed(Map<String, List<Double>> ratios, List<String> texts) {
        return Medians.of(ratios.entrySet().stream()
                .filter(figure -> texts.stream().anyMatch(figure.getKey()::contains))
                .map(figure -> Medians.of(figure.getValue()))
                .toList());
    }

    private static double ratio(String path, double stored, Double value) {
        if (value == null) {
            return 0;
        }
        double least = last(path).matches(STEP_TIMES) ? SLICE_MS : Double.MIN_NORMAL;
        double from = Math.max(least, stored);
        double to = Math.max(least, value);
        return isMoreBetter(path) ? to / from : from / to;
    }
}
