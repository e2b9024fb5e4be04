package io.microbatch.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The answer to a section's question in a sentence of figures, out of the result itself. Stateless. */
final class Answers {

    private static final String DELAY = "delay_ms";
    private static final String LARGE_BATCHES = "_large_batches";

    /** The contenders of {@code cdc.json} that are this connector. */
    private static final Set<String> HOSTED = Set.of("adaptive", "efficiency", "default", "hosted-30");

    /** The contenders of a scenario that any worker has without this project. */
    static final List<String> STOCK = List.of(
            "naive",
            "interval_20",
            "interval_50",
            "interval_50_linger_50",
            "interval_100_linger_100",
            "unbuffered",
            "unbuffered_interval_20",
            "unbuffered_interval_50",
            "naive" + LARGE_BATCHES,
            "unbuffered" + LARGE_BATCHES,
            "unbuffered_interval_50" + LARGE_BATCHES,
            "unbuffered_interval_1000" + LARGE_BATCHES,
            "interval_200" + LARGE_BATCHES,
            "interval_1000" + LARGE_BATCHES);

    /** What {@code compare.json} has besides the stock settings. */
    private static final Set<String> NO_STOCK = Set.of(
            "adaptive",
            "fixed",
            "hosted",
            "hosted_interval_100",
            "hosted_unbuffered",
            "hosted_unbuffered_interval_100",
            "older",
            "producer");

    private Answers() {}

    static String compare(JsonNode result) {
        JsonNode mode = result.path("exactly_once");
        double bestStock = mode.properties().stream()
                .filter(contender -> !NO_STOCK.contains(contender.getKey()))
                .mapToDouble(contender -> contender.getValue().asDouble())
                .max()
                .orElse(Double.NaN);
        return text(
                "Exactly once, %s events/s: %s times the best stock setting, %s times fixed settings.",
                figure(mode, "adaptive"),
                Html.number(mode.path("adaptive").asDouble() / bestStock),
                Html.number(ratio(mode, "adaptive", "fixed")));
    }

    static String ramp(JsonNode result) {
        long held = count(result.path("levels"), Answers::isHeld);
        long kept = count(
                result.path("levels"),
                level -> isHeld(level)
                        && level.path("p99_ms").asDouble(Double.MAX_VALUE)
                                <= level.path("budget_ms").asDouble());
        return text("At %d of %d rates that the machine can hold.", kept, held);
    }

    private static boolean isHeld(JsonNode level) {
        return level.path("rate").asDouble() > 0 && level.path("attainable").asBoolean();
    }

    static String regret(JsonNode result) {
        return (versusStock(result) + " " + capacity(result)).strip();
    }

    /** CPU and latency versus the stock setting that is hardest to beat at each rate. Empty without one. */
    private static String versusStock(JsonNode result) {
        List<JsonNode> rates = stream(result.path("rates"))
                .filter(rate -> strongestStock(rate).isPresent())
                .toList();
        DoubleSummaryStatistics cpu = ratios(rates, "cpu_s_per_million");
        DoubleSummaryStatistics p99 = ratios(rates, "p99_end_to_end_ms");
        return rates.isEmpty()
                ? ""
                : text(
                        "Versus the strongest stock setting of each of %d rates: %s to %s times its CPU, %s to %s times"
                                + " its end-to-end p99.",
                        rates.size(),
                        Html.number(cpu.getMin()),
                        Html.number(cpu.getMax()),
                        Html.number(p99.getMin()),
                        Html.number(p99.getMax()));
    }

    private static DoubleSummaryStatistics ratios(List<JsonNode> rates, String key) {
        return rates.stream()
                .mapToDouble(rate -> rate.path("adaptive").path(key).asDouble()
                        / strongestStock(rate).orElseThrow().path(key).asDouble())
                .summaryStatistics();
    }

