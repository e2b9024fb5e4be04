package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.microbatch.connect.it.Dashboard.Panel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The checks of the dashboard that need no Prometheus. {@link DashboardIT} has the others. */
class DashboardTest {

    private static final int LONGEST_TITLE = 26;
    private static final int GRID_WIDTH = 24;
    private static final String CHOSEN_PROMETHEUS = "${datasource}";

    private final List<Panel> panels;

    DashboardTest() throws IOException {
        panels = Dashboard.read().panels();
    }

    @Test
    void everyPanelHasAShortTitleADescriptionAndAUnit() {
        assertThat(panels)
                .extracting(Panel::title)
                .doesNotHaveDuplicates()
                .allSatisfy(title -> assertThat(title).isNotBlank().hasSizeLessThanOrEqualTo(LONGEST_TITLE));
        assertThat(panels).allSatisfy(panel -> {
            assertThat(panel.json().path("description").asText())
                    .as(panel.title())
                    .endsWith(".");
            assertThat(panel.unit()).as(panel.title()).isNotBlank();
            assertThat(panel.expressions()).as(panel.title()).isNotEmpty();
        });
    }

    @Test
    void noPanelOverlapsAnotherOrLeavesThePage() {
        for (Panel panel : panels) {
            JsonNode place = panel.json().path("gridPos");
            assertThat(place.path("x").asInt() + place.path("w").asInt())
                    .as(panel.title())
                    .isLessThanOrEqualTo(GRID_WIDTH);
            assertThat(panels)
                    .filteredOn(other -> !other.title().equals(panel.title()) && other.overlaps(panel))
                    .isEmpty();
        }
    }

    @Test
    void everyPanelQueriesTheSelectedPrometheus() {
        List<String> sources = new ArrayList<>();
        panels.forEach(panel -> panel.json()
                .findValues("datasource")
                .forEach(source -> sources.add(source.path("uid").asText())));
        assertThat(sources).hasSizeGreaterThan(panels.size()).containsOnly(CHOSEN_PROMETHEUS);
    }

    @Test
    void everyExpressionFiltersBySelectedTasksOrByWorker() {
        assertThat(panels)
                .flatExtracting(Panel::expressions)
                .allMatch(expression -> expression.contains("connector=~\"$connector\",task=~\"$task\"")
                        || expression.contains("job=\"connect\""));
    }
}
