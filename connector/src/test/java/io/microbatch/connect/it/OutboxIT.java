package io.microbatch.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.microbatch.connect.it.Cluster.Mode;
import io.microbatch.testbed.Await;
import io.microbatch.testbed.ConnectRest;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows of a real outbox table, with a real worker. */
@ExtendWith(Cluster.Shared.class)
class OutboxIT {

    private final ObjectMapper json = new ObjectMapper();
    private final Cluster cluster;

    OutboxIT(Cluster cluster) {
        this.cluster = cluster;
    }

    private ConnectRest start(OutboxFixture outbox, Mode mode, Map<String, String> more) {
        ConnectRest rest = cluster.rest(mode);
        rest.create(outbox.name(), outbox.config(more));
        cluster.worker(mode).awaitRunning(outbox.name(), 1);
        return rest;
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void deliversRowsInTheOrderOfTheirCommitsHoweverLateTheyAre(Mode mode) throws SQLException {
        OutboxFixture outbox = OutboxFixture.of(cluster, "outbox_late", mode);
        try (Connection late = outbox.writer();
                Connection other = outbox.writer()) {
            ConnectRest rest = start(outbox, mode, Map.of());
            // Takes the first number, and ends last.
            outbox.insert(late, "a", "\"late 1\"");
            outbox.insert(other, "b", "\"early\"");
            other.commit();
            outbox.awaitRecords(1);
            // A number between those of others that nobody ever sees.
            outbox.insert(other, "b", "\"rolled back\"");
            other.rollback();
            outbox.insert(other, "b", "\"before the savepoint\"");
            Savepoint kept = other.setSavepoint();
            outbox.insert(other, "b", "\"in the savepoint\"");
            other.releaseSavepoint(kept);
            Savepoint undone = other.setSavepoint();
            outbox.insert(other, "b", "\"undone\"");
            other.rollback(undone);
            other.commit();
            outbox.awaitRecords(3);
            outbox.insert(late, "a", "\"late 2\"");
            late.commit();
            outbox.awaitRecords(5);

            assertThat(outbox.values())
                    .containsExactly(
                            "\"early\"",
                            "\"before the savepoint\"",
                            "\"in the savepoint\"",
                            "\"late 1\"",
                            "\"late 2\"");
            outbox.awaitEmptyTable();
            rest.delete(outbox.name());
        }
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void deliversABacklogOnceAcrossStopsAndContinuesAtTheOffset(Mode mode) {
        OutboxFixture outbox = OutboxFixture.of(cluster, "outbox_backlog", mode);
        insertNumbers(outbox, 0, 5_000);
        // Pages that do not end with an interval, and rows that stay, so that only the offset tells what was delivered.
        ConnectRest rest =
                start(outbox, mode, Map.of("upstream.outbox.page.rows", "700", "upstream.outbox.after", "keep"));
        outbox.awaitRecords(1_000);
        OutboxFixture.stop(rest, outbox.name());
        insertNumbers(outbox, 5_000, 500);
        rest.resume(outbox.name());
        cluster.worker(mode).awaitRunning(outbox.name(), 1);
        outbox.awaitRecords(5_500);
        OutboxFixture.stop(rest, outbox.name());

        assertThat(outbox.values())
                .isEqualTo(IntStream.range(0, 5_500).mapToObj(Integer::toString).toList());
        assertThat(outbox.rows()).isEqualTo(5_500);
        rest.delete(outbox.name());
    }

    /** The driver does not look up the second host, because the first one is the primary. */
    @Test
    void warnsOnceAtTheStartOfATaskThatItsConnectionMayBeWithoutTls() {
        Mode mode = Mode.AT_LEAST_ONCE;
        OutboxFixture outbox = OutboxFixture.of(cluster, "outbox_clear_text", mode);
        String url = outbox.postgres().jdbcUrl().replaceFirst("/(?=\\w+$)", ",db.invalid:5432/");
        insertNumbers(outbox, 0, 1);
        ConnectRest rest = start(outbox, mode, Map.of("upstream.outbox.jdbc.url", url));
        outbox.awaitRecords(1);

        assertThat(cluster.worker(mode).logLines())
                .filteredOn(line -> line.contains("[" + outbox.name() + "|task-0]") && line.contains("clear text"))
                .hasSize(1);
        rest.delete(outbox.name());
    }

    private static void insertNumbers(OutboxFixture outbox, int first, int count) {
        outbox.postgres()
                .execute("INSERT INTO " + outbox.name() + " (id, aggregatetype, aggregateid, type, payload) "
                        + "SELECT gen_random_uuid(), 'orders', (i % 10)::text, 'numbered', to_jsonb(i) "
                        + "FROM generate_series(" + first + ", " + (first + count - 1) + ") i ORDER BY i");
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void sendsRowsThatCannotBeSentAsDeadLettersAndDeletesThem(Mode mode) throws SQLException {
        OutboxFixture outbox = OutboxFixture.of(cluster, "outbox_dead", mode);
        outbox.postgres().execute("ALTER TABLE " + outbox.name() + " ADD COLUMN at timestamptz DEFAULT now()");
        String dead = outbox.name() + ".dead";
        Map<String, String> settings = withDeadLetters(dead);
        settings.put("upstream.outbox.topics", outbox.name() + "\\.[a-z]+");
        settings.put("upstream.outbox.column.timestamp", "at");
        ConnectRest rest = start(outbox, mode, settings);
        try (Connection writer = outbox.writer()) {
            outbox.insert(writer, "a", "1");
            outbox.insert(writer, "not a topic", "b", "2");
            outbox.insert(writer, "", "c", "3");
            outbox.insert(writer, "ORDERS", "d", "4");
            outbox.insert(writer, "f", "6");
            outbox.insert(writer, "g", "7");
            setTimestamp(writer, outbox, "g", "infinity");
            outbox.insert(writer, null, null);
            writer.commit();
        }
        outbox.awaitRecords(3);
        Await.until(
                "four dead letters",
                OutboxFixture.PATIENCE,
                () -> cluster.reader().readCommitted(dead).size() >= 4,
                () -> cluster.reader().readCommitted(dead).size() + " seen");
        outbox.awaitEmptyTable();

        assertThat(outbox.values()).containsExactly("1", "6", null);
        List<String> causes = cluster.reader().readCommitted(dead).stream()
                .map(OutboxIT::cause)
                .toList();
        assertThat(causes).hasSize(4);
        assertThat(causes.get(0)).contains("UPSTREAM", "a name that Kafka does not allow");
        assertThat(causes.get(1)).contains("UPSTREAM", "empty");
        assertThat(causes.get(2)).contains("UPSTREAM", "upstream.outbox.topics");
        assertThat(causes.get(3)).contains("UPSTREAM", "its timestamp");
        rest.delete(outbox.name());
    }

    private static Map<String, String> withDeadLetters(String topic) {
        Map<String, String> settings = new HashMap<>(Map.of("deadletter.topic", topic));
        for (String converter : List.of("key.converter", "value.converter")) {
            settings.put("deadletter." + converter, OutboxFixture.STRING);
            settings.put(converter, "org.apache.kafka.connect.converters.ByteArrayConverter");
        }
        settings.put("header.converter", "org.apache.kafka.connect.converters.ByteArrayConverter");
        return settings;
    }

    /** A row that is deleted must be in Kafka as a whole. */
    @ParameterizedTest
    @EnumSource(Mode.class)
    void keepsARowWhosePayloadNoDeadLetterHas(Mode mode) throws SQLException {
        OutboxFixture outbox = OutboxFixture.of(cluster, "outbox_large", mode);
        String dead = outbox.name() + ".dead";
        Map<String, String> settings = withDeadLetters(dead);
        settings.put("upstream.outbox.max.payload.bytes", "1024");
        ConnectRest rest = start(outbox, mode, settings);
        String large = '"' + "x".repeat(2_000) + '"';
        try (Connection writer = outbox.writer()) {
            outbox.insert(writer, "a", "1");
            outbox.insert(writer, "b", large);
            outbox.insert(writer, "c", "3");
            writer.commit();
        }
        assertThat(rest.awaitTaskFailed(outbox.name()))
                .contains("upstream.outbox.max.payload.bytes", "2002 bytes")
                .doesNotContain("xxx");

        settings.put("upstream.outbox.max.payload.bytes", "4096");
        rest.put(outbox.name(), outbox.config(settings));
        rest.restart(outbox.name());
        outbox.awaitRecords(3);
        outbox.awaitEmptyTable();
        assertThat(outbox.values()).containsExactly("1", large, "3");
        assertThat(cluster.reader().readCommitted(dead)).isEmpty();
        rest.delete(outbox.name());
    }

    private static void setTimestamp(Connection writer, OutboxFixture outbox, String key, String time)
            throws SQLException {
        try (Statement sql = writer.createStatement()) {
            int ignored = sql.executeUpdate(
                    "UPDATE " + outbox.name() + " SET at = '" + time + "' WHERE aggregateid = '" + key + "'");
        }
    }

    private static String cause(ConsumerRecord<byte[], byte[]> letter) {
        return new String(letter.headers().lastHeader("__connect.errors.stage").value(), StandardCharsets.UTF_8)
                + ": "
                + new String(
                        letter.headers()
                                .lastHeader("__connect.errors.exception.message")
                                .value(),
                        StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void failsAtARowThatCannotBeSentAndNamesIt(Mode mode) throws SQLException {
        OutboxFixture outbox = OutboxFixture.of(cluster, "outbox_poison", mode);
        outbox.postgres().execute("ALTER TABLE " + outbox.name() + " ADD COLUMN at timestamptz");
        ConnectRest rest = start(outbox, mode, Map.of("upstream.outbox.column.timestamp", "at"));
        try (Connection writer = outbox.writer()) {
            outbox.insert(writer, "a", "1");
            writer.commit();
            outbox.awaitRecords(1);
            outbox.insert(writer, "not a topic", "b", "2");
            outbox.insert(writer, "c", "3");
            outbox.insert(writer, "d", "4");
            setTimestamp(writer, outbox, "d", "-infinity");
            writer.commit();
        }
        assertThat(rest.awaitTaskFailed(outbox.name())).contains("The row of number 2 cannot be sent");
        outbox.postgres().execute("UPDATE " + outbox.name() + " SET aggregatetype = 'orders' WHERE seq = 2");
        rest.restartFailed(outbox.name());
        Await.until(
                "the failure at another row",
                OutboxFixture.PATIENCE,
                () -> rest.awaitTaskFailed(outbox.name()).contains("The row of number 4 cannot be sent: its timestamp"),
                () -> rest.awaitTaskFailed(outbox.name()));
        outbox.postgres().execute("UPDATE " + outbox.name() + " SET at = now() WHERE seq = 4");
        rest.restartFailed(outbox.name());
        outbox.awaitRecords(4);
        assertThat(outbox.values()).containsExactly("1", "2", "3", "4");
        rest.delete(outbox.name());
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void takesAllRowsForNewOnAnotherServer(Mode mode) throws SQLException {
        OutboxFixture outbox = OutboxFixture.of(cluster, "outbox_other_server", mode);
        ConnectRest rest = start(outbox, mode, Map.of());
        insertNumbers(outbox, 0, 10);
        outbox.awaitRecords(10);
        outbox.awaitEmptyTable();
        OutboxFixture.stop(rest, outbox.name());
        insertNumbers(outbox, 10, 10);

        // As after a failover: the offsets are of another timeline, and call later transactions finished.
        String partition = outbox.name() + ":0/1";
        ObjectNode body = json.createObjectNode();
        ObjectNode entry = body.putArray("offsets").addObject();
        entry.putObject("partition").put("outbox", "public." + partition);
        entry.putObject("offset")
                .put("from", "900000000:900000000:")
                .put("to", "900000000:900000000:")
                .put("seq", 1_000_000)
                .put("server", "1/00000001");
        rest.alterOffsets(outbox.name(), body);
        rest.resume(outbox.name());
        outbox.awaitRecords(20);
        outbox.awaitEmptyTable();

        assertThat(outbox.values())
                .isEqualTo(IntStream.range(0, 20).mapToObj(Integer::toString).toList());
        assertThat(cluster.worker(mode).logLines())
                .anyMatch(line -> line.contains(outbox.name()) && line.contains("are taken for new"));
        rest.delete(outbox.name());
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void dividesKeysOverTasksAndReadsUponAnAnnouncement(Mode mode) throws SQLException {
        OutboxFixture outbox = OutboxFixture.of(cluster, "outbox_shards", mode);
        ConnectRest rest = cluster.rest(mode);
        Map<String, String> config = outbox.config(Map.of(
                "tasks.max", "2", "upstream.outbox.shards", "3", "upstream.outbox.notify.channel", "outbox_shards"));
        rest.create(outbox.name(), config);
        cluster.worker(mode).awaitRunning(outbox.name(), 2);
        try (Connection writer = outbox.writer()) {
            for (int i = 0; i < 300; i++) {
                outbox.insert(writer, i % 30 == 29 ? null : "key " + i % 30, Integer.toString(i));
                if (i % 7 == 6) {
                    writer.commit();
                }
            }
            writer.commit();
            outbox.postgres().execute("NOTIFY outbox_shards");
        }
        outbox.awaitRecords(300);
        outbox.awaitEmptyTable();
        assertThat(outbox.values()).hasSize(300).doesNotHaveDuplicates();
        for (int key = 0; key < 30; key++) {
            String name = key == 29 ? null : "key " + key;
            int first = key;
            assertThat(outbox.records().stream()
                            .filter(record -> Objects.equals(OutboxFixture.text(record.key()), name))
                            .map(record -> OutboxFixture.text(record.value())))
                    .as("key %s", name)
                    .isEqualTo(IntStream.range(0, 10)
                            .mapToObj(i -> Integer.toString(first + 30 * i))
                            .toList());
        }
        rest.delete(outbox.name());
    }
}
