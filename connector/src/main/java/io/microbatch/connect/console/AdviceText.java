package io.microbatch.connect.console;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** An answer of {@code /microbatch/v1/advice} as lines for a terminal. Stateless; any thread. */
final class AdviceText {

    private AdviceText() {}

    /** The lines of an answer that {@link Json#read} has read. */
    static List<String> lines(Object answer) {
        List<String> lines = new ArrayList<>();
        for (Map<String, Object> worker : Json.objects(answer, "other_workers")) {
            if (!"ok".equals(worker.get("state"))) {
                lines.add("worker " + worker.get("worker") + ": " + worker.get("state"));
            }
        }
        List<Map<String, Object>> tasks = Json.objects(answer, "tasks");
        if (tasks.isEmpty()) {
            lines.add("There is no source task in this cluster.");
        }
        tasks.forEach(task -> addTask(task, lines));
        return lines;
    }

    private static void addTask(Map<String, Object> task, List<String> lines) {
        Map<String, Object> advice = Json.object(task.get("advice"));
        lines.add(task.get("connector") + " / " + task.get("task") + " on " + task.get("worker") + ": "
                + advice.getOrDefault("verdict", "no advice").toString().replace('-', ' '));
        if (advice.isEmpty()) {
            return;
        }
        lines.add("  " + advice.get("summary"));
        for (Map<String, Object> each : Json.objects(advice, "evidence")) {
            lines.add("    " + each.get("what") + ": " + number(each.get("value")) + " " + each.get("unit"));
        }
        Map<String, Object> change = Json.object(advice.get("change"));
        if (isChange(change)) {
            lines.add("  now:      " + outlook(advice.get("now")));
            lines.add("  expected: " + outlook(advice.get("then")) + ", within a factor of "
                    + number(advice.get("error_factor")));
            addChange(task, change, lines);
        }
        for (Map<String, Object> other : Json.objects(advice, "alternatives")) {
            lines.add("  another way: " + other.get("summary"));
            lines.add("    expected: " + outlook(other.get("then")));
        }
    }

    private static boolean isChange(Map<String, Object> change) {
        return change.get("patch") != null || Boolean.TRUE.equals(change.get("wrap")) || change.get("put") != null;
    }

    private static void addChange(Map<String, Object> task, Map<String, Object> change, List<String> lines) {
        String path = RestPath.ofConnector(String.valueOf(task.get("connector")), "/config");
        if (change.get("patch") != null) {
            lines.add("  PATCH " + path);
            lines.add("  " + json(change.get("patch")));
        } else if (change.get("put") != null) {
            lines.add("  PUT " + path + ", while the connector is stopped");
            lines.add("  " + json(change.get("put")));
            if (change.get("hidden") instanceof List<?> hidden && !hidden.isEmpty()) {
                lines.add("  Insert first, because the console does not show them: " + hidden);
            }
        } else {
            lines.add("  The worker did not say which settings are passwords, so there is no body to copy.");
        }
    }

    private static String outlook(Object estimate) {
        Map<String, Object> values = Json.object(estimate);
        return "p50 " + number(values.get("p50_ms")) + " ms, p99 " + number(values.get("p99_ms")) + " ms, "
                + number(values.get("transactions_per_s")) + " transactions/s";
    }

    private static String json(Object tree) {
        return new String(Json.write(tree), StandardCharsets.UTF_8);
    }

    private static String number(Object value) {
        return value instanceof Number number ? Texts.number(number.doubleValue()) : "-";
    }
}
