package io.microbatch.connect.upstream.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.config.OutboxConfig;
import io.microbatch.connect.it.OutboxPage;
import java.io.IOException;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rows of several shards whose key is changed, so that another shard has them, which has read beyond them. */
@Timeout(180)
class OutboxKeyChangeIT {

    private static final Map<String, String> SHARDS = Map.of("shards", "2");

    private static OutboxDatabase database;

    private final Map<Map<String, ?>, Map<String, Object>> committed = new HashMap<>();

    @BeforeAll
    static void start() {
        database = new OutboxDatabase("outbox-key-change", Map.of());
    }

    @AfterAll
    static void stop() {
        database.close();
    }

    private static void create(String table) throws IOException {
        database.postgres()
                .execute(
                        OutboxPage.sql("table").replace("outboxevent", table),
                        "GRANT SELECT, DELETE ON " + table + " TO relay");
    }

    private static String key(int shard) throws SQLException {
        return database.query("SELECT i FROM generate_series(1, 100) i WHERE "
                        + "('x' || substr(md5(i::text), 1, 8))::bit(32)::bigint % 2 = " + shard)
                .get(0);
    }

    private static long rows(String table) {
        return RunningReader.number(database.postgres(), "SELECT count(*) FROM " + table);
    }

    private RunningReader reader(String table) {
        return new RunningReader(
                RunningReader.config(database.postgres(), database.postgres().jdbcUrl(), table, SHARDS), committed);
    }

    /**
     * Lets a row of shard 1 be refused behind a row of shard 0 that Kafka gets, corrects it with a statement that gives
     * it a key of shard 0, and checks that it is read once and not deleted before.
     *
     * @param change what the statement sets besides the key
     */
    private void readsOnce(String table, String change) throws InterruptedException, SQLException {
        String insert = "INSERT INTO " + table + " (id, aggregatetype, aggregateid, type, payload) VALUES "
                + "(gen_random_uuid(), '%s', '%s', 'Paid', '\"%s\"')";
        database.postgres()
                .execute(
                        insert.formatted("no topic", key(1), "moved"), insert.formatted("orders", key(0), "delivered"));
        try (RunningReader reader = reader(table).start()) {
            reader.fetchEvents(2);
            assertThat(reader.values()).containsExactly("\"delivered\"", "\"moved\"");
            // Kafka has it, but the reader was gone before it knew.
            committed.put(
                    reader.seen().get(0).sourcePartition(),
                    new HashMap<>(reader.seen().get(0).sourceOffset()));
        }
        database.postgres()
                .execute("UPDATE " + table + " SET aggregatetype = 'orders', aggregateid = '" + key(0) + "'" + change
                        + " WHERE seq = 1");
        try (RunningReader reader = reader(table).start()) {
            reader.fetchUntil(() -> rows(table) < 2, () -> rows(table) + " rows");
            assertThat(database.query("SELECT payload FROM " + table))
                    .as("not deleted before it is delivered")
                    .containsExactly("\"moved\"");
            reader.fetchEvents(1).settle();
            reader.fetchUntil(() -> rows(table) == 0, () -> rows(table) + " rows");
            assertThat(reader.values()).containsExactly("\"moved\"");
        }
    }

    @Test
    void losesNoRowWhoseKeyAnOperatorCorrects() throws IOException, InterruptedException, SQLException {
        create("corrected");
        readsOnce("corrected", ", xid = DEFAULT");
    }

    @Test
    void losesNoRowWhoseKeyAWriterChanges() throws IOException, InterruptedException, SQLException {
        create("rewritten");
        database.postgres().execute(OutboxPage.sql("several shards").replace("outboxevent", "rewritten"));
        readsOnce("rewritten", "");
    }

    /** The statements of the page, and those of the warning, which know other names. */
    @Test
    void warnsOfSeveralShardsWithoutATriggerThatRenewsTransactions() throws IOException, SQLException {
        create("several");
        assertThat(warnings("several", Map.of())).isEmpty();
        assertThat(warnings("several", SHARDS))
                .singleElement()
                .asString()
                .contains("upstream.outbox.shards", "\"aggregateid\"", "\"xid\" = DEFAULT");
        database.postgres().execute(OutboxPage.sql("several shards").replace("outboxevent", "several"));
        assertThat(warnings("several", SHARDS)).isEmpty();
        for (String disabled : List.of("DISABLE", "ENABLE REPLICA")) {
            database.postgres().execute("ALTER TABLE several " + disabled + " TRIGGER several_key");
            assertThat(warnings("several", SHARDS)).as(disabled).hasSize(1);
        }
        for (String column : List.of("payload", "aggregateid")) {
            database.postgres()
                    .execute("CREATE TRIGGER of_" + column + " BEFORE UPDATE OF " + column + " ON several FOR EACH ROW "
                            + "EXECUTE FUNCTION several_xid()");
            assertThat(warnings("several", SHARDS)).as(column).hasSize(column.equals("payload") ? 1 : 0);
        }

        database.postgres()
                .execute(
                        "CREATE TABLE \"other Names\" (id int, aggregatetype text, \"the Key\" numeric, payload text, "
                                + "seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE, "
                                + "\"the Xid\" xid8 NOT NULL DEFAULT pg_current_xact_id())",
                        "GRANT SELECT, DELETE ON \"other Names\" TO relay",
                        "CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
                        "CREATE TRIGGER touch BEFORE UPDATE ON \"other Names\" FOR EACH ROW EXECUTE FUNCTION touch()");
        Map<String, String> names = Map.of("shards", "2", "column.key", "the Key", "column.xid", "the Xid");
        List<String> warnings = warnings("other Names", names);
        assertThat(warnings).hasSize(1);
        String text = warnings.get(0);
        database.postgres().execute(text.substring(text.indexOf(": ") + 2));
        assertThat(warnings("other Names", names)).as(text).isEmpty();

        database.postgres().execute("INSERT INTO \"other Names\" (id, \"the Key\") VALUES (1, 1.0)");
        for (String change : List.of("\"the Key\" = 1.0, id = 2", "\"the Key\" = 1.00", "\"the Key\" = NULL")) {
            String before = xid();
            database.postgres().execute("UPDATE \"other Names\" SET " + change);
            assertThat(xid().equals(before)).as(change).isEqualTo(change.endsWith("2"));
        }
    }

    private static String xid() throws SQLException {
        return database.query("SELECT \"the Xid\" FROM \"other Names\"").get(0);
    }

    private static List<String> warnings(String table, Map<String, String> settings) throws SQLException {
        OutboxConfig config = database.config(table, settings);
        try (OutboxConnection connection = OutboxConnection.open(config, "test", 30)) {
            return TableInspection.of(connection, config).warnings();
        }
    }
}
