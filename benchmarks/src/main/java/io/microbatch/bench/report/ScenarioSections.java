package io.microbatch.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.microbatch.bench.report.BarChart.Bar;
import io.microbatch.bench.report.Sections.Section;
import java.util.List;
import java.util.stream.Stream;

/** What the page says about the scenarios, whose results have one shape: bars for each row and figure. Stateless. */
final class ScenarioSections {

    /** Those that have a bar, where a result has them. */
    static final List<String> CONTENDERS = Stream.concat(
                    Stream.of(
                            "adaptive",
                            "adaptive_large_batches",
                            "hosted_large_batches",
                            "hosted_interval_1000_large_batches",
                            "hosted_fixed_50000_large_batches",
                            "fixed"),
                    Answers.STOCK.stream())
            .toList();

    /** Events per second at saturation, and whether less of it is better. */
    private static final Measure PER_SEC = new Measure("%s_per_s", "events per second (longer is better)", "/s");

    private static final Measure P99 = new Measure("p99_ms_%s", "p99, due to read (shorter is better)", "ms");
    private static final Measure CPU =
            new Measure("cpu_s_per_million_%s", "CPU of worker and broker per million events (shorter is better)", "s");
    private static final Measure LIVE =
            new Measure("live_after_ms_%s", "until a second's events keep the budget again (shorter is better)", "ms");
    private static final Measure FIRST =
            new Measure("first_new_ms_%s", "until the first new event is read (shorter is better)", "ms");

    static final List<Section> ALL = List.of(
            section(
                    "hot-path",
                    "rates",
                    "rate",
                    "/s",
                    "How old is an event at a steady rate?",
                    "From when an event was due to a read_committed consumer's having it. fixed is this connector with"
                            + " T = 5 ms. A contender that does not reach the rate has no bar.",
                    List.of(P99, CPU)),
            section(
                    "backlog",
                    "backlogs",
                    "backlog_events",
                    "events",
                    "How fast is a backlog drained?",
                    "The connector is created when the events wait already and more become due all the time. unbuffered"
                            + " makes all that is due in each poll.",
                    List.of(PER_SEC, LIVE)),
            section(
                    "partitions",
                    "partitions",
                    "topic_partitions",
                    "partitions",
                    "What do many topic partitions cost?",
                    "One task, 96 keys, as fast as it goes.",
                    List.of(PER_SEC)),
            section(
                    "sizes",
                    "sizes",
                    "size_bytes",
                    "bytes",
                    "Does it hold for large events?",
                    "As fast as it goes. unbuffered makes 16 MB in each poll.",
                    List.of(PER_SEC)),
            section(
                    "fan-out",
                    "groups",
                    "consumer_groups",
                    "groups",
                    "What do more readers cost?",
                    "Consumer groups that read everything while it is written; latencies over all of them.",
                    List.of(P99, CPU)),
            section(
                    "offset-recovery",
                    "interruptions",
                    "interruption",
                    "",
                    "How long does an interruption last?",
                    "The stream does not wait. unbuffered is a connector without readers and rings: what it takes is"
                            + " the worker's.",
                    List.of(FIRST, LIVE)),
            section(
                    "mixed",
                    "rates",
                    "rate",
                    "/s (0 is as fast as it goes)",
                    "Do many topics and sizes go together?",
                    "Events of 64 bytes to 10 KB into twelve topics of two partitions, through one task.",
                    List.of(PER_SEC, P99)),
            section(
                    "slow-broker",
                    "delays",
                    "delay_ms",
                    "ms",
                    "What remains with a broker that answers late?",
                    "Events per second with one request in flight, when each produce request is answered later. naive"
                            + " returns one event from each poll, unbuffered all it has; interval is Connect's own"
                            + " transaction.boundary=interval, with its milliseconds, and linger the producer's;"
                            + " those with large batches have batch.size=1000000, and hosted ones are the source of"
                            + " naive, hosted by this connector.",
                    List.of(PER_SEC)));

    /** A figure of every contender: where it is, what it says, in which unit. */
    private record Measure(String key, String title, String unit) {}

    private ScenarioSections() {}

    private static Section section(
            String name, String rows, String key, String unit, String title, String reading, List<Measure> measures) {
        return new Section(
                name + ".json",
                title,
                reading,
                name.equals("slow-broker") ? Answers::slowBroker : result -> "",
                result -> html(result.path(rows), key, unit, measures));
    }

    private static String html(JsonNode rows, String key, String unit, List<Measure> measures) {
        StringBuilder html = new StringBuilder();
        for (JsonNode row : rows) {
            String mode = row.path("mode").asText().replace('_', '-');
            String driver = row.path("driver").asText(mode);
            JsonNode value = row.path(key);
            String what = value.isNumber()
                    ? Html.number(value.asDouble())
                    : value.asText().replace('_', ' ');
            html.append("<h3>")
                    .append(Html.text(
                            (driver.equals(mode) ? mode : driver + " (" + mode + ")") + ", " + what + " " + unit))
                    .append("</h3>");
            measures.forEach(measure -> html.append(chart(row, measure)));
        }
        return html.toString();
    }

    private static String chart(JsonNode row, Measure measure) {
        List<Bar> bars = CONTENDERS.stream()
                .filter(contender -> row.has(String.format(measure.key(), contender)))
                .map(contender -> new Bar(contender.replace('_', ' '), value(row, measure, contender)))
                .toList();
        return bars.isEmpty()
                ? ""
                : "<p>" + Html.text(measure.title()) + "</p>" + new BarChart(measure.unit(), "adaptive", bars).html();
    }

    private static Double value(JsonNode row, Measure measure, String contender) {
        JsonNode figure = row.path(String.format(measure.key(), contender));
        return figure.isNumber() ? (Double) figure.asDouble() : null;
    }
}
