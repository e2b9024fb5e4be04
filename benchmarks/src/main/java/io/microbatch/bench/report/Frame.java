package io.microbatch.bench.report;

import java.util.Locale;

/** Two axes with their ticks and labels, as the beginning of an SVG that scales with the page. Immutable. */
record Frame(int height, Axis x, Axis y, String xLabel, String yLabel) {

    static final int WIDTH = 720;

    /** Room for labels as large as a narrow screen makes them. */
    private static final int LEFT = 76;

    private static final int BOTTOM = 78;
    private static final int TOP = 52;
    private static final int RIGHT = 34;

    /** Begins the SVG. The caller ends it. */
    void open(StringBuilder svg) {
        svg.append(String.format(
                Locale.ROOT,
                "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s against %s\">",
                WIDTH,
                height,
                Html.text(yLabel),
                Html.text(xLabel)));
        for (double tick : x.ticks()) {
            double at = atX(tick);
            line(svg, at, top(), at, bottom(), "grid");
            label(svg, at, bottom() + 36, "middle", Html.compact(tick));
        }
        for (double tick : y.ticks()) {
            double at = atY(tick);
            line(svg, left(), at, right(), at, "grid");
            label(svg, left() - 8, at + 6, "end", Html.compact(tick));
        }
        label(svg, right(), height - 10, "end", xLabel + " →");
        label(svg, 4, 22, "start", "↑ " + yLabel);
    }

    double atX(double value) {
        return x.place(value, left(), right());
    }

    double atY(double value) {
        return y.place(value, bottom(), top());
    }

    double left() {
        return LEFT;
    }

    double right() {
        return WIDTH - RIGHT;
    }

    double top() {
        return TOP;
    }

    double bottom() {
        return height - BOTTOM;
    }

    static void line(StringBuilder svg, double x1, double y1, double x2, double y2, String style) {
        svg.append(String.format(
                Locale.ROOT,
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>",
                x1,
                y1,
                x2,
                y2,
                style));
    }

    static void label(StringBuilder svg, double x, double y, String anchor, String text) {
        svg.append(String.format(
                Locale.ROOT,
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>",
                x,
                y,
                anchor,
                Html.text(text)));
    }
}
