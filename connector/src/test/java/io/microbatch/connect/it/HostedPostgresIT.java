package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectRest;
import io.microbatch.testbed.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Debezium's PostgreSQL connector, hosted, on a real database. */
@ExtendWith(Cluster.Shared.class)
class HostedPostgresIT {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private static PostgresServer postgres;

    private final ObjectMapper json = new ObjectMapper();
    private final Cluster cluster;

    HostedPostgresIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @BeforeAll
    static void startDatabase(Cluster cluster) {
        postgres = PostgresServer.start(cluster.directory());
    }

    @AfterAll
    static void stopDatabase() {
        postgres.close();
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void carriesEveryChangeOnceOverAStopAndConfirmsItToTheDatabase(Mode mode) throws Exception {
        String name = "pg_" + mode.suffix().replace('-', '_');
        String topic = name + ".public." + name;
        ConnectRest rest = cluster.rest(mode);
        try (Connection connection = postgres.connect();
                Statement sql = connection.createStatement()) {
            sql.execute("CREATE TABLE " + name + " (id bigint PRIMARY KEY, note text)");
            sql.execute("INSERT INTO " + name + " SELECT i, 'snapshot' FROM generate_series(1, 100) i");
            rest.create(name, config(name));
            cluster.worker(mode).awaitRunning(name, 1);
            awaitRecords(topic, 100);

            sql.execute("INSERT INTO " + name + " SELECT i, 'new' FROM generate_series(101, 300) i");
            sql.execute("UPDATE " + name + " SET note = 'changed' WHERE id <= 50");
            sql.execute("DELETE FROM " + name + " WHERE id > 290");
            awaitRecords(topic, 100 + 200 + 50 + 2 * 10);
            // What was inserted last is confirmed when later commits have shown that its offset is durable.
            String written = currentLsn(sql);
            sql.execute("INSERT INTO " + name + " VALUES (1000, 'after')");
            Await.until(
                    "the slot to be confirmed past " + written,
                    PATIENCE,
                    () -> confirmed(sql, name, written),
                    () -> "slot at " + slotLsn(sql, name));

            rest.stop(name);
            rest.awaitState(name, "STOPPED");
            Await.until("the slot to be free", PATIENCE, () -> !slotActive(sql, name), () -> "still active");
            sql.execute("INSERT INTO " + name + " SELECT i, 'while stopped' FROM generate_series(2001, 2100) i");
            rest.resume(name);
            cluster.worker(mode).awaitRunning(name, 1);
            awaitRecords(topic, 370 + 1 + 100);

            assertThat(changes(topic)).isEqualTo(expected());
            rest.delete(name);
        }
    }

    /** Operation and id of every change in the order in which the database made it; a delete has its tombstone. */
    private static List<String> expected() {
        List<String> expected = new ArrayList<>();
        addRange(expected, "r", 1, 100);
        addRange(expected, "c", 101, 300);
        addRange(expected, "u", 1, 50);
        for (int id = 291; id <= 300; id++) {
            expected.add("d " + id);
            expected.add("tombstone " + id);
        }
        addRange(expected, "c", 1000, 1000);
        addRange(expected, "c", 2001, 2100);
        return expected;
    }

    private static void addRange(List<String> expected, String operation, int from, int to) {
        for (int id = from; id <= to; id++) {
            expected.add(operation + " " + id);
        }
    }

    private List<String> changes(String topic) {
        return records(topic).stream().map(this::change).toList();
    }

    private String change(ConsumerRecord<byte[], byte[]> record) {
        try {
            long id = json.readTree(record.key()).get("id").asLong();
            if (record.value() == null) {
                return "tombstone " + id;
            }
            JsonNode value = json.readTree(record.value());
            return value.get("op").asText() + " " + id;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void awaitRecords(String topic, int atLeast) {
        Await.until(
                atLeast + " records in " + topic,
                PATIENCE,
                () -> records(topic).size() >= atLeast,
                () -> records(topic).size() + " seen");
    }

    private List<ConsumerRecord<byte[], byte[]>> records(String topic) {
        return cluster.reader().readCommitted(topic);
    }

    private static String currentLsn(Statement sql) throws SQLException {
        return single(sql, "SELECT pg_current_wal_lsn()::text");
    }

    private static boolean confirmed(Statement sql, String slot, String lsn) {
        return "t"
                .equals(unchecked(
                        sql,
                        "SELECT confirmed_flush_lsn >= '" + lsn + "' FROM pg_replication_slots WHERE slot_name = '"
                                + slot + "'"));
    }

    private static String slotLsn(Statement sql, String slot) {
        return unchecked(sql, "SELECT confirmed_flush_lsn FROM pg_replication_slots WHERE slot_name = '" + slot + "'");
    }

    private static boolean slotActive(Statement sql, String slot) {
        return "t".equals(unchecked(sql, "SELECT active FROM pg_replication_slots WHERE slot_name = '" + slot + "'"));
    }

    private static String unchecked(Statement sql, String query) {
        try {
            return single(sql, query);
        } catch (SQLException e) {
            throw new IllegalStateException(query, e);
        }
    }

    private static String single(Statement sql, String query) throws SQLException {
        try (ResultSet rows = sql.executeQuery(query)) {
            return rows.next() ? rows.getString(1) : null;
        }
    }

    private Map<String, String> config(String name) {
        Map<String, String> config = new HashMap<>();
        config.put("connector.class", Cluster.CONNECTOR);
        config.put("tasks.max", "1");
        config.put("upstream.connector.class", "io.debezium.connector.postgresql.PostgresConnector");
        config.put("upstream.connector.database.hostname", postgres.host());
        config.put("upstream.connector.database.port", Integer.toString(postgres.port()));
        config.put("upstream.connector.database.user", postgres.user());
        config.put("upstream.connector.database.password", postgres.password());
        config.put("upstream.connector.database.dbname", postgres.database());
        config.put("upstream.connector.plugin.name", "pgoutput");
        config.put("upstream.connector.slot.name", name);
        config.put("upstream.connector.publication.name", name);
        config.put("upstream.connector.publication.autocreate.mode", "filtered");
        config.put("upstream.connector.table.include.list", "public." + name);
        config.put("upstream.connector.topic.prefix", name);
        config.put("calibration.directory", cluster.calibrationDirectory().toString());
        return config;
    }
}
