package io.microbatch.bench.report;

import java.util.List;

/**
 * A line of a chart.
 *
 * @param name as the legend has it
 * @param color a CSS colour
 * @param dashed whether it is a bound and not a measurement
 * @param points in order of x
 */
record Series(String name, String color, boolean dashed, List<Point> points) {

    /** One measurement. */
    record Point(double x, double y) {}
}
