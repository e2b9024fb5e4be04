package io.microbatch.connect.upstream.outbox;

import io.microbatch.connect.config.OutboxColumns;
import io.microbatch.connect.config.OutboxConfig;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.errors.ConnectException;

/**
 * What the catalog says about the outbox table: the problems, each with the statement that cures it, and the table if
 * there are none. One thread.
 */
final class TableInspection {

    private static final List<String> TIMESTAMPS =
            List.of("timestamp with time zone", "timestamp without time zone", "bigint");

    private final OutboxConfig config;
    private final List<Problem> problems = new ArrayList<>();
    private OutboxTable table;

    /** What is wrong, at the key of the setting that names it. */
    record Problem(String key, String text) {}

    /** A table of the catalog. */
    private record Relation(long oid, String schema, String name, String kind, boolean mayRead, boolean mayDelete) {
        String quoted() {
            return OutboxTable.quote(schema) + "." + OutboxTable.quote(name);
        }
    }

    /** A column of the catalog. */
    private record Column(
            int number, String type, boolean isRequired, String identity, String defaultValue, Long cached) {}

    private TableInspection(OutboxConfig config) {
        this.config = config;
    }

    /** Looks at the table that the configuration names. */
    static TableInspection of(OutboxConnection database, OutboxConfig config) throws SQLException {
        TableInspection inspection = new TableInspection(config);
        inspection.inspect(database);
        return inspection;
    }

    List<Problem> problems() {
        return problems;
    }

    /**
     * The table.
     *
     * @throws ConnectException with the first problem
     */
    OutboxTable table() {
        if (!problems.isEmpty()) {
            throw new ConnectException(problems.get(0).text());
        }
        return table;
    }

