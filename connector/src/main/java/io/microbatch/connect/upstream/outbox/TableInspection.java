package io.microbatch.connect.upstream.outbox;

import io.microbatch.connect.config.OutboxColumns;
import io.microbatch.connect.config.OutboxConfig;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.errors.ConnectException;

/**
 * What the database says about the outbox table and about what the reader asks of it: the problems, each with the
 * statements that cure it, and the table if there are none. One thread.
 */
final class TableInspection {

    private static final String PARTITIONED = "p";

    /** The levels whose statements each have a new snapshot. PostgreSQL takes the second for the first. */
    private static final List<String> COMMITTED = List.of("read committed", "read uncommitted");

    /** The classes of failures that are not about what was asked: connections, resources, an operator. */
    private static final List<String> OF_CONNECTION = List.of("08", "53", "57");

    private final OutboxConfig config;
    private final Problems problems = new Problems();
    private final List<String> warnings = new ArrayList<>();
    private OutboxTable table;

    /**
     * A table of the catalog.
     *
     * @param kind as in {@code pg_class.relkind}
     * @param isHidden whether policies hide rows from the user
     * @param unlogged a part of the table that a crash empties, or the table itself, quoted. Null without one
     */
    private record Relation(
            long oid,
            String schema,
            String name,
            String kind,
            boolean mayRead,
            boolean mayDelete,
            boolean isHidden,
            String unlogged) {
        String quoted() {
            return OutboxTable.quote(schema) + "." + OutboxTable.quote(name);
        }
    }

    private TableInspection(OutboxConfig config) {
        this.config = config;
    }

    /** Looks at the table that the configuration names, and calls the functions that its reader calls. */
    static TableInspection of(OutboxConnection database, OutboxConfig config) throws SQLException {
        TableInspection inspection = new TableInspection(config);
        inspection.inspect(database);
        return inspection;
    }

    List<Problems.Problem> problems() {
        return problems.all();
    }

    /** What is slow, or what a writer must not do. It prevents nothing. */
    List<String> warnings() {
        return warnings;
    }

    /**
     * The table.
     *
     * @throws ConnectException with the first problem
     */
    OutboxTable table() {
        if (!problems.isEmpty()) {
            throw new ConnectException(problems.all().get(0).text());
        }
        return table;
    }

    private void inspect(OutboxConnection database) throws SQLException {
        if (database.one("SELECT to_regtype('xid8') IS NULL", row -> row.getBoolean(1))) {
            problems.add(OutboxConfig.URL_CONFIG, "names a server before PostgreSQL 13");
            return;
        }
        checkFunctions(database);
        checkIsolation(database);
        Relation relation = relation(database);
        if (relation == null) {
            problems.add(
                    OutboxConfig.TABLE_CONFIG,
                    "names a table that the database does not have, or that its user may "
                            + "not see: create it, or grant the user its schema");
            return;
        }
        if (!List.of("r", PARTITIONED).contains(relation.kind())) {
            problems.add(OutboxConfig.TABLE_CONFIG, "must name a table, and not a view");
            return;
        }
        checkRights(relation);
        checkStorage(relation);
        Map<String, ColumnInspection.Column> columns =
                ColumnInspection.of(database, config, problems, relation.quoted(), relation.oid());
        if (problems.isEmpty()) {
            checkIndexes(database, relation, columns);
            checkKeyChange(database, relation, columns);
        }
        if (problems.isEmpty()) {
            table = new OutboxTable(
                    config,
                    relation.schema(),
                    relation.name(),
                    columns.get(config.columns().payload()).type(),
                    config.columns()
                            .timestamp()
                            .map(column -> columns.get(column).type())
                            .orElse(null));
        }
    }

    /** A managed server may have a function and refuse the call, so that only the call tells. */
    private void checkFunctions(OutboxConnection database) throws SQLException {
        if (config.walCheck()) {
            checkCall(
                    database,
                    "SELECT pg_walfile_name(pg_current_wal_insert_lsn()), pg_current_wal_flush_lsn()",
                    OutboxConfig.WAL_CHECK_CONFIG,
                    "calls functions of the log unless it is false",
                    "pg_walfile_name(pg_lsn), pg_current_wal_insert_lsn(), pg_current_wal_flush_lsn()");
        } else {
            checkCall(
                    database,
                    "SELECT timeline_id FROM pg_control_checkpoint(), pg_control_recovery()",
                    OutboxConfig.USER_CONFIG,
                    "must be able to ask for the server's timeline",
                    "pg_control_checkpoint(), pg_control_recovery()");
        }
        checkCall(
                database,
                "SELECT system_identifier FROM pg_control_system()",
                OutboxConfig.USER_CONFIG,
                "must be able to ask for the server's identity",
                "pg_control_system()");
        if (config.shards() > 1) {
            checkCall(
                    database,
                    "SELECT md5('')",
                    OutboxConfig.SHARDS_CONFIG,
                    "divides keys by their md5 unless it is 1",
                    "md5(text)");
        }
    }

