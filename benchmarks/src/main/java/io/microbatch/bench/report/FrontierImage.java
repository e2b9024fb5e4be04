package io.microbatch.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Latency against CPU as one SVG file for a page of text: two panels in a row, one for each rate. The file has its own
 * background, so that it is legible on a dark page, and needs no script, font or other file. Stateless.
 */
final class FrontierImage {

    private static final int COLUMNS = 2;
    private static final int PANEL_WIDTH = 450;

    /** Keeps the proportions of a chart. */
    private static final int CHART_HEIGHT = 325;

    private static final int PANEL_HEIGHT = 370;
    private static final int HEADING = 62;
    private static final int CHART_TOP = 22;
    private static final int MARGIN = 12;

    /** A letter of the style's 21 units, in a wide font. */
    private static final double LETTER_WIDTH = 12.6;

    private static final String STYLE =
            "text{font-family:system-ui,-apple-system,'Segoe UI',sans-serif}svg{fill:#1b1f24}"
                    + "svg svg svg text{font-size:21px}.title{font-size:15px;font-weight:600}.small{font-size:12.5px}"
                    + ".soft{font-size:12.5px;fill:#57606a}.grid{stroke:#1b1f24;stroke-opacity:.15}"
                    + ".leader{stroke:#1b1f24;stroke-opacity:.5}";

    private FrontierImage() {}

    /**
     * The file.
     *
     * @param results runs with the same delivery and the same number of brokers
     * @param rates those with a panel, in events/s; all of them if it is empty
     * @throws IllegalArgumentException if there is no such rate, or if the runs differ in more than their rates
     */
    static String of(List<JsonNode> results, List<Integer> rates) {
        List<JsonNode> panels = panels(results, rates);
        if (results.stream().map(FrontierSection::cluster).distinct().count() > 1) {
            throw new IllegalArgumentException("the runs differ in delivery or brokers: draw each of them alone");
        }
        int rows = (panels.size() + COLUMNS - 1) / COLUMNS;
        int width = COLUMNS * PANEL_WIDTH;
        int height = HEADING + rows * PANEL_HEIGHT + MARGIN;
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
                        + " role=\"img\">\n",
                width,
                height,
                width,
                height));
        svg.append("<title>p99 against CPU at ")
                .append(panels.size() == 1 ? "one rate" : panels.size() + " rates")
                .append("</title>\n<style>")
                .append(STYLE)
                .append("</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
        legend(svg, panels);
        text(svg, MARGIN, 50, "soft", reading(results));
        for (int i = 0; i < panels.size(); i++) {
            panel(svg, panels.get(i), i % COLUMNS * PANEL_WIDTH, HEADING + i / COLUMNS * PANEL_HEIGHT);
        }
        return svg.append("</svg>\n").toString();
    }

    private static List<JsonNode> panels(List<JsonNode> results, List<Integer> rates) {
        List<JsonNode> all = results.stream()
                .flatMap(result -> Answers.stream(result.path("rates")))
                .toList();
        if (all.isEmpty()) {
            throw new IllegalArgumentException("no rates: this is no result of bench frontier, or one with delays");
        }
        if (rates.isEmpty()) {
            return all;
        }
        List<JsonNode> panels = new ArrayList<>();
        for (int rate : rates) {
            panels.add(all.stream()
                    .filter(each -> each.path("rate").asInt() == rate)
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("no rate of " + rate + " events/s: there are "
                            + all.stream()
                                    .map(each -> each.path("rate").asText())
                                    .toList())));
        }
        return panels;
    }

    /** An entry for each colour that is drawn. */
    private static void legend(StringBuilder svg, List<JsonNode> panels) {
        List<String> drawn = panels.stream()
                .flatMap(panel -> FrontierSection.marks(panel, name -> name).stream())
                .map(PointChart.Mark::color)
                .distinct()
                .toList();
        int x = MARGIN;
        for (FrontierSection.Side side : FrontierSection.SIDES) {
            if (drawn.contains(side.color())) {
                svg.append(String.format(
                        Locale.ROOT, "<circle cx=\"%d\" cy=\"22\" r=\"6\" fill=\"%s\"/>\n", x + 6, side.color()));
                text(svg, x + 18, 27, "title", side.text());
                x += 40 + 9 * side.text().length();
            }
        }
    }

    private static String reading(List<JsonNode> results) {
        boolean verified =
                results.stream().allMatch(result -> result.path("verified").asBoolean());
        return "Nearer to the lower left is better. End to end, CPU of worker and broker, "
                + FrontierSection.cluster(results.get(0)).replaceAll("[()]", "") + ". "
                + (verified ? "Every event was checked." : "NOT VERIFIED.");
    }

    /** The name of a contender. An interval with a linger as long has one number, because a panel has little room. */
    static String label(String name) {
        return name.replaceAll("^interval-(\\d+)-linger-\\1$", "interval+linger $1");
    }

    private static void panel(StringBuilder svg, JsonNode panel, int x, int y) {
        List<String> without = FrontierSection.notCarried(panel);
        text(
                svg,
                x + MARGIN,
                y + CHART_TOP - 4,
                "title",
                Html.number(panel.path("rate").asDouble()) + " events/s");
        svg.append(String.format(
                        Locale.ROOT,
                        "<svg x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">",
                        x,
                        y + CHART_TOP,
                        PANEL_WIDTH,
                        CHART_HEIGHT,
                        Frame.WIDTH,
                        PointChart.HEIGHT))
                .append(new PointChart(
                                "p99, ms",
                                "CPU s per million events",
                                LETTER_WIDTH,
                                FrontierSection.marks(panel, FrontierImage::label))
                        .svg()
                        .replace("><", ">\n<"))
                .append("</svg>\n");
        if (!without.isEmpty()) {
            text(svg, x + MARGIN, y + PANEL_HEIGHT - 6, "small", "Not carried: " + String.join(", ", without));
        }
    }

    private static void text(StringBuilder svg, int x, int y, String style, String text) {
        svg.append(String.format(
                Locale.ROOT, "<text x=\"%d\" y=\"%d\" class=\"%s\">%s</text>\n", x, y, style, Html.text(text)));
    }
}
