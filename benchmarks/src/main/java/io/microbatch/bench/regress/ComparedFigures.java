package io.microbatch.bench.regress;

import com.fasterxml.jackson.databind.JsonNode;
import io.microbatch.bench.load.Medians;
import java.util.ArrayList;
import java.util.EnumMap;
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

    /** How the rounds of a figure are stored, in the objects of the different commands. */
    private static final List<String> ROUNDS = List.of("each_round", "rounds", "spread");

    /** Figures that the spread has under another name. */
    private static final Map<String, String> SPREAD_NAMES = Map.of("cpu_s_per_million", "cpu");

    private final Map<String, Figure> values = new LinkedHashMap<>();

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
            return;
        }
        node.properties().forEach(field -> {
            String key = field.getKey();
            JsonNode value = field.getValue();
            if (NO_FIGURES.contains(key) && !(FigureKind.isContender(key) && value.isNumber())) {
                return;
            }
            String at = path.isEmpty() ? key : path + "." + key;
            if (value.isContainerNode()) {
                collect(at, value);
            } else if (value.isNumber()) {
                FigureKind.of(key).ifPresent(kind -> values.put(at, figure(kind, key, value.asDouble(), node)));
            }
        });
    }

    private static Figure figure(FigureKind kind, String key, double value, JsonNode object) {
        List<Double> rounds = rounds(key, object);
        return new Figure(kind, value, rounds.stream().reduce(kind::worse).orElse(Double.NaN));
    }

    /** The rounds of a figure, or the lowest and the highest of them. Empty if only the median is stored. */
    private static List<Double> rounds(String key, JsonNode object) {
        List<JsonNode> found = new ArrayList<>();
        object.path(key + "_each").forEach(found::add);
        for (String name : ROUNDS) {
            JsonNode rounds = object.path(name);
            if (!found.isEmpty()) {
                break;
            }
            if (rounds.isArray()) {
                rounds.forEach(round -> round.findValues(key).forEach(found::add));
            } else {
                rounds.path(key).forEach(found::add);
                rounds.path(SPREAD_NAMES.getOrDefault(key, "")).forEach(found::add);
            }
        }
        return found.stream().filter(JsonNode::isNumber).map(JsonNode::asDouble).toList();
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
    Map<String, Figure> values() {
        return values;
    }

    /** How much better fresh results are, for each figure of this one, in its order. */
    Map<String, Change> changes(List<ComparedFigures> fresh) {
        Map<String, Change> changes = new LinkedHashMap<>();
        values.forEach((path, stored) -> changes.put(path, change(path, stored, fresh)));
        return changes;
    }

    private static Change change(String path, Figure stored, List<ComparedFigures> fresh) {
        String key = path.substring(path.lastIndexOf('.') + 1);
        FigureKind kind = stored.kind();
        List<Figure> found = fresh.stream().map(each -> each.values.get(path)).toList();
        List<Double> runs = found.stream()
                .map(figure -> figure == null ? 0 : kind.ratio(key, stored.value(), figure.value()))
                .sorted()
                .toList();
        double versusWorst = Medians.of(found.stream()
                .map(figure -> figure == null ? 0 : kind.ratio(key, stored.worst(), figure.value()))
                .sorted()
                .toList());
        return new Change(kind, runs, versusWorst);
    }

    /**
     * What the figures of rivals show of the machine, for each kind of figure. A kind without such a figure is absent.
     * A rival's figure that the fresh runs lack shows nothing: it may not have carried its rate.
     *
     * @param changes as {@link #changes} has found them
     * @param texts parts of the paths of the rivals' figures
     */
    static Map<FigureKind, Machine> machine(Map<String, Change> changes, List<String> texts) {
        Map<FigureKind, List<Double>> ofRivals = new EnumMap<>(FigureKind.class);
        changes.forEach((path, change) -> {
            if (texts.stream().anyMatch(path::contains) && change.median() > 0) {
                ofRivals.computeIfAbsent(change.kind(), kind -> new ArrayList<>())
                        .add(change.median());
            }
        });
        Map<FigureKind, Machine> machine = new EnumMap<>(FigureKind.class);
        ofRivals.forEach((kind, medians) -> machine.put(kind, Machine.of(medians)));
        return machine;
    }
}
