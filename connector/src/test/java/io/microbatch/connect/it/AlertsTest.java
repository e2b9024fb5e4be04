package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.microbatch.testbed.PrometheusServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each alert fires for its reason and for no other: the series of a healthy task, one fault, and all alerts that fire
 * after an hour. The file {@code alerts-test.yml} has the texts of the alerts. Skipped without Prometheus.
 */
class AlertsTest {

    private static final Path ALERTS = Path.of("..", "docker", "prometheus", "alerts.yml");
    private static final Pattern ALERT = Pattern.compile("- alert: (\\w+)");
    private static final String FIRING = "count by (alertname) (ALERTS{alertstate=\"firing\"})";

    @TempDir
    Path directory;

    static List<AlertScenario> scenarios() {
        return AlertScenario.all();
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void firesForItsReasonAndForNoOther(AlertScenario scenario) throws IOException {
        assumeTrue(PrometheusServer.isInstalled(), "Prometheus is missing: install the package prometheus");
        List<Object> series = new ArrayList<>();
        scenario.series().forEach((name, values) -> series.add(Map.of("series", name, "values", values)));
        List<Object> firing = scenario.firing().stream()
                .map(alert -> (Object) Map.of("labels", "{alertname=\"" + alert + "\"}", "value", 1))
                .toList();
        Map<String, ?> test = Map.of(
                "interval",
                "1m",
                "input_series",
                series,
                "promql_expr_test",
                List.of(Map.of("expr", FIRING, "eval_time", "60m", "exp_samples", firing)));
        Path file = directory.resolve("test.yml");
        // JSON is YAML.
        new ObjectMapper()
                .writeValue(
                        file.toFile(),
                        Map.of(
                                "rule_files",
                                List.of(ALERTS.toAbsolutePath().normalize().toString()),
                                "evaluation_interval",
                                "1m",
                                "tests",
                                List.of(test)));
        PrometheusServer.promtool(directory, "test", "rules", file.toString());
    }

    @Test
    void everyAlertHasAScenarioInWhichItFires() throws IOException {
        TreeSet<String> fired = new TreeSet<>();
        scenarios().forEach(scenario -> fired.addAll(scenario.firing()));
        TreeSet<String> alerts = new TreeSet<>(ALERT.matcher(Files.readString(ALERTS))
                .results()
                .map(found -> found.group(1))
                .toList());
        assertThat(alerts).isNotEmpty();
        assertThat(fired).isEqualTo(alerts);
    }
}
