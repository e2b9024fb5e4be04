package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.JmxReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.DoublePredicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every metric of the reference on a real worker, with a plausible value. */
@ExtendWith(Cluster.Shared.class)
class MetricsIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Pattern ROW = Pattern.compile("^\\| `([a-z0-9-]+)` \\|", Pattern.MULTILINE);

    /** How the metrics of single upstreams begin. {@link HttpMetricsIT} and {@link OutboxMetricsIT} have them. */
    private static final List<String> OF_UPSTREAMS = List.of("http-", "outbox-");

    private static final int BUDGET_MS = 70;
    private static final double A_MINUTE_MS = 60_000;

    /** The range of each metric at 1,000 events/s, after one or two windows. */
    private static final Map<String, DoublePredicate> PLAUSIBLE = plausible();

    private final Cluster cluster;

    MetricsIT(Cluster cluster) {
        this.cluster = cluster;
    }

    private static Map<String, DoublePredicate> plausible() {
        Map<String, DoublePredicate> ranges = new LinkedHashMap<>();
        ranges.put("pressure-level", between(3, 5));
        ranges.put("arrival-rate", between(100, 5_000));
        ranges.put("batch-target-events", between(1, 50_000));
        ranges.put("linger-ms", between(0, BUDGET_MS));
        ranges.put("budget-ms", between(1, BUDGET_MS));
        ranges.put("budget-attainable", value -> value == 0 || value == 1);
        ranges.put("ack-latency-p50-ms", between(0.01, A_MINUTE_MS));
        ranges.put("ack-latency-p99-ms", between(0.01, A_MINUTE_MS));
        ranges.put("ack-latency-max-ms", between(0.01, A_MINUTE_MS));
        ranges.put("latency-target-ms", value -> value == BUDGET_MS);
        ranges.put("ack-latency-minute-p50-ms", between(0.01, A_MINUTE_MS));
        ranges.put("ack-latency-minute-p99-ms", between(0.01, A_MINUTE_MS));
        ranges.put("ack-latency-minute-max-ms", between(0.01, A_MINUTE_MS));
        ranges.put("batch-total", between(1, 1e9));
        ranges.put("event-total", between(1_000, 1e9));
        ranges.put("acknowledged-total", between(1_000, 1e9));
        ranges.put("batch-events-avg", between(1, 50_000));
        ranges.put("batch-bytes-avg", between(100, 16 << 20));
        ranges.put("commit-time-ms", between(0.001, A_MINUTE_MS));
        ranges.put("commit-time-minute-p50-ms", between(0.001, A_MINUTE_MS));
        ranges.put("commit-time-minute-p99-ms", between(0.001, A_MINUTE_MS));
        ranges.put("offset-delay-ms", between(0, 28));
        ranges.put("busy-ratio", between(0.0001, 1));
        ranges.put("capacity", between(100, 1e8));
        ranges.put("skipped-total", value -> value == 0);
        ranges.put("dead-letter-total", value -> value == 0);
        ranges.put("filtered-kept-bytes", value -> value == 0);
        ranges.put("buffer-events", between(0, 32_768));
        ranges.put("buffer-bytes", between(0, 64 << 20));
        ranges.put("ledger-depth", between(0, 1e6));
        ranges.put("upstream-lag-ms", between(0, A_MINUTE_MS));
        ranges.put("upstream-silent-ms", between(0, A_MINUTE_MS));
        ranges.put("upstream-heartbeat-ms", Double::isNaN);
        ranges.put("upstream-connected", Double::isNaN);
        ranges.put("calibration-age-s", between(0, 60));
        ranges.put("exploration-total", between(0, 1e3));
        ranges.put("regression-total", between(0, 1e3));
        ranges.put("connector-tasks", value -> value == 1);
        ranges.put("flush-total", between(0, 1e9));
        ranges.put("stripe-events", between(0, 32_768));
        ranges.put("stripe-bytes", between(0, 64 << 20));
        ranges.put("stripe-remaining-events", between(1, 32_768));
        ranges.put("stripe-remaining-bytes", between(1, 64 << 20));
        ranges.put("stripe-full-total", between(0, 1e9));
        ranges.put("reader-blocked-ms-total", between(0, A_MINUTE_MS));
        return ranges;
    }

    private static DoublePredicate between(double min, double max) {
        return value -> value >= min && value <= max;
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void everyMetricOfTheReferenceHasAPlausibleValue(Mode mode) throws IOException {
        TreeSet<String> documented = new TreeSet<>(ROW.matcher(Files.readString(Path.of("..", "docs", "metrics.md")))
                .results()
                .map(row -> row.group(1))
                .filter(name -> OF_UPSTREAMS.stream().noneMatch(name::startsWith))
                .toList());
        assertThat(PLAUSIBLE.keySet()).containsExactlyInAnyOrderElementsOf(documented);

        String name = "metrics-" + mode.suffix();
        run(mode, name, Map.of("upstream.synthetic.rate", "1000", "latency.target.ms", Integer.toString(BUDGET_MS)));
        Await.until(
                "every metric plausible",
                PATIENCE,
                () -> implausible(mode, name).isEmpty(),
                () -> implausible(mode, name).toString());
        assertThat(values(mode, name, "flush-total").values().stream()
                        .mapToDouble(Double::doubleValue)
                        .sum())
                .as("every batch has a flush reason")
                .isPositive();
        cluster.rest(mode).delete(name);
    }

    @Test
    void showsTheWaitOfAReaderThatIsFasterThanTheWorker() {
        String name = "metrics-blocked";
        Mode mode = Mode.EXACTLY_ONCE;
        run(mode, name, Map.of("upstream.synthetic.rate", "0", "stripe.max.events", "256"));
        for (String metric : List.of("stripe-full-total", "reader-blocked-ms-total", "busy-ratio")) {
            Await.until(
                    metric + " shows it",
                    PATIENCE,
                    () -> values(mode, name, metric).values().stream().anyMatch(value -> value > 0),
                    () -> values(mode, name, metric).toString());
        }
        cluster.rest(mode).delete(name);
    }

    private void run(Mode mode, String name, Map<String, String> settings) {
        Map<String, String> config = new HashMap<>(Map.of(
                "connector.class",
                Cluster.CONNECTOR,
                "tasks.max",
                "1",
                "upstream.type",
                "synthetic",
                "upstream.synthetic.topic",
                name,
                "pressure.window.ms",
                "1000",
                "calibration.directory",
                cluster.calibrationDirectory().resolve(name).toString(),
                "key.converter",
                "org.apache.kafka.connect.converters.ByteArrayConverter",
                "value.converter",
                "org.apache.kafka.connect.converters.ByteArrayConverter"));
        config.putAll(settings);
        cluster.rest(mode).create(name, config);
        cluster.worker(mode).awaitRunning(name, 1);
    }

    private List<String> implausible(Mode mode, String connector) {
        List<String> implausible = new ArrayList<>();
        PLAUSIBLE.forEach((metric, range) -> {
            Map<String, Double> found = values(mode, connector, metric);
            if (found.isEmpty() || !found.values().stream().allMatch(range::test)) {
                implausible.add(metric + " " + found.values());
            }
        });
        return implausible;
    }

    private Map<String, Double> values(Mode mode, String connector, String metric) {
        String pattern = "kafka.connect:type=plugins,connector=" + JmxReader.tag(connector) + ",task=0,*";
        Map<String, Double> values = new HashMap<>();
        cluster.worker(mode)
                .jmx()
                .attributes(pattern, metric)
                .forEach((bean, value) -> values.put(bean, ((Number) value).doubleValue()));
        return values;
    }
}
