package io.microbatch.bench.report;

import io.microbatch.bench.report.Series.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** Lines on two logarithmic axes, as SVG that scales with the page. Points that are not positive are left out. */
record LineChart(String xLabel, String yLabel, List<Series> series) {

    private static final int WIDTH = 720;
    private static final int HEIGHT = 360;
    private static final int LEFT = 70;
    private static final int BOTTOM = 50;
    private static final int TOP = 12;
    private static final int RIGHT = 16;

    /** For what is longer than the room at the ends of the axes. */
    private static final int MARGIN = 24;

    String svg() {
        Axis x = axis(Point::x);
        Axis y = axis(Point::y);
        StringBuilder svg = new StringBuilder();
        svg.append(String.format(
                Locale.ROOT,
                "<svg viewBox=\"%d 0 %d %d\" role=\"img\" aria-label=\"%s against %s\">",
                -MARGIN,
                WIDTH + 2 * MARGIN,
                HEIGHT,
                Html.text(yLabel),
                Html.text(xLabel)));
        for (double tick : x.ticks()) {
            double at = x.place(tick, LEFT, WIDTH - RIGHT);
            line(svg, at, TOP, at, HEIGHT - BOTTOM, "grid", "");
            label(svg, at, HEIGHT - BOTTOM + 18, "middle", Html.number(tick));
        }
        for (double tick : y.ticks()) {
            double at = y.place(tick, HEIGHT - BOTTOM, TOP);
            line(svg, LEFT, at, WIDTH - RIGHT, at, "grid", "");
            label(svg, LEFT - 8, at + 4, "end", Html.number(tick));
        }
        label(svg, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 10, "middle", xLabel);
        svg.append(String.format(
                Locale.ROOT,
                "<text transform=\"translate(-8 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>",
                (TOP + HEIGHT - BOTTOM) / 2,
                Html.text(yLabel)));
        series.forEach(each -> draw(svg, each, x, y));
        return svg.append("</svg>").append(legend()).toString();
    }

    private static void draw(StringBuilder svg, Series series, Axis x, Axis y) {
        List<String> places = new ArrayList<>();
        for (Point point : drawable(series).toList()) {
            double atX = x.place(point.x(), LEFT, WIDTH - RIGHT);
            double atY = y.place(point.y(), HEIGHT - BOTTOM, TOP);
            places.add(String.format(Locale.ROOT, "%.1f,%.1f", atX, atY));
            if (!series.dashed()) {
                svg.append(String.format(
                        Locale.ROOT,
                        "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"><title>%s: %s, %s</title></circle>",
                        atX,
                        atY,
                        series.color(),
                        Html.text(series.name()),
                        Html.number(point.x()),
                        Html.number(point.y())));
            }
        }
        svg.append(String.format(
                "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s/>",
                String.join(" ", places), series.color(), series.dashed() ? " stroke-dasharray=\"6 4\"" : ""));
    }

    private static Stream<Point> drawable(Series series) {
        return series.points().stream().filter(point -> point.x() > 0 && point.y() > 0);
    }

    private Axis axis(ToDoubleFunction<Point> coordinate) {
        return Axis.around(series.stream()
                .flatMap(LineChart::drawable)
                .mapToDouble(coordinate)
                .toArray());
    }

    private String legend() {
        StringBuilder legend = new StringBuilder("<p class=\"legend\">");
        for (Series each : series) {
            legend.append(String.format(
                    "<span><i style=\"border-top:3px %s %s\"></i>%s</span> ",
                    each.dashed() ? "dashed" : "solid", each.color(), Html.text(each.name())));
        }
        return legend.append("</p>").toString();
    }

    private static void line(
            StringBuilder svg, double x1, double y1, double x2, double y2, String style, String extra) {
        svg.append(String.format(
                Locale.ROOT,
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"%s/>",
                x1,
                y1,
                x2,
                y2,
                style,
                extra));
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

    /** From a power of ten to a power of ten. */
    private record Axis(int fromPower, int toPower) {

        static Axis around(double... values) {
            double least = Double.MAX_VALUE;
            double most = Double.MIN_VALUE;
            for (double value : values) {
                least = Math.min(least, value);
                most = Math.max(most, value);
            }
            int from = values.length == 0 ? 0 : (int) Math.floor(Math.log10(least));
            int to = values.length == 0 ? 1 : (int) Math.ceil(Math.log10(most));
            return new Axis(from, Math.max(from + 1, to));
        }

        double place(double value, double low, double high) {
            return low + (high - low) * (Math.log10(value) - fromPower) / (toPower - fromPower);
        }

        List<Double> ticks() {
            List<Double> ticks = new ArrayList<>();
            for (int power = fromPower; power <= toPower; power++) {
                ticks.add(Math.pow(10, power));
            }
            return ticks;
        }
    }
}
