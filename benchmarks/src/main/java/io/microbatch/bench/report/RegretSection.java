package io.microbatch.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.microbatch.bench.report.Series.Point;
import io.microbatch.bench.report.Series.Style;
import io.microbatch.connect.pressure.PressureLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Latency and CPU versus the stock settings, then capacity versus each fixed linger. Stateless. */
final class RegretSection {

    private static final String CAPACITY = "capacity, events per busy second";

    /** Where T = 0 is drawn, since a logarithmic axis has no 0. */
    private static final double NO_LINGER_MS = 0.1;

    private RegretSection() {}

    static String body(JsonNode result) {
        List<JsonNode> rates = Answers.stream(result.path("rates")).toList();
        return versusStock(rates, "p99_end_to_end_ms", "End-to-end p99 (lower is better)", "ms")
                + versusStock(
                        rates,
                        "cpu_s_per_million",
                        "CPU of worker and broker per million events (lower is better)",
                        "s")
                + "<h3>Against the rate; a fixed T only where it keeps the budget</h3>" + againstRate(rates)
                + "<h3>Against T, at each rate; T = 0 is drawn at 0.1</h3>" + againstLinger(rates);
    }

    /** This connector and every stock setting at the rates that it carried. Nothing where there is no stock setting. */
    private static String versusStock(List<JsonNode> rates, String key, String title, String unit) {
        List<String> names = rates.stream()
                .flatMap(rate -> Answers.stream(rate.path("interval")))
                .map(setting -> setting.path("name").asText())
                .distinct()
                .toList();
        if (names.isEmpty()) {
            return "";
        }
        List<Series> series = new ArrayList<>();
        series.add(new Series(
                "adaptive",
                Palette.OURS,
                Style.MEASURED,
                rates.stream()
                        .map(rate -> new Point(number(rate, "rate"), number(rate.path("adaptive"), key)))
                        .toList()));
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            List<Point> points = rates.stream()
                    .flatMap(rate -> Answers.stream(rate.path("interval"))
                            .filter(setting -> setting.path("name").asText().equals(name)
                                    && setting.path("reached").asBoolean()
                                    && setting.path(key).isNumber())
                            .map(setting -> new Point(number(rate, "rate"), number(setting, key))))
                    .toList();
            series.add(new Series(name.replace('_', ' '), Palette.of(i), Style.MEASURED, points));
        }
        return "<h3>" + Html.text(title) + "</h3>" + new LineChart("events/s", unit, series).svg();
    }

    private static String againstRate(List<JsonNode> rates) {
        List<Series> series = new ArrayList<>();
        List<Point> adaptive = rates.stream()
                .filter(rate -> keeps(rate.path("adaptive"), rate))
                .map(rate -> new Point(number(rate, "rate"), number(rate.path("adaptive"), "capacity")))
                .toList();
        series.add(new Series("adaptive", Palette.OURS, Style.MEASURED, adaptive));
        List<String> names = rates.stream()
                .flatMap(rate -> Answers.stream(rate.path("fixed")))
                .map(fixed -> fixed.path("name").asText())
                .distinct()
                .toList();
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            List<Point> points = rates.stream()
                    .flatMap(rate -> Answers.stream(rate.path("fixed"))
                            .filter(fixed -> fixed.path("name").asText().equals(name) && keeps(fixed, rate))
                            .map(fixed -> new Point(number(rate, "rate"), number(fixed, "capacity"))))
                    .toList();
            String setting = Character.isDigit(name.charAt(0)) ? "T = " + name + " ms" : name;
            series.add(new Series(setting + ", where it keeps the budget", Palette.of(i), Style.MEASURED, points));
        }
        return new LineChart("events/s", CAPACITY, series).svg();
    }

    private static String againstLinger(List<JsonNode> rates) {
        List<Series> series = new ArrayList<>();
        List<Point> chosen = new ArrayList<>();
        for (int i = 0; i < rates.size(); i++) {
            JsonNode rate = rates.get(i);
            List<Point> points = Answers.stream(rate.path("fixed"))
                    .filter(fixed ->
                            Character.isDigit(fixed.path("name").asText("-").charAt(0)))
                    .map(fixed ->
                            new Point(Math.max(NO_LINGER_MS, number(fixed, "linger_ms")), number(fixed, "capacity")))
                    .toList();
            String name = String.format(
                    Locale.ROOT,
                    "%,.0f/s (level %d, budget %s ms)",
                    number(rate, "rate"),
                    PressureLevel.ofRate(number(rate, "rate")).number(),
                    Html.number(number(rate, "budget_ms")));
            series.add(new Series(name, Palette.of(i), Style.MEASURED, points));
            JsonNode adaptive = rate.path("adaptive");
            chosen.add(new Point(Math.max(NO_LINGER_MS, number(adaptive, "linger_ms")), number(adaptive, "capacity")));
        }
        series.add(new Series("what the adaptive connector chose at each", Palette.OURS, Style.POINTS, chosen));
        return new LineChart("T in ms", CAPACITY, series).svg();
    }

    private static boolean keeps(JsonNode setting, JsonNode rate) {
        return setting.path("p99_ms").asDouble(Double.MAX_VALUE) <= number(rate, "budget_ms");
    }

    private static double number(JsonNode node, String key) {
        return node.path(key).asDouble();
    }
}
