package io.microbatch.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Points on two logarithmic axes, each with its name next to it and in its colour, as SVG that scales with the page. A
 * name that has no room next to its point is moved away, with a line to it. What has no place on an axis is left out.
 *
 * @param letterWidth the room that a letter of a name takes, in units of the SVG
 */
record PointChart(String xLabel, String yLabel, double letterWidth, List<Mark> marks) {

    static final int HEIGHT = 520;
    private static final double RADIUS = 6;

    /** A letter as large as a narrow screen makes it. */
    private static final double NARROW_SCREEN_LETTER = 15.5;

    private static final double LINE_HEIGHT = 30;
    private static final double BASE_LINE = 23;
    private static final int DIRECTIONS = 16;

    /** How far names are moved away, at most. */
    private static final int RINGS = 24;

    private static final double RING = 18;

    /**
     * A point.
     *
     * @param label what stands next to it, as short as it can be
     * @param title what it is
     * @param color a CSS colour
     */
    record Mark(String label, String title, String color, double x, double y) {}

    private record Box(double left, double top, double right, double bottom) {

        boolean overlaps(Box other) {
            return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
        }
    }

    /** A chart whose names have room on a narrow screen. */
    PointChart(String xLabel, String yLabel, List<Mark> marks) {
        this(xLabel, yLabel, NARROW_SCREEN_LETTER, marks);
    }

    String svg() {
        List<Mark> drawn =
                marks.stream().filter(mark -> mark.x() > 0 && mark.y() > 0).toList();
        Axis x = Axis.Stepped.around(drawn.stream().mapToDouble(Mark::x).toArray());
        Axis y = Axis.Stepped.around(drawn.stream().mapToDouble(Mark::y).toArray());
        Frame frame = new Frame(HEIGHT, x, y, xLabel, yLabel);
        StringBuilder svg = new StringBuilder();
        frame.open(svg);
        List<Box> taken = new ArrayList<>();
        drawn.forEach(mark -> taken.add(around(frame.atX(mark.x()), frame.atY(mark.y()))));
        for (Mark mark : drawn) {
            Box box = room(mark, frame, taken);
            taken.add(box);
            draw(svg, mark, frame, box);
        }
        return svg.append("</svg>").toString();
    }

    private static Box around(double atX, double atY) {
        return new Box(atX - RADIUS, atY - RADIUS, atX + RADIUS, atY + RADIUS);
    }

    /** The nearest place that is free. As far to the right of the point as the frame allows if none is. */
    private Box room(Mark mark, Frame frame, List<Box> taken) {
        double width = mark.label().length() * letterWidth;
        double atX = frame.atX(mark.x());
        double atY = frame.atY(mark.y());
        for (int ring = 0; ring < RINGS; ring++) {
            for (int direction = 0; direction < DIRECTIONS; direction++) {
                double angle = 2 * Math.PI * direction / DIRECTIONS;
                // The box touches the point, or the ring around it.
                double middleX = atX + Math.cos(angle) * (width / 2 + RADIUS + 2 + ring * RING);
                double middleY = atY + Math.sin(angle) * (LINE_HEIGHT / 2 + RADIUS + 2 + ring * RING);
                Box box = box(middleX, middleY, width);
                boolean inside = box.left() >= frame.left()
                        && box.right() <= frame.right()
                        && box.top() >= frame.top()
                        && box.bottom() <= frame.bottom();
                if (inside && taken.stream().noneMatch(box::overlaps)) {
                    return box;
                }
            }
        }
        return box(Math.min(atX + RADIUS + 2, frame.right() - width) + width / 2, atY, width);
    }

    private static Box box(double middleX, double middleY, double width) {
        return new Box(middleX - width / 2, middleY - LINE_HEIGHT / 2, middleX + width / 2, middleY + LINE_HEIGHT / 2);
    }

    private static void draw(StringBuilder svg, Mark mark, Frame frame, Box box) {
        double atX = frame.atX(mark.x());
        double atY = frame.atY(mark.y());
        double middleX = (box.left() + box.right()) / 2;
        double middleY = (box.top() + box.bottom()) / 2;
        if (Math.abs(middleX - atX) > (box.right() - box.left()) / 2 + RING
                || Math.abs(middleY - atY) > LINE_HEIGHT / 2 + RING) {
            Frame.line(
                    svg,
                    atX,
                    atY,
                    Math.max(box.left(), Math.min(atX, box.right())),
                    Math.max(box.top(), Math.min(atY, box.bottom())),
                    "leader");
        }
        svg.append(String.format(
                Locale.ROOT,
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.0f\" fill=\"%s\"><title>%s: %s, %s</title></circle>",
                atX,
                atY,
                RADIUS,
                mark.color(),
                Html.text(mark.title()),
                Html.number(mark.x()),
                Html.number(mark.y())));
        svg.append("<g style=\"fill:").append(mark.color()).append("\">");
        Frame.label(svg, middleX, box.top() + BASE_LINE, "middle", mark.label());
        svg.append("</g>");
    }
}
