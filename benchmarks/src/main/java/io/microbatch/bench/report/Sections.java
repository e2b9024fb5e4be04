package io.microbatch.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.microbatch.bench.report.BarChart.Bar;
import io.microbatch.bench.report.Series.Point;
import io.microbatch.bench.report.Series.Style;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** What the page says about each kind of result. Stateless. */
final class Sections {

    /**
     * A part of the page.
     *
     * @param file the result that it is made of
     * @param title what it asks
     * @param reading how to read what is below
     * @param answer what came out, in a sentence; empty if the result does not say
     * @param body charts, as HTML
     */
    record Section(
            String file,
            String title,
            String reading,
            Function<JsonNode, String> answer,
            Function<JsonNode, String> body) {}

    static final List<Section> ALL = List.of(
            new Section(
                    "compare.json",
                    "How much does a worker move at saturation?",
                    "Events per second as a read_committed consumer gets them. naive returns one event from each poll,"
                            + " fixed is this connector with fixed settings, unbuffered makes 50,000 events in each"
                            + " poll, producer is no Connect at all. interval is Connect's own"
                            + " transaction.boundary=interval, with its milliseconds.",
                    Answers::compare,
                    Sections::compare),
            new Section(
                    "ramp.json",
                    "Is the latency budget kept at every rate?",
                    "The 99th percentile from an event's arrival in the task to its acknowledgement by Kafka,"
                            + " against the rate. Below the red dashed line the budget is kept. At the lowest rates"
                            + " a commit alone is longer than the budget.",
                    Answers::ramp,
                    Sections::ramp),
            new Section(
                    "regret.json",
                    "What would the best setting of each rate have gained?",
                    "First end-to-end p99 and CPU against the rate, versus Connect's own"
                            + " transaction.boundary=interval, with its milliseconds. The strongest stock setting of a"
                            + " rate has the least CPU of those that keep the budget. Then capacity, events per second"
                            + " that the task is busy: the adaptive connector, and this connector with one fixed"
                            + " linger. A fixed linger that suits one rate does not suit the others, or breaks their"
                            + " budget.",
                    Answers::regret,
                    RegretSection::body),
            new Section(
                    "cdc.json",
                    "Is a hosted Debezium faster than Debezium by itself?",
                    "plain has Debezium's defaults, tuned, small and mid have other queues, and iN Connect's own"
                            + " transactions of N ms, lN a producer's linger as long."
                            + " adaptive and efficiency are the same Debezium hosted, with one objective each,"
                            + " hosted-30 with a target of 30 ms, default with neither. Latency from a row's commit"
                            + " in PostgreSQL to a read_committed consumer.",
                    Answers::cdc,
                    Sections::cdc),
            new Section(
                    "http.json",
                    "What does ingest over HTTP carry?",
                    "Requests with one event of 100 bytes. http is this connector, exactly once (eos) and at least"
                            + " once (alo). servlet sends each event on the thread of its request and waits,"
                            + " servlet-tx commits a transaction for each. A 200 of http-eos and servlet-tx means"
                            + " committed. A dash is a load that was not carried.",
                    HttpSection::answer,
                    HttpSection::body),
            new Section(
                    "step.json",
                    "How soon is the budget kept again after a step of the rate?",
                    "10 events/s, then 10,000, then 10 again. The two plots are one repetition: when the rate steps,"
                            + " the level follows, and with it N and T. The bars are the time from a step until the"
                            + " 99th percentile stays within the budget of the new rate, or as near to it as it gets.",
                    Answers::step,
                    StepSection::body),
            new Section(
                    "baseline.json",
                    "What does a producer alone move?",
                    "Events per second until the last acknowledgement (under transactions, the last commit), random"
                            + " payload. bulk and mega put 1,000 and 10,000 events into one record.",
                    Answers::baseline,
                    Sections::baseline));

    private Sections() {}

    private static String compare(JsonNode result) {
        StringBuilder html = new StringBuilder();
        for (String mode : List.of("exactly_once", "at_least_once")) {
            List<Bar> bars = new ArrayList<>();
            result.path(mode).properties().stream()
                    .filter(contender -> contender.getValue().isNumber())
                    .forEach(contender -> bars.add(new Bar(contender.getKey(), figure(contender.getValue()))));
            html.append("<h3>").append(mode.replace('_', '-')).append("</h3>");
            html.append(new BarChart("/s", "adaptive", bars).html());
        }
        return html.toString();
    }

