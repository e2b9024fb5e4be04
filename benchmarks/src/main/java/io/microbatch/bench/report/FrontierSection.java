package io.microbatch.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.microbatch.bench.report.Axis.Kind;
import io.microbatch.bench.report.PointChart.Mark;
import io.microbatch.bench.report.Sections.Section;
import io.microbatch.bench.report.Series.Point;
import io.microbatch.bench.report.Series.Style;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** Latency against CPU at each rate, and latency against the broker's delay. Stateless. */
final class FrontierSection {

    /** Its results: one file for each cluster that was measured. */
    static final Pattern FILE = Pattern.compile("frontier[\\w.-]*\\.json");

    private static final String STOCK = Palette.of(0);
    private static final String FIXED = Palette.of(3);

    /** What a colour stands for. */
    record Side(String color, String text) {}

    /** As legends list them. */
    static final List<Side> SIDES = List.of(
            new Side(Palette.OURS, "this connector"),
            new Side(FIXED, "this connector with a fixed linger"),
            new Side(STOCK, "stock settings"));

    private static final String READING = "The 99th percentile end to end, from when an event was due to a"
            + " read_committed consumer's having it, against the CPU of worker and brokers. Nearer to the lower left"
            + " corner is better. Stock settings, which any connector can have: iN is one event a poll with Connect's"
            + " transaction.boundary=interval of N ms, iaN the same with all events in a poll, iNwM the same as iN with"
            + " polls that wait M ms at most, n a transaction for each event, lN and laN the producer's linger.ms=N."
            + " Ours: default, latency is batch.objective=latency, tN is latency.target.ms=N, fN is a fixed linger of N"
            + " ms. What does not carry the rate has no point.";

    /** Longer beginnings first. */
    private static final List<Map.Entry<String, String>> SHORT = List.of(
            Map.entry("interval-all-", "ia"),
            Map.entry("interval-", "i"),
            Map.entry("linger-all-", "la"),
            Map.entry("linger-", "l"),
            Map.entry("target-", "t"),
            Map.entry("fixed-", "f"),
            Map.entry("naive", "n"));

    private FrontierSection() {}

    /** The section for a result. */
    static Section of(String file, JsonNode result) {
        boolean delayed = result.has("delays");
        return new Section(
                file,
                (delayed
                                ? "How slow may a broker be, before a setting falls off?"
                                : "What does latency cost in CPU, and in stock settings?")
                        + " " + cluster(result),
                READING,
                FrontierSection::answer,
                delayed ? FrontierSection::delays : FrontierSection::rates);
    }

    /** Delivery and brokers, in parentheses. */
    static String cluster(JsonNode result) {
        int brokers = result.path("brokers").asInt(1);
        StringBuilder text = new StringBuilder("(")
                .append(result.path("delivery").asText("exactly-once"))
                .append(brokers == 1 ? ", one broker" : ", " + brokers + " brokers");
        result.path("broker_properties")
                .properties()
                .forEach(property -> text.append(", ")
                        .append(property.getKey())
                        .append('=')
                        .append(property.getValue().asText()));
        return text.append(')').toString();
    }

    private static String answer(JsonNode result) {
        List<Integer> rates = Answers.stream(result.path("rates"))
                .filter(rate ->
                        rate.path("contenders").path("default").path("carried").asBoolean())
                .map(rate -> rate.path("rate").asInt())
                .toList();
        List<Integer> dominated = Answers.stream(result.path("dominated"))
                .filter(pair -> pair.path("ours").asText().equals("default"))
                .map(pair -> pair.path("rate").asInt())
                .distinct()
                .toList();
        return rates.isEmpty()
                ? ""
                : "At " + (rates.size() - dominated.size()) + " of " + rates.size()
                        + " rates no stock setting has both a lower p99 and less CPU than the default.";
    }

    private static String rates(JsonNode result) {
        StringBuilder html = new StringBuilder(legend());
        for (JsonNode rate : result.path("rates")) {
            html.append("<h3>")
                    .append(Html.number(rate.path("rate").asDouble()))
                    .append(" events/s</h3>")
                    .append(new PointChart(
                                    "p99, ms", "CPU s per million events", marks(rate, FrontierSection::shortName))
                            .svg());
            paragraph(html, "Does not carry the rate: ", notCarried(rate));
            paragraph(html, "Dominated: ", dominated(result, rate.path("rate").asInt()));
        }
        return html.toString();
    }