    private void inspect(OutboxConnection database) throws SQLException {
        String named = String.join(
                ".",
                List.of(config.table().split("\\.", -1)).stream()
                        .map(OutboxTable::quote)
                        .toList());
        List<Relation> found = database.all(
                "SELECT c.oid::bigint, n.nspname, c.relname, c.relkind::text, has_table_privilege(c.oid, 'SELECT'), "
                        + "has_table_privilege(c.oid, 'DELETE') FROM pg_class c JOIN pg_namespace n "
                        + "ON n.oid = c.relnamespace WHERE c.oid = to_regclass(?)::oid",
                row -> new Relation(
                        row.getLong(1),
                        row.getString(2),
                        row.getString(3),
                        row.getString(4),
                        row.getBoolean(5),
                        row.getBoolean(6)),
                named);
        if (found.isEmpty()) {
            problem(
                    OutboxConfig.TABLE_CONFIG,
                    "names a table that the database does not have, or that its user may "
                            + "not see: create it, or grant the user its schema");
            return;
        }
        Relation relation = found.get(0);
        if (!List.of("r", "p").contains(relation.kind())) {
            problem(OutboxConfig.TABLE_CONFIG, "must name a table, and not a view");
            return;
        }
        checkRights(relation);
        Map<String, Column> columns = columns(database, relation);
        checkColumns(relation, columns);
        if (problems.isEmpty()) {
            checkIndex(database, relation, columns.get(config.columns().seq()));
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

    private void problem(String key, String text) {
        problems.add(new Problem(key, key + " " + text));
    }

    private void checkRights(Relation relation) {
        if (!relation.mayRead()) {
            problem(
                    OutboxConfig.USER_CONFIG,
                    "may not read the table: GRANT SELECT ON " + relation.quoted() + " TO the user");
        }
        if (config.deletes() && !relation.mayDelete()) {
            problem(
                    OutboxConfig.USER_CONFIG,
                    "may not delete from the table: GRANT DELETE ON " + relation.quoted() + " TO the user, or set "
                            + OutboxConfig.AFTER_CONFIG + "=keep");
        }
    }

    private static Map<String, Column> columns(OutboxConnection database, Relation relation) throws SQLException {
        Map<String, Column> columns = new LinkedHashMap<>();
        database.all(
                "SELECT a.attname, a.attnum, format_type(a.atttypid, NULL), a.attnotnull, a.attidentity::text, "
                        + "pg_get_expr(d.adbin, d.adrelid), (SELECT s.seqcache FROM pg_sequence s WHERE s.seqrelid = "
                        + "pg_get_serial_sequence(?, a.attname)::regclass) FROM pg_attribute a LEFT JOIN pg_attrdef d "
                        + "ON d.adrelid = a.attrelid AND d.adnum = a.attnum WHERE a.attrelid = ?::oid AND a.attnum > 0 "
                        + "AND NOT a.attisdropped",
                row -> {
                    Column column = new Column(
                            row.getInt(2),
                            row.getString(3),
                            row.getBoolean(4),
                            row.getString(5),
                            row.getString(6),
                            row.getObject(7, Long.class));
                    return columns.put(row.getString(1), column);
                },
                relation.quoted(),
                relation.oid());
        return columns;
    }

    private void checkColumns(Relation relation, Map<String, Column> columns) {
        OutboxColumns names = config.columns();
        checkNamed(columns, OutboxColumns.ID_CONFIG, names.id());
        checkNamed(columns, OutboxColumns.KEY_CONFIG, names.key());
        checkNamed(columns, OutboxColumns.ROUTE_CONFIG, names.route());
        checkNamed(columns, OutboxColumns.PAYLOAD_CONFIG, names.payload());
        config.fields().forEach(field -> checkNamed(columns, OutboxConfig.FIELDS_CONFIG, field.column()));
        names.timestamp().ifPresent(name -> {
            Column column = columns.get(name);
            if (column == null || !TIMESTAMPS.contains(column.type())) {
                problem(
                        OutboxColumns.TIMESTAMP_CONFIG,
                        "must name a column of the type timestamptz, timestamp or bigint");
            }
        });
        String alter = ": ALTER TABLE " + relation.quoted();
        Column seq = columns.get(names.seq());
        String cure =
                alter + " ADD COLUMN " + OutboxTable.quote(names.seq()) + " bigint GENERATED ALWAYS AS IDENTITY UNIQUE";
        if (seq == null) {
            problem(OutboxColumns.SEQ_CONFIG, "names a column that the table does not have" + cure);
        } else if (!seq.type().equals("bigint") || !"a".equals(seq.identity())) {
            problem(OutboxColumns.SEQ_CONFIG, "must name a column that the database alone fills" + cure);
        } else if (seq.cached() == null || seq.cached() != 1) {
            problem(
                    OutboxColumns.SEQ_CONFIG,
                    "names a column whose numbers are cached by connections, so that they are in no order" + alter
                            + " ALTER COLUMN " + OutboxTable.quote(names.seq()) + " SET CACHE 1");
        }
        Column xid = columns.get(names.xid());
        if (xid == null
                || !xid.type().equals("xid8")
                || !xid.isRequired()
                || !"pg_current_xact_id()".equals(xid.defaultValue())) {
            problem(
                    OutboxColumns.XID_CONFIG,
                    "must name a column with the transaction that inserted the row" + alter + " ADD COLUMN "
                            + OutboxTable.quote(names.xid()) + " xid8 NOT NULL DEFAULT pg_current_xact_id()");
        }
    }

    private void checkNamed(Map<String, Column> columns, String key, String name) {
        if (!columns.containsKey(name)) {
            problem(key, "names a column that the table does not have");
        }
    }

    private void checkIndex(OutboxConnection database, Relation relation, Column seq) throws SQLException {
        long indexes = database.one(
                "SELECT count(*) FROM pg_index WHERE indrelid = ?::oid AND indisvalid AND indkey[0] = ?",
                row -> row.getLong(1),
                relation.oid(),
                seq.number());
        if (indexes == 0) {
            problem(
                    OutboxColumns.SEQ_CONFIG,
                    "needs an index, or every read would sort the whole table: CREATE UNIQUE INDEX ON "
                            + relation.quoted() + " ("
                            + OutboxTable.quote(config.columns().seq()) + ")");
        }
    }
}
