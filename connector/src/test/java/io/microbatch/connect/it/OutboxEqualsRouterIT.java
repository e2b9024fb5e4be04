package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectRest;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same rows through Debezium with its event router, and through the outbox upstream: the same records. */
@ExtendWith(Cluster.Shared.class)
class OutboxEqualsRouterIT {

    private static final Mode MODE = Mode.AT_LEAST_ONCE;
    private static final List<String> ROUTES = List.of("orders", "customers");

    /** The version of the database from which on its log may have messages for Debezium. */
    private static final int FIRST_WITH_MESSAGES = 14;

    private final Cluster cluster;

    OutboxEqualsRouterIT(Cluster cluster) {
        this.cluster = cluster;
    }

    /** What a reader of Kafka sees of a record, except its time and what Debezium says of its own run. */
    private record Seen(String key, String value, List<String> headers) {
        static Seen of(ConsumerRecord<byte[], byte[]> record) {
            List<String> headers = new ArrayList<>();
            record.headers().forEach(header -> {
                if (!header.key().startsWith("__debezium.context.")) {
                    headers.add(header.key() + "=" + OutboxFixture.text(header.value()));
                }
            });
            return new Seen(OutboxFixture.text(record.key()), OutboxFixture.text(record.value()), headers);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jsonb", "json", "text", "varchar"})
    void makesTheSameRecords(String payloadType) {
        compare("outbox_as_" + payloadType, payloadType, Map.of(), Map.of());
    }

    @Test
    void makesTheSameRecordsOfBytes() {
        Map<String, String> bytes = Map.of("value.converter", "org.apache.kafka.connect.converters.ByteArrayConverter");
        compare("outbox_as_bytea", "bytea", bytes, bytes);
    }

    @Test
    void makesTheSameRecordsWithAdditionalHeaders() {
        compare(
                "outbox_as_headers",
                "jsonb",
                Map.of("transforms.outbox.table.fields.additional.placement", "type:header:kind,aggregatetype:header"),
                Map.of("upstream.outbox.fields.additional", "type:header:kind,aggregatetype:header"));
    }

    private void compare(String name, String payloadType, Map<String, String> router, Map<String, String> upstream) {
        OutboxFixture outbox = OutboxFixture.of(cluster, cluster.postgres(), name);
        outbox.postgres()
                .execute("ALTER TABLE " + name + " ALTER COLUMN payload TYPE " + payloadType + " USING payload::text::"
                        + payloadType);
        ConnectRest rest = cluster.rest(MODE);
        rest.create(name + "_debezium", debezium(outbox, router));
        cluster.worker(MODE).awaitRunning(name + "_debezium", 1);
        awaitSlot(outbox);
        outbox.postgres().execute(rows(name, payloadType));
        Map<String, String> config = outbox.config(upstream);
        config.put("upstream.outbox.topic", name + ".ours.${route}");
        config.put("upstream.outbox.after", "keep");
        rest.create(name, config);

        for (String route : ROUTES) {
            List<Seen> theirs = await(name + ".theirs." + route, 4);
            List<Seen> ours = await(name + ".ours." + route, 4);
            assertThat(ours).isEqualTo(theirs).hasSize(4);
        }
        rest.delete(name);
        rest.delete(name + "_debezium");
    }

    /** The statements of the documentation, with a database in which nobody else commits. */
    @Test
    void takesOverFromDebeziumWithoutLossAndRepetition() throws IOException, SQLException {
        OutboxFixture outbox = OutboxFixture.of(cluster, cluster.postgres(), "outbox_moved");
        String table = "docs_moved.outboxevent";
        String insert = "INSERT INTO " + table + " (id, aggregatetype, aggregateid, type, payload) "
                + "SELECT gen_random_uuid(), 'orders', 'k', 'numbered', to_jsonb(i) FROM generate_series(%d, %d) i";
        ConnectRest rest = cluster.rest(MODE);
        try (Connection connection = cluster.postgres().connect();
                Statement sql = connection.createStatement()) {
            sql.execute("CREATE SCHEMA docs_moved");
            sql.execute("SET search_path = docs_moved");
            sql.execute(OutboxPage.sql("table").replaceAll("(?s),\\s*seq .*", ");"));
            Map<String, String> router = new HashMap<>(Map.of(
                    "table.include.list",
                    table,
                    "transforms.outbox.route.topic.replacement",
                    outbox.name() + ".${routedByValue}"));
            boolean hasMessages = connection.getMetaData().getDatabaseMajorVersion() >= FIRST_WITH_MESSAGES;
            if (!hasMessages) {
                sql.execute("CREATE TABLE heartbeat (at timestamptz)");
                router.put("heartbeat.interval.ms", "500");
                router.put("heartbeat.action.query", "INSERT INTO docs_moved.heartbeat VALUES (now())");
            }
            rest.create("outbox_moved_debezium", debezium(outbox, router));
            cluster.worker(MODE).awaitRunning("outbox_moved_debezium", 1);
            awaitSlot(outbox);
            sql.execute(insert.formatted(1, 50));
            sql.execute("CREATE TABLE unrelated AS SELECT generate_series(1, 1000)");

            String block = OutboxPage.sql("from debezium");
            int begin = block.indexOf("SELECT pg_");
            int end = block.indexOf(';', begin) + 1;
            boolean ignored = sql.execute(block.substring(0, begin));
            String position;
            String message = hasMessages ? block.substring(begin, end) : "SELECT pg_current_wal_insert_lsn()";
            try (ResultSet rows = sql.executeQuery(message)) {
                ignored = rows.next();
                position = rows.getString(1);
            }
            Await.until(
                    "the confirmation of " + position,
                    OutboxFixture.PATIENCE,
                    () -> slotHas(outbox, "confirmed_flush_lsn >= '" + position + "'"),
                    () -> "not confirmed");
            rest.delete("outbox_moved_debezium");
            // Connect answers before the task has ended.
            Await.until(
                    "the end of Debezium",
                    OutboxFixture.PATIENCE,
                    () -> !slotHas(outbox, "active"),
                    () -> "the slot is active");
            sql.execute(block.substring(end));
            sql.execute(insert.formatted(51, 60));
        }
        rest.create(outbox.name(), outbox.config(Map.of("upstream.outbox.table", table)));
        outbox.awaitRecords(60);
        assertThat(outbox.values())
                .isEqualTo(
                        IntStream.rangeClosed(1, 60).mapToObj(Integer::toString).toList());
        rest.delete(outbox.name());
    }

    private static boolean slotHas(OutboxFixture outbox, String condition) {
        List<Boolean> answers = new ArrayList<>();
        outbox.postgres()
                .query(
                        "SELECT " + condition + " FROM pg_replication_slots WHERE slot_name = '" + outbox.name() + "'",
                        row -> answers.add(row.getBoolean(1)));
        return answers.equals(List.of(true));
    }

    /** Rows of two routes: nested JSON, text beyond ASCII, numbers, and no payload at all. */
    private static String rows(String name, String type) {
        return "INSERT INTO " + name + " (id, aggregatetype, aggregateid, type, payload) SELECT gen_random_uuid(), r, "
                + "'key ' || n, 'kind ' || n, p::" + type + " FROM unnest(ARRAY['orders', 'customers']) r, (VALUES "
                + "(1, '{\"b\": {\"a\": [1, 2.50, null]},  \"a\": \"x\"}'), (2, '\"\u00fc \u20ac \ud83d\ude00\"'), "
                + "(3, '42'), (4, NULL)) v(n, p) ORDER BY n";
    }

    private static Map<String, String> debezium(OutboxFixture outbox, Map<String, String> router) {
        Map<String, String> config = new HashMap<>();
        config.put("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
        config.put("tasks.max", "1");
        config.put("database.hostname", outbox.postgres().host());
        config.put("database.port", Integer.toString(outbox.postgres().port()));
        config.put("database.user", outbox.postgres().user());
        config.put("database.password", outbox.postgres().password());
        config.put("database.dbname", outbox.postgres().database());
        config.put("plugin.name", "pgoutput");
        config.put("snapshot.mode", "no_data");
        config.put("slot.name", outbox.name());
        config.put("slot.drop.on.stop", "true");
        config.put("publication.name", outbox.name());
        config.put("publication.autocreate.mode", "filtered");
        config.put("table.include.list", "public." + outbox.name());
        config.put("topic.prefix", outbox.name() + "_debezium");
        config.put("transforms", "outbox");
        config.put("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
        config.put("transforms.outbox.route.topic.replacement", outbox.name() + ".theirs.${routedByValue}");
        config.put("key.converter", OutboxFixture.STRING);
        config.put("value.converter", OutboxFixture.STRING);
        config.putAll(router);
        return config;
    }

    /** Debezium sees what is committed after its slot has begun. */
    private static void awaitSlot(OutboxFixture outbox) {
        Await.until(
                "an active slot",
                OutboxFixture.PATIENCE,
                () -> {
                    List<Long> active = new ArrayList<>();
                    outbox.postgres()
                            .query(
                                    "SELECT count(*) FROM pg_replication_slots WHERE active AND confirmed_flush_lsn IS "
                                            + "NOT NULL AND slot_name = '" + outbox.name() + "'",
                                    row -> active.add(row.getLong(1)));
                    return active.get(0) == 1;
                },
                () -> "not active");
    }

    private List<Seen> await(String topic, int count) {
        Await.until(
                count + " records in " + topic,
                OutboxFixture.PATIENCE,
                () -> cluster.reader().readCommitted(topic).size() >= count,
                () -> cluster.reader().readCommitted(topic).size() + " seen");
        return cluster.reader().readCommitted(topic).stream().map(Seen::of).toList();
    }
}