    private static String legend() {
        StringBuilder html = new StringBuilder("<p class=\"legend\">");
        SIDES.forEach(side -> html.append(entry(side.color(), side.text())));
        return html.append("</p>").toString();
    }

    private static String entry(String color, String text) {
        return "<span><i style=\"border-top:4px solid " + color + "\"></i>" + text + "</span> ";
    }

    /** Those that carry the rate, each with its label. */
    static List<Mark> marks(JsonNode rate, UnaryOperator<String> label) {
        List<Mark> marks = new ArrayList<>();
        rate.path("contenders").properties().forEach(each -> {
            JsonNode figures = each.getValue();
            if (figures.path("p99_ms").isNumber()
                    && figures.path("cpu_s_per_million").isNumber()) {
                marks.add(new Mark(
                        label.apply(each.getKey()),
                        each.getKey(),
                        color(each.getKey(), figures),
                        figures.path("p99_ms").asDouble(),
                        figures.path("cpu_s_per_million").asDouble()));
            }
        });
        return marks;
    }

    private static String color(String name, JsonNode figures) {
        if (figures.path("stock").asBoolean()) {
            return STOCK;
        }
        return name.startsWith("fixed-") ? FIXED : Palette.OURS;
    }

    static String shortName(String name) {
        return SHORT.stream()
                .filter(each -> name.startsWith(each.getKey()))
                .findFirst()
                .map(each ->
                        each.getValue() + name.substring(each.getKey().length()).replace("-wait-", "w"))
                .orElse(name);
    }

    static List<String> notCarried(JsonNode rate) {
        List<String> names = new ArrayList<>();
        rate.path("contenders").properties().forEach(each -> {
            if (!each.getValue().path("carried").asBoolean()) {
                names.add(each.getKey());
            }
        });
        return names;
    }

    private static List<String> dominated(JsonNode result, int rate) {
        return Answers.stream(result.path("dominated"))
                .filter(pair -> pair.path("rate").asInt() == rate)
                .map(pair ->
                        pair.path("ours").asText() + " by " + pair.path("stock").asText())
                .toList();
    }

    private static void paragraph(StringBuilder html, String title, List<String> names) {
        if (!names.isEmpty()) {
            html.append("<p>")
                    .append(Html.text(title + String.join(", ", names) + "."))
                    .append("</p>");
        }
    }

    /** A line for each contender. It ends where the contender carries the rate no longer. */
    private static String delays(JsonNode result) {
        StringBuilder html = new StringBuilder();
        List<JsonNode> delays = Answers.stream(result.path("delays")).toList();
        List<Integer> rates = delays.stream()
                .flatMap(delay -> Answers.stream(delay.path("rates")))
                .map(rate -> rate.path("rate").asInt())
                .distinct()
                .toList();
        for (int rate : rates) {
            html.append("<h3>")
                    .append(Html.number(rate))
                    .append(" events/s</h3>")
                    .append(new LineChart(
                                    "delay of a produce request, ms",
                                    "p99, ms",
                                    Kind.LINEAR,
                                    Kind.LOGARITHMIC,
                                    series(delays, rate))
                            .svg());
        }
        return html.toString();
    }

    private static List<Series> series(List<JsonNode> delays, int rate) {
        List<String> names = delays.stream()
                .flatMap(delay -> atRate(delay, rate).properties().stream().map(Map.Entry::getKey))
                .distinct()
                .toList();
        List<Series> series = new ArrayList<>();
        for (String name : names) {
            List<Point> points = delays.stream()
                    .filter(delay ->
                            atRate(delay, rate).path(name).path("p99_ms").isNumber())
                    .map(delay -> new Point(
                            delay.path("delay_ms").asDouble(),
                            atRate(delay, rate).path(name).path("p99_ms").asDouble()))
                    .toList();
            String text = points.isEmpty() ? name + " (never carries the rate)" : name;
            String color = name.equals("default") ? Palette.OURS : Palette.of(series.size());
            series.add(new Series(text, color, Style.MEASURED, points));
        }
        return series;
    }

    private static JsonNode atRate(JsonNode delay, int rate) {
        return Answers.stream(delay.path("rates"))
                .filter(each -> each.path("rate").asInt() == rate)
                .findFirst()
                .map(each -> each.path("contenders"))
                .orElseGet(() -> delay.path("no such rate"));
    }
}