    /**
     * Of the stock settings that carried a rate, the one with the least CPU whose end-to-end p99 keeps the budget. If
     * none keeps it, the one with the lowest p99.
     */
    static Optional<JsonNode> strongestStock(JsonNode rate) {
        double budgetMs = rate.path("budget_ms").asDouble();
        List<JsonNode> carried = stream(rate.path("interval"))
                .filter(setting -> setting.path("reached").asBoolean()
                        && setting.path("cpu_s_per_million").isNumber()
                        && setting.path("p99_end_to_end_ms").isNumber())
                .toList();
        Comparator<JsonNode> byP99 = Comparator.comparingDouble(
                setting -> setting.path("p99_end_to_end_ms").asDouble());
        return carried.stream()
                .filter(setting -> setting.path("p99_end_to_end_ms").asDouble() <= budgetMs)
                .min(Comparator.comparingDouble(
                        setting -> setting.path("cpu_s_per_million").asDouble()))
                .or(() -> carried.stream().min(byP99));
    }

    private static String capacity(JsonNode result) {
        double best = stream(result.path("worst_ratio_of_fixed"))
                .mapToDouble(JsonNode::asDouble)
                .max()
                .orElse(Double.NaN);
        return Double.isNaN(best)
                ? ""
                : text(
                        "None fits every rate: the best single one has %s of the adaptive capacity at the rate that"
                                + " suits it least.",
                        Html.number(best));
    }

    static String cdc(JsonNode result) {
        return text(
                "At 1,000 rows/s the lowest p99 of a hosted Debezium is %s ms. Debezium by itself has %s ms at best.",
                lowestP99Ms(result, true), lowestP99Ms(result, false));
    }

    private static String lowestP99Ms(JsonNode result, boolean hosted) {
        return result.properties().stream()
                .filter(contender -> HOSTED.contains(contender.getKey()) == hosted)
                .map(contender -> contender.getValue().path("p99_ms_1000"))
                .filter(JsonNode::isNumber)
                .min(Comparator.comparingDouble(JsonNode::asDouble))
                .map(p99Ms -> Html.number(p99Ms.asDouble()))
                .orElse("?");
    }

    static String step(JsonNode result) {
        return text("Upward after %s ms, downward after %s ms.", figure(result, "up_ms"), figure(result, "down_ms"));
    }

    /** At the longest delay. Settings are compared with those that have producer batches of the same size. */
    static String slowBroker(JsonNode result) {
        return stream(result.path("delays"))
                .filter(row -> row.path("mode").asText().equals("exactly_once"))
                .max(Comparator.comparingInt(row -> row.path(DELAY).asInt()))
                .map(row -> (versusStock(
                                        row,
                                        "",
                                        text(
                                                "Exactly once and %d ms late, ",
                                                row.path(DELAY).asInt()))
                                + versusStock(row, LARGE_BATCHES, " With batches of 1 MB, "))
                        .strip())
                .orElse("");
    }

    /** The adaptive connector and the best of the stock settings whose names end as its own does. Empty without one. */
    private static String versusStock(JsonNode row, String suffix, String beginning) {
        String ours = "adaptive" + suffix + "_per_s";
        return STOCK.stream()
                .filter(name -> name.endsWith(LARGE_BATCHES) == suffix.equals(LARGE_BATCHES))
                .filter(name -> row.path(name + "_per_s").isNumber())
                .max(Comparator.comparingDouble(
                        name -> row.path(name + "_per_s").asDouble()))
                .map(best -> beginning
                        + text(
                                "%s events/s: %s times the best stock setting, %s.",
                                figure(row, ours),
                                Html.number(ratio(row, ours, best + "_per_s")),
                                best.replace('_', ' ')))
                .orElse("");
    }

    static String baseline(JsonNode result) {
        return "That is the ceiling: what no connector can pass.";
    }

    private static String text(String format, Object... figures) {
        return String.format(Locale.ROOT, format, figures);
    }

    private static String figure(JsonNode node, String key) {
        return node.path(key).isNumber() ? Html.number(node.path(key).asDouble()) : "?";
    }

    private static double ratio(JsonNode node, String one, String other) {
        return node.path(one).asDouble()
                / Math.max(Double.MIN_NORMAL, node.path(other).asDouble());
    }

    private static long count(JsonNode array, Predicate<JsonNode> wanted) {
        return stream(array).filter(wanted).count();
    }

    /** The elements of an array or the values of an object. */
    static Stream<JsonNode> stream(JsonNode container) {
        return StreamSupport.stream(container.spliterator(), false);
    }
}
