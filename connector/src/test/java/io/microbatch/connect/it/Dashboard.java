package io.microbatch.connect.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The Grafana dashboard, read from the repository.
 *
 * @param panels the panels that show values, without rows
 * @param variables the definition of each variable that is a query
 * @param text the content of the file
 */
record Dashboard(List<Panel> panels, Map<String, String> variables, String text) {

    static final Path FILE = Path.of("..", "docker", "grafana", "dashboards", "microbatch.json");

    /**
     * One panel.
     *
     * @param unit the Grafana unit of its values
     * @param expressions its Prometheus queries
     * @param json its definition
     */
    record Panel(String title, String unit, List<String> expressions, JsonNode json) {

        private static Panel of(JsonNode json) {
            List<String> expressions = new ArrayList<>();
            json.path("targets")
                    .forEach(target -> expressions.add(target.path("expr").asText()));
            return new Panel(
                    json.path("title").asText(),
                    json.at("/fieldConfig/defaults/unit").asText(),
                    expressions,
                    json);
        }

        /** Whether the two panels overlap. */
        boolean overlaps(Panel other) {
            return from("x") < other.to("x", "w")
                    && other.from("x") < to("x", "w")
                    && from("y") < other.to("y", "h")
                    && other.from("y") < to("y", "h");
        }

        private int from(String axis) {
            return json.path("gridPos").path(axis).asInt();
        }

        private int to(String axis, String size) {
            return from(axis) + json.path("gridPos").path(size).asInt();
        }
    }

    static Dashboard read() throws IOException {
        String text = Files.readString(FILE);
        JsonNode json = new ObjectMapper().readTree(text);
        List<Panel> panels = new ArrayList<>();
        json.path("panels").forEach(panel -> {
            if (!panel.path("type").asText().equals("row")) {
                panels.add(Panel.of(panel));
            }
        });
        Map<String, String> variables = new TreeMap<>();
        json.at("/templating/list").forEach(variable -> {
            if (variable.path("type").asText().equals("query")) {
                variables.put(
                        variable.path("name").asText(),
                        variable.path("definition").asText());
            }
        });
        return new Dashboard(panels, variables, text);
    }

    /** The query that Grafana sends for an expression when one connector and all of its tasks are selected. */
    static String chosen(String expression, String connector) {
        return expression
                .replace("$connector", connector)
                .replace("$task", ".*")
                .replace("$__rate_interval", "10s")
                .replace("$__range", "1m");
    }
}
