package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.connect.upstream.http.HttpMetric;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.JmxReader;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoublePredicate;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every metric of the HTTP upstream on a real worker, after requests with known outcomes. */
@ExtendWith(Cluster.Shared.class)
class HttpMetricsIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final double A_MINUTE_MS = 60_000;

    private final Cluster cluster;

    HttpMetricsIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void everyMetricHasThePlausibleValue(Mode mode) {
        HttpIngest ingest = HttpIngest.of(cluster, "http-metrics-" + mode.suffix());
        HttpPoster poster = ingest.start(mode, Map.of());
        String events = "/events/" + ingest.name();
        for (int i = 0; i < 3; i++) {
            assertThat(poster.post(events, "text/plain", "an event").status()).isEqualTo(200);
        }
        assertThat(poster.post("/events/unlisted", "text/plain", "x").status()).isEqualTo(404);

        DoublePredicate none = value -> value == 0;
        DoublePredicate time = value -> value > 0 && value < A_MINUTE_MS;
        Map<HttpMetric, DoublePredicate> plausible = new EnumMap<>(HttpMetric.class);
        plausible.put(HttpMetric.REQUEST_TOTAL, value -> value >= 0);
        plausible.put(HttpMetric.REFUSED_TOTAL, value -> value == 0 || value == 1);
        plausible.put(HttpMetric.UNKNOWN_TOTAL, none);
        plausible.put(HttpMetric.REPLAYED_TOTAL, none);
        plausible.put(HttpMetric.INFLIGHT_REQUESTS, none);
        plausible.put(HttpMetric.INFLIGHT_BYTES, none);
        plausible.put(HttpMetric.CONNECTIONS, value -> value >= 1);
        plausible.put(HttpMetric.CLOSED_TOTAL, none);
        plausible.put(HttpMetric.ANSWER_P50_MS, time);
        plausible.put(HttpMetric.ANSWER_P99_MS, time);
        plausible.put(HttpMetric.PORT, value -> value == ingest.port());
        plausible.put(HttpMetric.READY, value -> value == 1);
        assertThat(plausible.keySet()).containsExactlyInAnyOrder(HttpMetric.values());
        plausible.forEach((metric, range) -> Await.until(
                metric.label(),
                PATIENCE,
                () -> {
                    List<Double> found =
                            List.copyOf(values(mode, ingest, metric).values());
                    return !found.isEmpty() && found.stream().allMatch(range::test);
                },
                () -> values(mode, ingest, metric).toString()));

        // The question whether the task is ready was asked before, an unknown number of times.
        assertThat(value(mode, ingest, HttpMetric.REQUEST_TOTAL, "status=200")).isGreaterThan(3);
        assertThat(value(mode, ingest, HttpMetric.REQUEST_TOTAL, "status=404")).isEqualTo(1);
        assertThat(value(mode, ingest, HttpMetric.REFUSED_TOTAL, "reason=client"))
                .isEqualTo(1);
        assertThat(value(mode, ingest, HttpMetric.REFUSED_TOTAL, "reason=full")).isZero();
        cluster.rest(mode).delete(ingest.name());
    }

    private double value(Mode mode, HttpIngest ingest, HttpMetric metric, String tag) {
        return values(mode, ingest, metric).entrySet().stream()
                .filter(each -> each.getKey().contains(tag))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }

    private Map<String, Double> values(Mode mode, HttpIngest ingest, HttpMetric metric) {
        String pattern = "kafka.connect:type=plugins,connector=" + JmxReader.tag(ingest.name()) + ",task=0,*";
        Map<String, Double> values = new HashMap<>();
        cluster.worker(mode)
                .jmx()
                .attributes(pattern, metric.label())
                .forEach((bean, value) -> values.put(bean, ((Number) value).doubleValue()));
        return values;
    }
}
