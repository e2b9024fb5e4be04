package io.microbatch.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.microbatch.bench.report.BarChart.Bar;
import java.util.List;
import java.util.Locale;

/** What the page says about ingest over HTTP. Stateless. */
final class HttpSection {

    private static final String OURS = "http-eos";
    private static final String SATURATION = "closed-256";

    private HttpSection() {}

    static String answer(JsonNode result) {
        double ours = value(result, SATURATION, OURS, "per_s");
        double theirs = value(result, SATURATION, "servlet-tx", "per_s");
        return Double.isNaN(ours) || Double.isNaN(theirs)
                ? ""
                : String.format(
                        Locale.ROOT,
                        "With 256 connections, committed: %s events/s, %s times a transaction for each request.",
                        Html.number(ours),
                        Html.number(ours / theirs));
    }

    static String body(JsonNode result) {
        return chart(result, SATURATION, "per_s", "256 connections in a closed loop (longer is better)", "/s")
                + chart(result, "closed-16", "per_s", "16 connections in a closed loop (longer is better)", "/s")
                + chart(result, "rate-1000-256", "p99_ms", "p99 at 1,000 requests/s (shorter is better)", "ms")
                + chart(
                        result,
                        SATURATION,
                        "cpu_s_per_million",
                        "CPU of contender and broker per million events, 256 connections (shorter is better)",
                        "s");
    }

    /** Nothing where the load was not measured. */
    private static String chart(JsonNode result, String cell, String figure, String title, String unit) {
        List<Bar> bars = Answers.stream(result.path("contenders"))
                .filter(row -> row.path("cell").asText().equals(cell))
                .map(row -> new Bar(
                        row.path("name").asText(),
                        row.path(figure).isNumber() ? (Double) row.path(figure).asDouble() : null))
                .toList();
        return bars.isEmpty() ? "" : "<h3>" + Html.text(title) + "</h3>" + new BarChart(unit, OURS, bars).html();
    }

    private static double value(JsonNode result, String cell, String contender, String figure) {
        return Answers.stream(result.path("contenders"))
                .filter(row -> row.path("cell").asText().equals(cell)
                        && row.path("name").asText().equals(contender)
                        && row.path(figure).isNumber())
                .mapToDouble(row -> row.path(figure).asDouble())
                .findFirst()
                .orElse(Double.NaN);
    }
}
