package io.microbatch.bench.report;

import java.util.List;

/**
 * A line of a chart.
 *
 * @param name as the legend has it
 * @param color a CSS colour
 * @param style how it is drawn
 * @param points in order of x
 */
record Series(String name, String color, Style style, List<Point> points) {

    /** One measurement. */
    record Point(double x, double y) {}

    /** What a line is. */
    enum Style {
        /** Measurements with a line through them. */
        MEASURED,
        /** Measurements that do not follow one another. */
        POINTS,
        /** Measurements too many for a mark each. */
        TRACE,
        /** A bound and no measurement: dashed. */
        BOUND;

        boolean hasMarks() {
            return this == MEASURED || this == POINTS;
        }

        boolean hasLine() {
            return this != POINTS;
        }
    }
}
