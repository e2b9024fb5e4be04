package io.microbatch.bench.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The first page is short, and each figure of its tables is on the page of results that the row belongs to. */
class FirstPageTest {

    private static final Path CHECKOUT = Path.of("..");
    private static final String HEADING = "## Measured versus stock settings";
    private static final String NEXT_HEADING = "## Install";
    private static final int MAX_LINES = 149;

    private static final Pattern PAGE = Pattern.compile("\\]\\((benchmarks/results/[\\w-]+\\.md)(?:#[\\w-]+)?\\)");
    private static final Pattern LINK_TARGET = Pattern.compile("\\]\\([^)]*\\)");
    private static final Pattern NUMBER = Pattern.compile("\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|\\d+(?:\\.\\d+)?");

    /**
     * A row of a table.
     *
     * @param page the page of results that it links to, or that the row above belongs to
     * @param text the row
     */
    private record Row(String page, String text) {

        /** The figures of this connector and of the stock setting, without those of links. */
        List<BigDecimal> figures() {
            String cells = text.substring(text.indexOf('|', 1));
            return numbers(LINK_TARGET.matcher(cells).replaceAll("")).toList();
        }
    }

    @Test
    void isShort() throws IOException {
        assertThat(lines()).hasSizeLessThanOrEqualTo(MAX_LINES);
    }

    @Test
    void hasEachFigureFromThePageOfItsRow() throws IOException {
        List<Row> rows = rows();
        assertThat(rows).hasSizeGreaterThan(10);
        for (Row row : rows) {
            List<BigDecimal> onPage =
                    numbers(Files.readString(CHECKOUT.resolve(row.page()))).toList();
            assertThat(row.figures())
                    .as(row.text())
                    .isNotEmpty()
                    .allSatisfy(figure -> assertThat(onPage)
                            .as("%s is on %s", figure, row.page())
                            .anyMatch(exact -> isRounded(exact, figure)));
        }
    }

    private static boolean isRounded(BigDecimal exact, BigDecimal figure) {
        return exact.setScale(figure.scale(), RoundingMode.HALF_UP).equals(figure)
                || exact.setScale(figure.scale(), RoundingMode.HALF_DOWN).equals(figure);
    }

    private static List<Row> rows() throws IOException {
        List<String> lines = lines();
        List<Row> rows = new ArrayList<>();
        String page = "";
        boolean isHeader = true;
        for (String line : lines.subList(lines.indexOf(HEADING), lines.indexOf(NEXT_HEADING))) {
            if (!line.startsWith("|")) {
                isHeader = true;
            } else if (line.startsWith("|---")) {
                isHeader = false;
            } else if (!isHeader) {
                Matcher link = PAGE.matcher(line);
                page = link.find() ? link.group(1) : page;
                rows.add(new Row(page, line));
            }
        }
        return rows;
    }

    private static Stream<BigDecimal> numbers(String text) {
        return NUMBER.matcher(text)
                .results()
                .map(each -> new BigDecimal(each.group().replace(",", "")));
    }

    private static List<String> lines() throws IOException {
        return Files.readAllLines(CHECKOUT.resolve("README.md"));
    }
}