    /**
     * A statement of a higher level keeps the snapshot from before its wait for a lock. After an ALTER TABLE has
     * written the table again, it sees no row. The reader does not set the level, because other clients of a pooler
     * would get it.
     */
    private void checkIsolation(OutboxConnection database) throws SQLException {
        String level = database.one("SELECT current_setting('transaction_isolation')", row -> row.getString(1));
        if (!COMMITTED.contains(level)) {
            problems.add(
                    OutboxConfig.USER_CONFIG,
                    "has transactions of the level " + level + ", in which a page may be empty by mistake",
                    "ALTER ROLE " + user() + " SET default_transaction_isolation = 'read committed'");
        }
    }

    private void checkCall(OutboxConnection database, String call, String key, String what, String functions)
            throws SQLException {
        try {
            String ignored = database.one(call, row -> row.getString(1));
        } catch (SQLException e) {
            String state = String.valueOf(e.getSQLState());
            if (OF_CONNECTION.stream().anyMatch(state::startsWith)) {
                throw e;
            }
            problems.add(
                    key,
                    what + ", and the server refuses the call (SQLSTATE " + state + ")",
                    "GRANT EXECUTE ON FUNCTION " + functions + " TO " + user());
        }
    }

    private String user() {
        return OutboxTable.quote(config.user());
    }

    /** Null if there is none. */
    private Relation relation(OutboxConnection database) throws SQLException {
        String named = String.join(
                ".",
                List.of(config.table().split("\\.", -1)).stream()
                        .map(OutboxTable::quote)
                        .toList());
        List<Relation> found = database.all(
                "SELECT c.oid::bigint, n.nspname, c.relname, c.relkind::text, has_table_privilege(c.oid, 'SELECT'), "
                        + "has_table_privilege(c.oid, 'DELETE'), row_security_active(c.oid), "
                        + "(SELECT min(format('%s.%I', u.relnamespace::regnamespace, u.relname)) FROM pg_class u "
                        + "WHERE u.relkind = 'r' AND u.relpersistence <> 'p' AND (u.oid = c.oid OR u.oid IN "
                        + "(SELECT relid FROM pg_partition_tree(c.oid)))) FROM pg_class c "
                        + "JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = to_regclass(?)::oid",
                row -> new Relation(
                        row.getLong(1),
                        row.getString(2),
                        row.getString(3),
                        row.getString(4),
                        row.getBoolean(5),
                        row.getBoolean(6),
                        row.getBoolean(7),
                        row.getString(8)),
                named);
        return found.isEmpty() ? null : found.get(0);
    }

    private void checkRights(Relation relation) {
        if (!relation.mayRead()) {
            problems.add(
                    OutboxConfig.USER_CONFIG,
                    "may not read the table",
                    "GRANT SELECT ON " + relation.quoted() + " TO " + user());
        }
        if (config.deletes() && !relation.mayDelete()) {
            problems.add(
                    OutboxConfig.USER_CONFIG,
                    "may not delete from the table, and " + OutboxConfig.AFTER_CONFIG + " is not keep",
                    "GRANT DELETE ON " + relation.quoted() + " TO " + user());
        }
    }

    private void checkStorage(Relation relation) {
        if (relation.unlogged() != null) {
            problems.add(
                    OutboxConfig.TABLE_CONFIG,
                    "names a table that a crash of the database empties",
                    "ALTER TABLE " + relation.unlogged() + " SET LOGGED");
        }
        if (relation.isHidden()) {
            problems.add(
                    OutboxConfig.TABLE_CONFIG,
                    "names a table with policies that may hide rows from the user, who does not have BYPASSRLS",
                    "ALTER TABLE " + relation.quoted() + " DISABLE ROW LEVEL SECURITY");
        }
    }

