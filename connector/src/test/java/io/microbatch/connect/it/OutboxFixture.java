package io.microbatch.connect.it;

import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectRest;
import io.microbatch.testbed.PostgresServer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** An outbox table, its connector's configuration and what has arrived of it. Any thread, except the connections. */
final class OutboxFixture {

    static final Duration PATIENCE = Duration.ofSeconds(90);
    static final String STRING = "org.apache.kafka.connect.storage.StringConverter";

    private final Cluster cluster;
    private final PostgresServer postgres;
    private final String name;

    private OutboxFixture(Cluster cluster, PostgresServer postgres, String name) {
        this.cluster = cluster;
        this.postgres = postgres;
        this.name = name;
    }

    /** Creates the table. It has the name of the test, like the connector and the topic. */
    static OutboxFixture of(Cluster cluster, String test, Mode mode) {
        return of(cluster, cluster.postgres(), test + "_" + mode.suffix().replace('-', '_'));
    }

    /**
     * Creates the table on this server.
     *
     * @throws IllegalStateException if another test had the name
     */
    static OutboxFixture of(Cluster cluster, PostgresServer postgres, String name) {
        cluster.claim(name);
        OutboxFixture fixture = new OutboxFixture(cluster, postgres, name);
        postgres.execute(fixture.createTable());
        return fixture;
    }

    /** The table of the same name on another server, which has it already. */
    OutboxFixture on(PostgresServer other) {
        return new OutboxFixture(cluster, other, name);
    }

    /** The statement of the documentation, with this table's name. */
    private String createTable() {
        return "CREATE TABLE " + name + " (id uuid PRIMARY KEY, aggregatetype varchar(255), "
                + "aggregateid varchar(255), type varchar(255) NOT NULL, payload jsonb, "
                + "seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE, xid xid8 NOT NULL DEFAULT pg_current_xact_id())";
    }

    String name() {
        return name;
    }

    String topic() {
        return name + ".orders";
    }

    PostgresServer postgres() {
        return postgres;
    }

    Map<String, String> config(Map<String, String> more) {
        Map<String, String> config = new HashMap<>();
        config.put("connector.class", Cluster.CONNECTOR);
        config.put("tasks.max", "1");
        config.put("upstream.type", "outbox");
        config.put("upstream.outbox.jdbc.url", postgres.jdbcUrl());
        config.put("upstream.outbox.user", postgres.user());
        config.put("upstream.outbox.password", postgres.password());
        config.put("upstream.outbox.table", name);
        config.put("upstream.outbox.topic", name + ".${route}");
        config.put("key.converter", STRING);
        config.put("value.converter", STRING);
        config.put("calibration.directory", cluster.calibrationDirectory().toString());
        config.putAll(more);
        return config;
    }

    /** Inserts an event as a part of the connection's transaction. */
    void insert(Connection connection, String key, String payload) throws SQLException {
        insert(connection, "orders", key, payload);
    }

    void insert(Connection connection, String type, String key, String payload) throws SQLException {
        try (PreparedStatement sql = connection.prepareStatement("INSERT INTO " + name
                + " (id, aggregatetype, aggregateid, type, payload) " + "VALUES (?, ?, ?, 'changed', ?::jsonb)")) {
            sql.setObject(1, UUID.randomUUID());
            sql.setString(2, type);
            sql.setString(3, key);
            sql.setString(4, payload);
            int ignored = sql.executeUpdate();
        }
    }

    /** A connection whose transactions end when they are told so. */
    Connection writer() throws SQLException {
        Connection connection = postgres.connect();
        connection.setAutoCommit(false);
        return connection;
    }

    /** The records that committed readers see, in the order of the topic's only partition. */
    List<ConsumerRecord<byte[], byte[]>> records() {
        return cluster.reader().readCommitted(topic());
    }

    List<String> values() {
        return records().stream().map(record -> text(record.value())).toList();
    }

    static String text(byte[] bytes) {
        return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
    }

    void awaitRecords(int atLeast) {
        Await.until(
                atLeast + " records in " + topic(),
                PATIENCE,
                () -> records().size() >= atLeast,
                () -> records().size() + " seen");
    }

    long rows() {
        List<Long> count = new ArrayList<>();
        postgres.query("SELECT count(*) FROM " + name, row -> count.add(row.getLong(1)));
        return count.get(0);
    }

    /** The payloads in the table, as the server prints them. */
    List<String> payloads() {
        List<String> payloads = new ArrayList<>();
        postgres.query("SELECT payload::text FROM " + name, row -> payloads.add(row.getString(1)));
        return payloads;
    }

    void awaitEmptyTable() {
        Await.until("an empty table", PATIENCE, () -> rows() == 0, () -> rows() + " rows");
    }

    static void stop(ConnectRest rest, String connector) {
        rest.stop(connector);
        rest.awaitState(connector, "STOPPED");
    }
}
