package io.microbatch.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.microbatch.bench.report.Axis.Kind;
import io.microbatch.bench.report.BarChart.Bar;
import io.microbatch.bench.report.Series.Point;
import io.microbatch.bench.report.Series.Style;
import java.util.ArrayList;
import java.util.List;

/** What the controller does in a step of the rate, and how soon the latency follows. Stateless. */
final class StepSection {

    private static final String TIME = "seconds since the first event";

    private StepSection() {}

    static String body(JsonNode result) {
        StringBuilder html = new StringBuilder();
        JsonNode timeline = result.path("timeline");
        if (!timeline.path("at_s").isEmpty()) {
            html.append("<h3>The arrival rate, and what follows from it: level and N</h3>");
            html.append(chart(
                    "events, or level",
                    Kind.LOGARITHMIC,
                    trace("arrivals per second, smoothed", Palette.of(0), timeline, "at_s", "arrivals"),
                    trace("pressure level, 1 to 10", Palette.of(1), timeline, "at_s", "level"),
                    trace(
                            "N, events that end a batch at once",
                            Palette.OURS,
                            timeline,
                            "at_s",
                            "batch_target_events")));
            html.append("<h3>T, and the latency versus its budget</h3>");
            html.append(chart(
                    "ms",
                    Kind.LOGARITHMIC,
                    trace(
                            "p99 of a tenth of a second, end to end",
                            Palette.of(3),
                            timeline,
                            "latency_at_s",
                            "latency_p99_ms"),
                    trace("T, the longest deliberate delay", Palette.OURS, timeline, "at_s", "linger_ms"),
                    new Series(
                            "latency budget of the level",
                            Palette.BOUND,
                            Style.BOUND,
                            points(timeline, "at_s", "budget_ms"))));
        }
        for (String direction : List.of("up", "down")) {
            List<Bar> bars = new ArrayList<>();
            for (JsonNode each : result.path(direction + "_ms_each")) {
                bars.add(new Bar("step " + (bars.size() + 1), each.asDouble()));
            }
            html.append("<h3>Until the latency belongs to the new rate, ")
                    .append(direction.equals("up") ? "10 to 10,000/s" : "10,000 to 10/s")
                    .append("</h3>");
            boolean atOnce = bars.stream().allMatch(bar -> bar.value() == 0);
            html.append(
                    atOnce
                            ? "<p>At once, in each of " + bars.size() + " repetitions.</p>"
                            : new BarChart("ms", "", bars).html());
        }
        return html.toString();
    }

    private static String chart(String yLabel, Kind yKind, Series... series) {
        return new LineChart(TIME, yLabel, Kind.LINEAR, yKind, List.of(series)).svg();
    }

    private static Series trace(String name, String color, JsonNode timeline, String x, String y) {
        return new Series(name, color, Style.TRACE, points(timeline, x, y));
    }

    private static List<Point> points(JsonNode timeline, String x, String y) {
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < timeline.path(x).size(); i++) {
            points.add(new Point(
                    timeline.path(x).get(i).asDouble(), timeline.path(y).path(i).asDouble()));
        }
        return points;
    }
}
