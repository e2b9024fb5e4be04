package io.microbatch.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.microbatch.bench.report.Sections.Section;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The page as a whole: a style, a summary of what was found, and a section for each result that is there. */
final class ReportPage {

    private static final String STYLE = """
            :root{color-scheme:light dark}
            body{font:16px/1.5 system-ui,sans-serif;max-width:860px;margin:0 auto;padding:1rem}
            h1{font-size:1.6rem}h2{font-size:1.25rem;margin-top:2.5rem;overflow-wrap:anywhere}
            h3{font-size:1rem;margin:1.2rem 0 .3rem}
            svg{display:block;width:100%;height:auto;font-size:15px;fill:currentColor}
            .grid{stroke:currentColor;stroke-opacity:.15}
            .leader{stroke:currentColor;stroke-opacity:.5}
            .legend{margin:.3rem 0}.legend span{display:inline-block;margin-right:1rem;font-size:.85rem}
            .legend i{display:inline-block;width:1.6rem;margin-right:.4rem;vertical-align:middle}
            table.bars{width:100%;border-collapse:collapse;font-size:.9rem}
            .bars th{text-align:left;font-weight:400;padding-right:.6rem;overflow-wrap:anywhere}
            .bars .bar{width:40%}.bars .bar i{display:block;height:1rem;background:#2f78d0;min-width:2px}
            .bars .ours .bar i{background:#0b8f66}.bars .ours th{font-weight:700}
            .bars .figure{text-align:right;white-space:nowrap;padding:.15rem .5rem}
            .bars .ratio{font-size:.8rem;opacity:.75;white-space:nowrap;text-align:right}
            .answer{font-size:1.1rem;font-weight:600;margin:.4rem 0}
            .no{color:#d1392f;font-weight:700}.yes{color:#0b8f66;font-weight:700}
            .source{font-size:.85rem;opacity:.75}
            @media(max-width:600px){svg{font-size:24px}.bars .bar{width:25%}
            .bars .figure,.bars th{padding-left:0;padding-right:.3rem}}
            """;

    private final Map<Section, JsonNode> results = new LinkedHashMap<>();

    void add(Section section, JsonNode result) {
        results.put(section, result);
    }

    boolean isEmpty() {
        return results.isEmpty();
    }

    String html() {
        StringBuilder html = new StringBuilder("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">")
                .append("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">")
                .append("<title>Kafka Connect Microbatch: measurements</title><style>")
                .append(STYLE)
                .append("</style></head><body><h1>Kafka Connect Microbatch: measurements</h1>")
                .append("<p>A source connector whose batches grow with the pressure. Every event of every run below"
                        + " was")
                .append(" read back and checked; compare ratios within a chart, not figures between charts.</p>");
        results.forEach((section, result) -> html.append("<section><h2>")
                .append(Html.text(section.title()))
                .append("</h2>")
                .append(answer(section.answer().apply(result)))
                .append("<p>")
                .append(Html.text(section.reading()))
                .append("</p>")
                .append(section.body().apply(result))
                .append(source(section, result))
                .append("</section>"));
        return html.append("</body></html>\n").toString();
    }

    private static String answer(String text) {
        return text.isEmpty() ? "" : "<p class=\"answer\">" + Html.text(text) + "</p>";
    }

    private static String source(Section section, JsonNode result) {
        JsonNode environment = result.path("environment");
        boolean verified = result.path("verified").asBoolean();
        return "<p class=\"source\">" + section.file() + ", verified: <span class=\"" + (verified ? "yes" : "no")
                + "\">"
                + (verified ? "yes" : "NO") + "</span>. "
                + Html.text(String.join(", ", machine(environment))) + "</p>";
    }

    /** What the result says of it. Older results say less. */
    private static List<String> machine(JsonNode environment) {
        List<String> facts = new ArrayList<>();
        // To the minute.
        facts.add(environment.path("at").asText("?").replaceAll("^(.{10})T(.{5}).*", "$1 $2 UTC"));
        if (environment.has("code")) {
            facts.add("code " + environment.path("code").asText());
        }
        facts.add(environment.path("processors").asText("?") + " processors");
        for (String key : List.of("cpu", "os", "java")) {
            if (environment.has(key)) {
                facts.add(environment.path(key).asText());
            }
        }
        if (environment.has("kafka")) {
            facts.add("Kafka " + environment.path("kafka").asText());
        }
        if (environment.has("transaction_version")) {
            facts.add("transaction.version "
                    + environment.path("transaction_version").asText());
        }
        if (environment.has("disk")) {
            facts.add("disk " + environment.path("disk").asText());
        }
        return facts;
    }
}