    private void checkIndexes(
            OutboxConnection database, Relation relation, Map<String, ColumnInspection.Column> columns)
            throws SQLException {
        String seq = config.columns().seq();
        String xid = config.columns().xid();
        // A unique index of a partitioned table would need the columns of its partitions, too.
        boolean isPartitioned = relation.kind().equals(PARTITIONED);
        if (!hasIndex(database, relation, columns.get(seq).number(), !isPartitioned)) {
            problems.add(
                    OutboxColumns.SEQ_CONFIG,
                    "needs an index, or every read would sort the whole table, and equal numbers would lose rows",
                    (isPartitioned ? "CREATE INDEX ON " : "CREATE UNIQUE INDEX ON ") + on(relation, seq));
        }
        if (!config.deletes() && !hasIndex(database, relation, columns.get(xid).number(), false)) {
            warnings.add(OutboxConfig.AFTER_CONFIG + "=keep without an index on " + OutboxTable.quote(xid)
                    + " reads every row that was kept, each time: CREATE INDEX ON " + on(relation, xid));
        }
    }

    /**
     * A change of the key may move a row into a shard that has read beyond the row's transaction. Only a new
     * transaction makes the row new there. A table without the trigger is accepted: perhaps nobody changes its keys.
     */
    private void checkKeyChange(
            OutboxConnection database, Relation relation, Map<String, ColumnInspection.Column> columns)
            throws SQLException {
        String key = config.columns().key();
        String xid = config.columns().xid();
        if (config.shards() == 1 || renews(database, relation, columns.get(key).number(), xid)) {
            return;
        }
        String column = OutboxTable.quote(xid);
        String name = OutboxTable.quote(relation.name() + "_key");
        String function = OutboxTable.quote(relation.schema()) + "." + name;
        warnings.add(OutboxConfig.SHARDS_CONFIG + " is above 1, and no trigger renews " + column + " when "
                + OutboxTable.quote(key) + " changes. A row whose key is changed may then be in a shard that takes it "
                + "for read, and be lost, unless the statement also sets " + column + " = DEFAULT. These statements "
                + "add the trigger: CREATE FUNCTION " + function + "() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
                + "NEW." + column + " := pg_current_xact_id(); RETURN NEW; END $$; CREATE TRIGGER " + name
                + " BEFORE UPDATE ON " + relation.quoted() + " FOR EACH ROW WHEN (" + hashed("OLD", key)
                + " IS DISTINCT FROM " + hashed("NEW", key) + ") EXECUTE FUNCTION " + function + "(); ALTER TABLE "
                + relation.quoted() + " ENABLE ALWAYS TRIGGER " + name);
    }

    /** What decides on a row's shard, so that keys that are equal for the database alone differ. */
    private static String hashed(String row, String key) {
        return "md5(" + row + "." + OutboxTable.quote(key) + "::text)";
    }

    /** Whether a trigger that sees changes of the key names the column of the transaction. */
    private static boolean renews(OutboxConnection database, Relation relation, int key, String xid)
            throws SQLException {
        // The bits of tgtype are 1 for each row, 2 for before and 16 for UPDATE.
        long triggers = database.one(
                "SELECT count(*) FROM pg_trigger g JOIN pg_proc p ON p.oid = g.tgfoid WHERE g.tgrelid = ?::oid "
                        + "AND g.tgenabled IN ('O', 'A') AND g.tgtype & 19 = 19 "
                        + "AND (cardinality(g.tgattr::int2[]) = 0 OR ? = ANY(g.tgattr::int2[])) "
                        + "AND strpos(p.prosrc, ?) > 0",
                row -> row.getLong(1),
                relation.oid(),
                key,
                xid);
        return triggers > 0;
    }

    private static String on(Relation relation, String column) {
        return relation.quoted() + " (" + OutboxTable.quote(column) + ")";
    }

    /** Whether rows can be read in the order of a column, and whether they differ in it if they must. */
    private static boolean hasIndex(OutboxConnection database, Relation relation, int column, boolean isUnique)
            throws SQLException {
        long indexes = database.one(
                "SELECT count(*) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am m "
                        + "ON m.oid = c.relam WHERE i.indrelid = ?::oid AND i.indisvalid AND i.indpred IS NULL "
                        + "AND m.amname = 'btree' AND i.indkey[0] = ? "
                        + "AND (NOT ?::boolean OR (i.indisunique AND i.indnkeyatts = 1))",
                row -> row.getLong(1),
                relation.oid(),
                column,
                isUnique);
        return indexes > 0;
    }
}
