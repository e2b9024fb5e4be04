package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.microbatch.connect.it.Dashboard.Panel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

    /** In the order in which an event passes them, as the console has them. */
    @Test
    void theWaterfallHasEveryStageInOrder() throws IOException {
        String rules = Files.readString(Path.of("..", "docker", "prometheus", "alerts.yml"));
        List<Panel> waterfalls = panels.stream()
                .filter(panel -> panel.title().startsWith("Delay by stage"))
                .toList();
        assertThat(waterfalls).hasSize(2).allSatisfy(panel -> {
            List<String> stages = new ArrayList<>();
            panel.json()
                    .path("targets")
                    .forEach(target -> stages.add(target.path("legendFormat").asText()));
            assertThat(stages).containsExactly("upstream", "stripe", "linger", "convert", "send", "commit");
            for (int i = 0; i < stages.size(); i++) {
                assertThat(panel.expressions().get(i)).contains("stage=\"" + stages.get(i) + "\"");
                assertThat(rules).contains("labels: { stage: " + stages.get(i) + " }");
            }
        });
    }

    @Test
    void everyExpressionFiltersBySelectedTasksOrByWorker() {
        assertThat(panels)
                .flatExtracting(Panel::expressions)
                .allMatch(expression -> expression.contains("connector=~\"$connector\",task=~\"$task\"")
                        || expression.contains("job=\"connect\""));
    }
}
