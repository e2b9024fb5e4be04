package io.microbatch.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.bench.report.PointChart.Mark;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PointChartTest {

    private static final double LETTER_WIDTH = 10;

    /** Beyond the frame a name is cut, or covers the next chart. */
    @Test
    void keepsNamesInsideTheFrameWhereThereIsNoRoomForThem() {
        List<Mark> marks = IntStream.range(100, 400)
                .mapToObj(i -> new Mark("crowded-" + i, "", "#000000", i == 100 ? 1 : 100, 100))
                .toList();
        String svg = new PointChart("x", "y", LETTER_WIDTH, marks).svg();
        List<Double> middles = Pattern.compile("<text x=\"([0-9.]+)\"[^>]*>crowded-")
                .matcher(svg)
                .results()
                .map((MatchResult text) -> Double.valueOf(text.group(1)))
                .toList();
        double half = "crowded-100".length() * LETTER_WIDTH / 2;
        assertThat(middles)
                .hasSize(300)
                .allSatisfy(middle -> assertThat(middle + half).isLessThanOrEqualTo(Frame.WIDTH));
    }
}
