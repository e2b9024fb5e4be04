package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectRest;
import io.microbatch.testbed.JmxReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sqlite.SQLiteDataSource;

/** A running task publishes metrics in JMX and writes a row into the calibration file for each window. */
@ExtendWith(Cluster.Shared.class)
class ObservationsIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Cluster cluster;

    ObservationsIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void publishesMetricsAndWritesARowForEachWindow(Mode mode) throws SQLException {
        String name = "observed-" + mode.suffix();
        Path directory = cluster.calibrationDirectory().resolve(name);
        ConnectRest rest = cluster.rest(mode);
        rest.create(name, config(name, directory));
        cluster.worker(mode).awaitRunning(name, 1);

        awaitMetric(mode, name, "pressure-level", 4);
        awaitMetric(mode, name, "budget-ms", 50);
        Await.until(
                "a batch acknowledged",
                PATIENCE,
                () -> metric(mode, name, "ack-latency-p99-ms") > 0
                        && metric(mode, name, "event-total") >= metric(mode, name, "batch-total"),
                () -> "p99 " + metric(mode, name, "ack-latency-p99-ms"));
        Await.until(
                "the calibration file",
                PATIENCE,
                () -> databases(directory).size() == 1,
                () -> databases(directory).toString());
        // Only a steady window confirms a setting. On a busy machine the first ones may be none.
        Await.until(
                "a window that has confirmed a setting",
                PATIENCE,
                () -> metric(mode, name, "calibration-age-s") >= 0 && metric(mode, name, "capacity") > 0,
                () -> "capacity " + metric(mode, name, "capacity"));
        rest.stop(name);
        rest.awaitState(name, "STOPPED");
        rest.delete(name);

        SQLiteDataSource file = new SQLiteDataSource();
        file.setUrl("jdbc:sqlite:" + databases(directory).get(0));
        try (Connection connection = file.getConnection();
                Statement sql = connection.createStatement()) {
            assertThat(single(sql, "SELECT count(*) FROM observation WHERE events > 0"))
                    .isNotEqualTo("0");
            assertThat(single(sql, "SELECT delivery_mode FROM calibration_key"))
                    .isEqualTo(mode.suffix() + " within 30 to 75 ms");
        }
    }

    private void awaitMetric(Mode mode, String connector, String attribute, double wanted) {
        Await.until(
                attribute + " of " + wanted,
                PATIENCE,
                () -> metric(mode, connector, attribute) == wanted,
                () -> attribute + " is " + metric(mode, connector, attribute));
    }

    private double metric(Mode mode, String connector, String attribute) {
        String pattern = "kafka.connect:type=plugins,connector=" + JmxReader.tag(connector) + ",task=0,*";
        return cluster.worker(mode).jmx().number(pattern, attribute).orElse(Double.NaN);
    }

    private static List<Path> databases(Path directory) {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".calibration"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String single(Statement sql, String query) throws SQLException {
        try (ResultSet rows = sql.executeQuery(query)) {
            return rows.next() ? rows.getString(1) : null;
        }
    }

    private static Map<String, String> config(String topic, Path directory) {
        Map<String, String> config = new HashMap<>();
        config.put("connector.class", Cluster.CONNECTOR);
        config.put("tasks.max", "1");
        config.put("upstream.type", "synthetic");
        config.put("upstream.synthetic.topic", topic);
        config.put("upstream.synthetic.rate", "1000");
        config.put("pressure.window.ms", "1500");
        config.put("calibration.directory", directory.toString());
        config.put("value.converter", "org.apache.kafka.connect.converters.ByteArrayConverter");
        config.put("key.converter", "org.apache.kafka.connect.converters.ByteArrayConverter");
        return config;
    }
}
