package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.connect.it.Dashboard.Panel;
import io.microbatch.connect.metrics.Metric;
import io.microbatch.connect.metrics.MetricName;
import io.microbatch.connect.upstream.http.HttpMetric;
import io.microbatch.connect.upstream.outbox.OutboxMetric;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectRest;
import io.microbatch.testbed.PrometheusServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.DoublePredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The dashboard and the alerts on a real Prometheus, with two real workers that run the exporter's agent: one task
 * delivers, one takes events over HTTP, one reads an outbox, and one has failed. Skipped without Prometheus.
 */
@ExtendWith(Cluster.Shared.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DashboardIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Path PROMETHEUS = Path.of("..", "docker", "prometheus");
    private static final Path OPERATIONS = Path.of("..", "docs", "operations.md");
    private static final Pattern METRIC = Pattern.compile("\\b(?:microbatch|kafka|jvm|process)_[a-z0-9_]+");
    private static final Pattern VARIABLE = Pattern.compile("label_values\\((.+), (\\w+)\\)");
    private static final String DELIVERING = "dashboard";
    private static final double A_MINUTE_S = 60;
    private static final String TARGET_MS = "70";

    /** Only an upstream with a connection has these. */
    private static final Set<String> OF_A_DATABASE = Set.of("Upstream silence", "Upstream connected");

    /** The range of each panel for a healthy task that delivers 1,000 events/s, after one or two windows. */
    private static final Map<String, DoublePredicate> PLAUSIBLE = plausible();

    private final Cluster cluster;
    private final Dashboard dashboard = Dashboard.read();
    private final List<Runnable> created = new ArrayList<>();
    private Lines failing;
    private HttpIngest ingest;
    private OutboxFixture outbox;
    private PrometheusServer prometheus;

    DashboardIT(Cluster cluster) throws IOException {
        this.cluster = cluster;
    }

    private static Map<String, DoublePredicate> plausible() {
        DoublePredicate none = value -> value == 0;
        DoublePredicate ratio = between(0, 1);
        DoublePredicate seconds = between(0, A_MINUTE_S);
        DoublePredicate latency = between(0.00001, A_MINUTE_S);
        Map<String, DoublePredicate> ranges = new LinkedHashMap<>();
        ranges.put("Running", value -> value == 1);
        ranges.put("Not running", none);
        ranges.put("p99 of budget", between(0.001, 1_000));
        ranges.put("Attainable", between(0, 1));
        ranges.put("Events returned", between(100, 5_000));
        ranges.put("Level", between(3, 5));
        ranges.put("Busy", between(0.0001, 1));
        ranges.put("Dead letters, sum", none);
        ranges.put("Delay by stage", seconds);
        ranges.put("Delay by stage, now", seconds);
        ranges.put("Arrival to acknowledgement", latency);
        ranges.put("T and commit time", seconds);
        ranges.put("Upstream lag", seconds);
        ranges.put("Latency over a minute", latency);
        ranges.put("Commit time over a minute", latency);
        ranges.put("Upstream silence", seconds);
        ranges.put("Upstream connected", value -> value == 1);
        ranges.put("Budget attainable", between(0, 1));
        ranges.put("Events", between(100, 1e8));
        ranges.put("Busy ratio", between(0.0001, 1));
        ranges.put("Pressure level", between(3, 5));
        ranges.put("Batch size", between(1, 50_000));
        ranges.put("Batch bytes", between(100, 16 << 20));
        ranges.put("Why batches end", between(0, 2_000));
        ranges.put("Buffered events", between(0, 32_768));
        ranges.put("Buffered bytes", between(0, 64 << 20));
        ranges.put("Stripe fill", ratio);
        ranges.put("Readers blocked", ratio);
        ranges.put("Stripe found full", between(0, 1e6));
        ranges.put("Ledger depth", between(0, 1e6));
        ranges.put("Dead letters", none);
        ranges.put("Skipped", none);
        ranges.put("Kept of filtered", none);
        ranges.put("Calibration age", between(0, 600));
        ranges.put("Explorations", between(0, 1e4));
        ranges.put("Regressions", between(0, 1e4));
        ranges.put("Task state", value -> value == 1);
        ranges.put("Records", between(1, 5_000));
        ranges.put("Transaction size", between(1, 50_000));
        ranges.put("Produce request time", latency);
        ranges.put("In transaction commits", between(0.0001, 1.1));
        ranges.put("Producer batch", between(100, 16 << 20));
        ranges.put("Producer errors", none);
        ranges.put("Transactions", between(0.1, 1_000));
        ranges.put("Offset commit failures", none);
        ranges.put("Tasks", value -> value == 1);
        ranges.put("Heap", between(1 << 20, 1L << 30));
        ranges.put("CPU", between(0.0001, 256));
        ranges.put("Garbage collection", ratio);
        ranges.put("Rebalances", between(0, 100));
        ranges.put("HTTP answers", between(0, 1_000));
        ranges.put("HTTP refusals", between(0, 1_000));
        ranges.put("HTTP answer time", latency);
        ranges.put("HTTP in flight", none);
        ranges.put("HTTP bytes in flight", none);
        ranges.put("HTTP connections", between(0, 100));
        ranges.put("HTTP closed connections", none);
        ranges.put("HTTP unknown", none);
        ranges.put("HTTP repeats", none);
        ranges.put("HTTP ready", value -> value == 1);
        ranges.put("HTTP port", between(1, 65_535));
        ranges.put("Outbox rows deleted", between(0, 1_000));
        ranges.put("Outbox undeleted rows", none);
        ranges.put("Outbox statements", between(0.000001, A_MINUTE_S));
        ranges.put("Outbox open transaction", between(0, 600));
        ranges.put("Outbox waits for disk", ratio);
        ranges.put("Outbox dropped rows", none);
        ranges.put("Outbox reconnections", none);
        return ranges;
    }

    private static DoublePredicate between(double min, double max) {
        return value -> value >= min && value <= max;
    }

    @BeforeAll
    void start() throws IOException, SQLException {
        assumeTrue(PrometheusServer.isInstalled(), "Prometheus is missing: install the package prometheus");
        SyntheticLoad endless = new SyntheticLoad(cluster, DELIVERING, 1, Integer.MAX_VALUE);
        Map<String, String> config = endless.config(1, 1_000);
        config.put("pressure.window.ms", "1000");
        config.put("latency.target.ms", TARGET_MS);
        create(cluster.rest(Mode.EXACTLY_ONCE), DELIVERING, config);

        failing = new Lines(cluster, Mode.AT_LEAST_ONCE, "dashboard-failing");
        failing.append(Lines.numbered(0, 10, 5));
        create(failing.rest(), failing.name(), failing.config(Lines.TEST_CONVERTER, Map.of()));

        ingest = HttpIngest.of(cluster, "dashboard-http");
        create(cluster.rest(Mode.EXACTLY_ONCE), ingest.name(), ingest.config(1, Map.of()));
        ingest.poster().awaitReady();
        HttpPoster.Reply reply = ingest.poster().post("/events/" + ingest.name(), "text/plain", "an event");
        assertThat(reply.status()).as(reply.toString()).isEqualTo(200);

        outbox = OutboxFixture.of(cluster, "dashboard_outbox", Mode.EXACTLY_ONCE);
        create(cluster.rest(Mode.EXACTLY_ONCE), outbox.name(), outbox.config(Map.of()));
        try (Connection writer = outbox.writer()) {
            outbox.insert(writer, "a", "1");
            writer.commit();
        }
        outbox.awaitEmptyTable();

        cluster.worker(Mode.EXACTLY_ONCE).awaitRunning(DELIVERING, 1);
        String ignored = failing.rest().awaitTaskFailed(failing.name());
        prometheus = PrometheusServer.start(configuration(), cluster.directory());
    }

    /** The repository's configuration, with the addresses of the workers and intervals of a second. */
    private Path configuration() throws IOException {
        Path directory = Files.createDirectories(cluster.directory().resolve("prometheus"));
        Files.copy(PROMETHEUS.resolve("alerts.yml"), directory.resolve("alerts.yml"));
        String text = Files.readString(PROMETHEUS.resolve("prometheus.yml"));
        assertThat(text).contains("127.0.0.1:9404", "127.0.0.1:9405");
        return Files.writeString(
                directory.resolve("prometheus.yml"),
                text.replace("127.0.0.1:9404", cluster.worker(Mode.EXACTLY_ONCE).exporterAddress())
                        .replace(
                                "127.0.0.1:9405",
                                cluster.worker(Mode.AT_LEAST_ONCE).exporterAddress())
                        .replaceAll("(_interval|_timeout): \\d+s", "$1: 2s"));
    }

    @AfterAll
    void stop() {
        if (prometheus != null) {
            prometheus.close();
        }
        created.forEach(Runnable::run);
    }

    /** The worker is shared: what was created goes, also if the start fails later. */
    private void create(ConnectRest rest, String name, Map<String, String> config) {
        rest.create(name, config);
        created.add(() -> rest.delete(name));
    }

    @Test
    void everyPanelShowsAPlausibleValue() {
        assertThat(PLAUSIBLE.keySet())
                .containsExactlyInAnyOrderElementsOf(
                        dashboard.panels().stream().map(Panel::title).toList());
        Await.until(
                "every panel plausible",
                PATIENCE,
                () -> implausible().isEmpty(),
                () -> implausible().toString());
    }

    private List<String> implausible() {
        List<String> implausible = new ArrayList<>();
        for (Panel panel : dashboard.panels()) {
            DoublePredicate range = PLAUSIBLE.get(panel.title());
            String connector = connectorOf(panel);
            for (String expression : panel.expressions()) {
                List<Double> values = prometheus.query(Dashboard.chosen(expression, connector));
                if (values.isEmpty() || !values.stream().allMatch(range::test)) {
                    implausible.add(panel.title() + ": " + expression + " = " + values);
                }
            }
        }
        return implausible;
    }

    private String connectorOf(Panel panel) {
        String title = panel.title();
        if (title.startsWith("HTTP")) {
            return ingest.name();
        }
        return title.startsWith("Outbox") || OF_A_DATABASE.contains(title) ? outbox.name() : DELIVERING;
    }

    @Test
    void everyVariableListsTheConnectorsAndTasks() {
        Map<String, String> expected = Map.of("connector", DELIVERING, "task", "0");
        assertThat(dashboard.variables().keySet()).isEqualTo(expected.keySet());
        dashboard.variables().forEach((name, definition) -> {
            Matcher query = VARIABLE.matcher(definition);
            assertThat(query.matches()).as(definition).isTrue();
            String selector = Dashboard.chosen(query.group(1), DELIVERING);
            Await.until(
                    name + " has values",
                    PATIENCE,
                    () -> prometheus.labelValues(query.group(2), selector).contains(expected.get(name)),
                    () -> prometheus.labelValues(query.group(2), selector).toString());
        });
    }

    @Test
    void everyMetricOfTheReferenceIsInPrometheusAndOnTheDashboard() {
        List<String> expected = Stream.<MetricName[]>of(Metric.values(), HttpMetric.values(), OutboxMetric.values())
                .flatMap(Stream::of)
                .map(metric -> inPrometheus(metric.label()))
                .toList();
        awaitMetrics(expected);
        assertThat(metrics(dashboard.text()))
                .as("batches are counted by flush reason")
                .containsAll(expected.stream()
                        .filter(name -> !name.equals("microbatch_batch_total"))
                        .toList());
    }

    /** In base units, which Prometheus asks for. */
    private static String inPrometheus(String label) {
        return "microbatch_"
                + label.replaceAll("-m?s$", "-seconds")
                        .replaceAll("-ms-total$", "-seconds-total")
                        .replace('-', '_');
    }

    @Test
    void everyAlertIsEvaluatedOverMetricsThatExist() throws IOException {
        Await.until(
                "every alert evaluated",
                PATIENCE,
                () -> prometheus.rules().stream().noneMatch(rule -> health(rule).equals("unknown")),
                () -> prometheus.rules().toString());
        String operations = Files.readString(OPERATIONS);
        assertThat(prometheus.rules()).isNotEmpty().allSatisfy(rule -> {
            assertThat(health(rule)).as(rule.toString()).isEqualTo("ok");
            if (rule.path("type").asText().equals("alerting")) {
                assertThat(operations).contains("`" + rule.path("name").asText() + "`");
            }
            awaitMetrics(metrics(rule.path("query").asText()));
        });
    }

    @Test
    void theFailedTaskHasAnAlert() {
        String alert = "ALERTS{alertname=\"MicrobatchTaskFailed\",connector=\"%s\"}";
        Await.until(
                "the alert of the failed task",
                PATIENCE,
                () -> !prometheus.query(alert.formatted(failing.name())).isEmpty(),
                () -> prometheus.rules().toString());
        assertThat(prometheus.query(alert.formatted(DELIVERING))).isEmpty();
        String state = dashboard.panels().stream()
                .filter(panel -> panel.title().equals("Task state"))
                .findFirst()
                .orElseThrow()
                .expressions()
                .get(0);
        // A scrape that failed leaves no state until the next one.
        String failed = Dashboard.chosen(state, failing.name());
        Await.until(
                "the state failed",
                PATIENCE,
                () -> prometheus.query(failed).equals(List.of(3.0)),
                () -> prometheus.query(failed).toString());
    }

    @Test
    void promtoolFindsNoFaultAndEveryAlertFires() {
        Path work = cluster.directory();
        PrometheusServer.promtool(work, "check", "config", absolute("prometheus.yml"));
        PrometheusServer.promtool(work, "check", "rules", absolute("alerts.yml"));
        PrometheusServer.promtool(work, "test", "rules", absolute("alerts-test.yml"));
    }

    private static String absolute(String file) {
        return PROMETHEUS.resolve(file).toAbsolutePath().normalize().toString();
    }

    private void awaitMetrics(Collection<String> expected) {
        Await.until("every metric", PATIENCE, () -> missing(expected).isEmpty(), () -> "without " + missing(expected));
    }

    private TreeSet<String> missing(Collection<String> expected) {
        TreeSet<String> missing = new TreeSet<>(expected);
        missing.removeAll(prometheus.labelValues("__name__", "{job=\"connect\"}"));
        return missing;
    }

    private static TreeSet<String> metrics(String text) {
        return new TreeSet<>(
                METRIC.matcher(text).results().map(found -> found.group()).toList());
    }

    private static String health(JsonNode rule) {
        return rule.path("health").asText();
    }
}
