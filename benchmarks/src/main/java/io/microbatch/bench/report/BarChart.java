package io.microbatch.bench.report;

import java.util.List;
import java.util.Locale;

/**
 * Horizontal bars from 0, each with its figure and its ratio to the one that everything is compared with.
 *
 * @param reference the name of that one
 * @param scale what the longest bar stands for, so that charts can be compared; 0 for the largest figure
 */
record BarChart(String unit, String reference, List<Bar> bars, double scale) {

    /** By itself. */
    BarChart(String unit, String reference, List<Bar> bars) {
        this(unit, reference, bars, 0);
    }

    /** One bar. Its figure may be missing. */
    record Bar(String name, Double value) {}

    String html() {
        double most = scale > 0 ? scale : most(bars);
        Double compared = bars.stream()
                .filter(bar -> bar.name().equals(reference) && bar.value() != null)
                .findFirst()
                .map(Bar::value)
                .orElse(null);
        StringBuilder html = new StringBuilder("<table class=\"bars\">");
        if (compared != null) {
            html.append("<tr><td colspan=\"3\"></td><td class=\"ratio\">")
                    .append(Html.text(reference))
                    .append(" is</td></tr>");
        }
        for (Bar bar : bars) {
            double value = bar.value() == null ? 0 : bar.value();
            html.append(String.format(
                    Locale.ROOT,
                    "<tr%s><th>%s</th><td class=\"bar\"><i style=\"width:%.2f%%\"></i></td>"
                            + "<td class=\"figure\">%s %s</td><td class=\"ratio\">%s</td></tr>",
                    bar.name().equals(reference) ? " class=\"ours\"" : "",
                    Html.text(bar.name()),
                    most > 0 ? 100 * value / most : 0,
                    bar.value() == null ? "-" : Html.number(value),
                    Html.text(unit),
                    ratio(bar, compared)));
        }
        return html.append("</table>").toString();
    }

    /** The largest figure. 1 if there is none. */
    static double most(List<Bar> bars) {
        return bars.stream()
                .filter(bar -> bar.value() != null)
                .mapToDouble(Bar::value)
                .max()
                .orElse(1);
    }

    private String ratio(Bar bar, Double compared) {
        if (compared == null || bar.value() == null || bar.name().equals(reference) || bar.value() == 0) {
            return "";
        }
        double ratio = compared / bar.value();
        return String.format(Locale.ROOT, ratio >= 100 ? "%,.0f ×" : "%.2f ×", ratio);
    }
}