    private static String ramp(JsonNode result) {
        StringBuilder html = new StringBuilder();
        for (String mode : List.of("exactly_once", "at_least_once")) {
            List<JsonNode> levels = Answers.stream(result.path("levels"))
                    .filter(level -> level.path("mode").asText().equals(mode)
                            && level.path("rate").isNumber()
                            && level.path("attainable").asBoolean())
                    .toList();
            List<Series> series = List.of(
                    new Series("p99, adaptive", Palette.OURS, Style.MEASURED, points(levels, "rate", "p99_ms")),
                    new Series(
                            "lowest p99 of any fixed linger",
                            Palette.of(0),
                            Style.MEASURED,
                            points(levels, "rate", "lowest_fixed_p99_ms")),
                    new Series("budget", Palette.BOUND, Style.BOUND, points(levels, "rate", "budget_ms")));
            html.append("<h3>").append(mode.replace('_', '-')).append("</h3>");
            html.append(new LineChart("events/s", "ms", series).svg());
        }
        return html.toString();
    }

    private static String cdc(JsonNode result) {
        StringBuilder html = new StringBuilder();
        for (List<String> figure : List.of(
                List.of("p99_ms_50", "p99 at 50 rows/s (shorter is better)", "ms"),
                List.of("p99_ms_1000", "p99 at 1,000 rows/s (shorter is better)", "ms"),
                List.of("backlog_per_s", "backlog (longer is better)", "rows/s"),
                List.of(
                        "cpu_s_per_million",
                        "CPU of " + cdcProcesses(result) + " per million rows of backlog (shorter is better)",
                        "s"))) {
            List<Bar> bars = new ArrayList<>();
            result.properties().stream()
                    .filter(contender -> contender.getValue().has("backlog_per_s"))
                    .forEach(contender -> bars.add(new Bar(
                            contender.getKey(), figure(contender.getValue().path(figure.get(0))))));
            html.append("<h3>").append(Html.text(figure.get(1))).append("</h3>");
            html.append(new BarChart(figure.get(2), "adaptive", bars).html());
        }
        List<Bar> tuned = parts(result, "tuned");
        List<Bar> adaptive = parts(result, "adaptive");
        if (!tuned.isEmpty() && !adaptive.isEmpty()) {
            double scale = Math.max(BarChart.most(tuned), BarChart.most(adaptive));
            html.append("<h3>CPU of a row of the backlog by thread: tuned</h3>")
                    .append(new BarChart("µs", "", tuned, scale).html())
                    .append("<h3>adaptive</h3>")
                    .append(new BarChart("µs", "", adaptive, scale).html());
        }
        return html.toString();
    }

    /** Results of older builds have the worker's CPU only. */
    private static String cdcProcesses(JsonNode result) {
        return result.properties().stream()
                        .anyMatch(contender -> contender.getValue().has("cpu_broker_s_per_million"))
                ? "worker and broker"
                : "the worker";
    }

    private static List<Bar> parts(JsonNode result, String contender) {
        List<Bar> parts = new ArrayList<>();
        result.path(contender)
                .path("cpu_us_per_row")
                .properties()
                .forEach(part -> parts.add(new Bar(part.getKey(), figure(part.getValue()))));
        return parts;
    }

    private static String baseline(JsonNode result) {
        StringBuilder html = new StringBuilder();
        for (String acks : List.of("0", "1", "all", "transactional")) {
            List<Bar> bars = Answers.stream(result.path("modes"))
                    .filter(mode -> mode.path("acks").asText().equals(acks)
                            && mode.path("payload").asText().equals("random"))
                    .map(mode -> new Bar(
                            mode.path("name").asText(),
                            figure(mode.path(
                                    acks.equals("transactional") ? "transactional_per_s" : "sustained_per_s"))))
                    .toList();
            html.append("<h3>acks = ").append(acks).append("</h3>");
            html.append(new BarChart("/s", "", bars).html());
        }
        return html.toString();
    }

    private static List<Point> points(List<JsonNode> nodes, String x, String y) {
        return nodes.stream()
                .map(node -> new Point(node.path(x).asDouble(), node.path(y).asDouble()))
                .toList();
    }

    private static Double figure(JsonNode node) {
        return node.isNumber() ? (Double) node.asDouble() : null;
    }
}
