package io.microbatch.connect.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdviceTextTest {

    private static List<String> lines(Advice advice, Map<String, String> config) throws IOException {
        ConnectorSettings settings = new ConnectorSettings(config, ConnectorSettings.FLUSH_MS_DEFAULT);
        Map<String, Object> task =
                TaskReport.placed(new ClusterView.Placed(new TaskKey("shop", 0), "RUNNING", "10.0.0.1:8083"));
        task.put("advice", TaskReport.of(advice, settings, Optional.of(Set.of())));
        Map<String, Object> silent = Map.of("worker", "10.0.0.9:8083", "state", "no answer");
        Map<String, Object> answer = Map.of("tasks", List.of(task), "other_workers", List.of(silent));
        // As it comes from a worker.
        return AdviceText.lines(Json.read(Json.write(answer)));
    }

    private static Advice advice(Verdict verdict, Change change) {
        return new Advice(
                verdict,
                "Do this.",
                List.of(new Evidence("average commit", 5.44, "ms")),
                Estimate.UNKNOWN,
                new Estimate(50.4, 95.4, 11.1),
                change,
                List.of());
    }

    @Test
    void saysWhatToSendAndWhy() throws IOException {
        assertThat(lines(
                        advice(Verdict.SET, Change.setting(Map.of("transaction.boundary", "interval"))),
                        Map.of("connector.class", "a.B", "topic", "t")))
                .containsExactly(
                        "worker 10.0.0.9:8083: no answer",
                        "shop / 0 on 10.0.0.1:8083: set",
                        "  Do this.",
                        "    average commit: 5.44 ms",
                        "  now:      p50 - ms, p99 - ms, - transactions/s",
                        "  expected: p50 50.4 ms, p99 95.4 ms, 11.1 transactions/s, within a factor of 1.5",
                        "  PATCH /connectors/shop/config",
                        "  {\"transaction.boundary\":\"interval\"}");
    }

    /** The line is copied into a shell. */
    @Test
    void encodesTheNameOfAConnector() throws IOException {
        Map<String, Object> task =
                TaskReport.placed(new ClusterView.Placed(new TaskKey("my shop/1", 0), "RUNNING", "10.0.0.1:8083"));
        ConnectorSettings settings = new ConnectorSettings(Map.of("connector.class", "a.B"), 1);
        task.put(
                "advice",
                TaskReport.of(advice(Verdict.SET, Change.setting(Map.of("a", "b"))), settings, Optional.of(Set.of())));
        assertThat(AdviceText.lines(Map.of("tasks", List.of(task))))
                .contains("my shop/1 / 0 on 10.0.0.1:8083: set", "  PATCH /connectors/my%20shop%2F1/config");
        assertThat(Advisor.advise(new TaskSnapshot(new TaskKey("my shop", 0), Map.of()), settings, "FAILED", 100)
                        .summary())
                .contains("GET /connectors/my%20shop/status");
    }

    @Test
    void namesTheValuesThatHaveToBeInserted() throws IOException {
        assertThat(lines(
                        advice(Verdict.WRAP, Change.wrapping(Map.of("latency.target.ms", "100"))),
                        Map.of("connector.class", "a.B", "password", "hunter2")))
                .contains("  PUT /connectors/shop/config, while the connector is stopped")
                .contains("  Insert first, because the console does not show them: [upstream.connector.password]")
                .noneMatch(line -> line.contains("hunter2"));
    }

    @Test
    void printsNoBodyWhereNothingChanges() throws IOException {
        assertThat(lines(advice(Verdict.LOOK_AT_BROKER, Change.NONE), Map.of("connector.class", "a.B")))
                .contains("shop / 0 on 10.0.0.1:8083: look at broker")
                .noneMatch(line -> line.contains("/config") || line.contains("expected"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"0|0", "0.012345|0.0123", "5.44|5.44", "95.4|95.4", "100|100", "12345|12,300", "-1|-1", "NaN|-"})
    void writesNumbersWithThreeDigits(double value, String text) {
        assertThat(Texts.number(value)).isEqualTo(text);
    }
}
