package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.connect.metrics.Metric;
import io.microbatch.connect.metrics.MetricName;
import io.microbatch.connect.upstream.outbox.OutboxMetric;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.JmxReader;
import io.microbatch.testbed.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoublePredicate;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every metric of the outbox upstream on a real worker: after known rows, and while the database is away. */
@ExtendWith(Cluster.Shared.class)
class OutboxMetricsIT {

    private static final double A_MINUTE_MS = 60_000;
    private static final double AN_ANSWER_MS = 1_000;
    private static final int ROWS = 5;
    private static final int DROPPED = 2;

    private final Cluster cluster;

    OutboxMetricsIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void everyMetricHasThePlausibleValue(Mode mode) throws SQLException {
        String name = "outbox_metrics_" + mode.suffix().replace('-', '_');
        try (PostgresServer postgres = PostgresServer.start(cluster.directory().resolve(name))) {
            OutboxFixture outbox = OutboxFixture.of(cluster, postgres, name);
            cluster.rest(mode)
                    .create(
                            name,
                            outbox.config(Map.of(
                                    "upstream.outbox.tombstone.on.empty", "true",
                                    "transforms", "drop",
                                    "transforms.drop.type", "org.apache.kafka.connect.transforms.Filter",
                                    "transforms.drop.predicate", "empty",
                                    "predicates", "empty",
                                    "predicates.empty.type",
                                            "org.apache.kafka.connect.transforms.predicates.RecordIsTombstone")));
            cluster.worker(mode).awaitRunning(name, 1);
            try (Connection writer = outbox.writer();
                    Connection open = outbox.writer()) {
                outbox.insert(open, "late", "1");
                for (int i = 0; i < ROWS; i++) {
                    outbox.insert(writer, "key", i < DROPPED ? null : "1");
                }
                writer.commit();
                Map<OutboxMetric, DoublePredicate> plausible = new EnumMap<>(OutboxMetric.class);
                plausible.put(OutboxMetric.UNDELETED_ROWS, value -> value == 0);
                plausible.put(OutboxMetric.DELETED_TOTAL, value -> value == ROWS);
                plausible.put(OutboxMetric.DROPPED_TOTAL, value -> value == DROPPED);
                plausible.put(OutboxMetric.POLL_MS, value -> value > 0 && value < A_MINUTE_MS);
                plausible.put(OutboxMetric.DELETE_MS, value -> value > 0 && value < A_MINUTE_MS);
                plausible.put(OutboxMetric.UNFLUSHED_MS_TOTAL, value -> value >= 0);
                plausible.put(OutboxMetric.OLDEST_TRANSACTION_S, value -> value > 1);
                plausible.put(OutboxMetric.RECONNECT_TOTAL, value -> value == 0);
                assertThat(plausible.keySet()).containsExactlyInAnyOrder(OutboxMetric.values());
                plausible.forEach((metric, range) -> awaitValue(mode, name, metric, range));
                awaitValue(mode, name, Metric.UPSTREAM_CONNECTED, value -> value == 1);
                awaitValue(mode, name, Metric.UPSTREAM_HEARTBEAT_MS, value -> value == AN_ANSWER_MS);
                awaitValue(mode, name, Metric.UPSTREAM_SILENT_MS, value -> value < AN_ANSWER_MS);
                open.rollback();
                awaitValue(mode, name, OutboxMetric.OLDEST_TRANSACTION_S, value -> value < 1);
            }
            postgres.kill();
            awaitValue(mode, name, Metric.UPSTREAM_CONNECTED, value -> value == 0);
            awaitValue(mode, name, Metric.UPSTREAM_SILENT_MS, value -> value > 3 * AN_ANSWER_MS);
            postgres.restart();
            awaitValue(mode, name, Metric.UPSTREAM_CONNECTED, value -> value == 1);
            awaitValue(mode, name, Metric.UPSTREAM_SILENT_MS, value -> value < AN_ANSWER_MS);
            awaitValue(mode, name, OutboxMetric.RECONNECT_TOTAL, value -> value >= 1);
            cluster.rest(mode).delete(name);
        }
    }

    private void awaitValue(Mode mode, String connector, MetricName metric, DoublePredicate range) {
        Await.until(
                metric.label(),
                OutboxFixture.PATIENCE,
                () -> {
                    List<Double> found = values(mode, connector, metric);
                    return found.size() == 1 && range.test(found.get(0));
                },
                () -> values(mode, connector, metric).toString());
    }

    private List<Double> values(Mode mode, String connector, MetricName metric) {
        String pattern = "kafka.connect:type=plugins,connector=" + JmxReader.tag(connector) + ",task=0,*";
        return cluster.worker(mode).jmx().attributes(pattern, metric.label()).values().stream()
                .map(value -> ((Number) value).doubleValue())
                .toList();
    }
}
