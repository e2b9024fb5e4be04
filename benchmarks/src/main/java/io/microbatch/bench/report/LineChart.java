package io.microbatch.bench.report;

import io.microbatch.bench.report.Series.Point;
import io.microbatch.bench.report.Series.Style;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** Lines on two axes, as SVG that scales with the page. What has no place on an axis is left out. */
record LineChart(String xLabel, String yLabel, Axis.Kind xKind, Axis.Kind yKind, List<Series> series) {

    private static final int WIDTH = 720;
    private static final int HEIGHT = 400;

    /** Room for labels as large as a narrow screen makes them. */
    private static final int LEFT = 76;

    private static final int BOTTOM = 78;
    private static final int TOP = 52;
    private static final int RIGHT = 34;

    /** On two logarithmic axes. */
    LineChart(String xLabel, String yLabel, List<Series> series) {
        this(xLabel, yLabel, Axis.Kind.LOGARITHMIC, Axis.Kind.LOGARITHMIC, series);
    }

    String svg() {
        Axis x = axis(xKind, Point::x);
        Axis y = axis(yKind, Point::y);
        StringBuilder svg = new StringBuilder();
        svg.append(String.format(
                Locale.ROOT,
                "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s against %s\">",
                WIDTH,
                HEIGHT,
                Html.text(yLabel),
                Html.text(xLabel)));
        for (double tick : x.ticks()) {
            double at = x.place(tick, LEFT, WIDTH - RIGHT);
            line(svg, at, TOP, at, HEIGHT - BOTTOM);
            label(svg, at, HEIGHT - BOTTOM + 36, "middle", Html.compact(tick));
        }
        for (double tick : y.ticks()) {
            double at = y.place(tick, HEIGHT - BOTTOM, TOP);
            line(svg, LEFT, at, WIDTH - RIGHT, at);
            label(svg, LEFT - 8, at + 6, "end", Html.compact(tick));
        }
        label(svg, WIDTH - RIGHT, HEIGHT - 10, "end", xLabel + " →");
        label(svg, 4, 22, "start", "↑ " + yLabel);
        series.forEach(each -> draw(svg, each, x, y));
        return svg.append("</svg>").append(legend()).toString();
    }

    private void draw(StringBuilder svg, Series series, Axis x, Axis y) {
        List<String> places = new ArrayList<>();
        for (Point point : drawable(series).toList()) {
            double atX = x.place(point.x(), LEFT, WIDTH - RIGHT);
            double atY = y.place(point.y(), HEIGHT - BOTTOM, TOP);
            places.add(String.format(Locale.ROOT, "%.1f,%.1f", atX, atY));
            if (series.style().hasMarks()) {
                svg.append(String.format(
                        Locale.ROOT,
                        "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\" fill=\"%s\"><title>%s: %s, %s</title></circle>",
                        atX,
                        atY,
                        series.color(),
                        Html.text(series.name()),
                        Html.number(point.x()),
                        Html.number(point.y())));
            }
        }
        if (series.style().hasLine()) {
            svg.append(String.format(
                    "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2.5\"%s/>",
                    String.join(" ", places),
                    series.color(),
                    series.style() == Style.BOUND ? " stroke-dasharray=\"8 5\"" : ""));
        }
    }

    private Stream<Point> drawable(Series series) {
        return series.points().stream().filter(point -> xKind.has(point.x()) && yKind.has(point.y()));
    }

    private Axis axis(Axis.Kind kind, ToDoubleFunction<Point> coordinate) {
        return kind.around(
                series.stream().flatMap(this::drawable).mapToDouble(coordinate).toArray());
    }

    private String legend() {
        StringBuilder legend = new StringBuilder("<p class=\"legend\">");
        for (Series each : series) {
            legend.append(String.format(
                    "<span><i style=\"border-top:4px %s %s\"></i>%s</span> ",
                    switch (each.style()) {
                        case BOUND -> "dashed";
                        case POINTS -> "dotted";
                        case MEASURED, TRACE -> "solid";
                    },
                    each.color(),
                    Html.text(each.name())));
        }
        return legend.append("</p>").toString();
    }

    private static void line(StringBuilder svg, double x1, double y1, double x2, double y2) {
        svg.append(String.format(
                Locale.ROOT, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"grid\"/>", x1, y1, x2, y2));
    }

    private static void label(StringBuilder svg, double x, double y, String anchor, String text) {
        svg.append(String.format(
                Locale.ROOT,
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>",
                x,
                y,
                anchor,
                Html.text(text)));
    }
}
