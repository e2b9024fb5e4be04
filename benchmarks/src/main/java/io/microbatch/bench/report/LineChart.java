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

    private static final int HEIGHT = 400;

    /** On two logarithmic axes. */
    LineChart(String xLabel, String yLabel, List<Series> series) {
        this(xLabel, yLabel, Axis.Kind.LOGARITHMIC, Axis.Kind.LOGARITHMIC, series);
    }

    String svg() {
        Axis x = axis(xKind, Point::x);
        Axis y = axis(yKind, Point::y);
        Frame frame = new Frame(HEIGHT, x, y, xLabel, yLabel);
        StringBuilder svg = new StringBuilder();
        frame.open(svg);
        series.forEach(each -> draw(svg, each, frame));
        return svg.append("</svg>").append(legend()).toString();
    }

    private void draw(StringBuilder svg, Series series, Frame frame) {
        List<String> places = new ArrayList<>();
        for (Point point : drawable(series).toList()) {
            double atX = frame.atX(point.x());
            double atY = frame.atY(point.y());
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
}
