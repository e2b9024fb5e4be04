package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.connect.metrics.Metric;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.FaultProxy;
import io.microbatch.testbed.JmxReader;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.DoublePredicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What the metrics of a hosted Debezium show while its database is idle, while the database does not answer, as behind
 * a firewall that drops packets, and after the connection was cut.
 */
@ExtendWith(Cluster.Shared.class)
class HungDebeziumIT {

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Mode MODE = Mode.EXACTLY_ONCE;
    private static final String NAME = "pg_hung";
    private static final int ROWS = 10;

    /** Longer than a row of the snapshot usually waits. */
    private static final int DELAY_MS = 1_000;

    /** So many heartbeats are missed only by a Debezium that hangs. */
    private static final int HEARTBEATS = 10;

    private static final double HEARTBEAT_MS = 500;

    private final Cluster cluster;

    HungDebeziumIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void isSeenByItsSilenceAndALostConnectionByTheRetries() throws Exception {
        try (FaultProxy proxy = FaultProxy.listen();
                PostgresFixture table = new PostgresFixture(cluster.postgres(), NAME)) {
            proxy.forwardTo(cluster.postgres().port());
            cluster.rest(MODE).create(NAME, config(table, proxy));
            cluster.worker(MODE).awaitRunning(NAME, 1);
            table.insert(1, ROWS);
            awaitRows(table, ROWS);
            await(Metric.UPSTREAM_CONNECTED, value -> value == 1);
            await(Metric.UPSTREAM_HEARTBEAT_MS, value -> value == HEARTBEAT_MS);
            await(Metric.UPSTREAM_SILENT_MS, value -> value < HEARTBEAT_MS);

            // The snapshot is over, so that this row has its own time, and it is read later than that.
            proxy.delay(DELAY_MS);
            table.insert(ROWS + 1, ROWS + 1);
            awaitRows(table, ROWS + 1);
            await(Metric.UPSTREAM_LAG_MS, value -> value >= DELAY_MS);

            proxy.mode(FaultProxy.Mode.BLACK_HOLE);
            table.insert(ROWS + 2, 2 * ROWS);
            await(Metric.UPSTREAM_SILENT_MS, value -> value > HEARTBEATS * HEARTBEAT_MS);
            assertThat(read(Metric.UPSTREAM_LAG_MS))
                    .as("rows wait to be read, and nobody knows for how long")
                    .isNotZero();

            proxy.mode(FaultProxy.Mode.PASS);
            proxy.cut();
            await(Metric.UPSTREAM_CONNECTED, value -> value == 0);
            await(Metric.UPSTREAM_CONNECTED, value -> value == 1);
            awaitRows(table, 2 * ROWS);
            assertThat(ids(table))
                    .isEqualTo(LongStream.rangeClosed(1, 2 * ROWS).boxed().toList());
            await(Metric.UPSTREAM_SILENT_MS, value -> value < HEARTBEAT_MS);
            cluster.rest(MODE).delete(NAME);
        }
    }

    private Map<String, String> config(PostgresFixture table, FaultProxy proxy) {
        Map<String, String> config = table.hosted(cluster);
        config.put("upstream.connector.database.port", Integer.toString(proxy.port()));
        config.put("upstream.connector.heartbeat.interval.ms", Integer.toString((int) HEARTBEAT_MS));
        // How often Debezium asks its database whether it is there. Without that its heartbeats would not end.
        config.put("upstream.connector.status.update.interval.ms", "1000");
        config.put("upstream.connector.retriable.restart.connector.wait.ms", "10000");
        return config;
    }

    private void awaitRows(PostgresFixture table, int atLeast) {
        Await.until(
                atLeast + " rows",
                PATIENCE,
                () -> ids(table).size() >= atLeast,
                () -> ids(table).toString());
    }

    private List<Long> ids(PostgresFixture table) {
        return table.ids(cluster.reader());
    }

    private void await(Metric metric, DoublePredicate range) {
        Await.until(
                metric.label() + " in its range",
                PATIENCE,
                () -> range.test(read(metric)),
                () -> read(metric) + ", " + cluster.rest(MODE).status(NAME) + "\n"
                        + cluster.worker(MODE).logTail());
    }

    private double read(Metric metric) {
        String bean = "kafka.connect:type=plugins,connector=" + JmxReader.tag(NAME) + ",task=0";
        return cluster.worker(MODE).jmx().number(bean, metric.label()).orElse(Double.NaN);
    }
}
