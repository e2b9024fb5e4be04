package io.microbatch.connect.upstream.outbox;

import io.microbatch.connect.config.OutboxColumns;
import io.microbatch.connect.config.OutboxConfig;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the catalog says about the columns of an outbox table, and the statements that cure them. One thread. */
final class ColumnInspection {

    private static final List<String> TIMESTAMPS =
            List.of("timestamp with time zone", "timestamp without time zone", "bigint");

    private static final List<String> INTEGERS = List.of("bigint", "integer", "smallint");
    private static final String IDENTITY = " bigint GENERATED ALWAYS AS IDENTITY UNIQUE";
    private static final String TRANSACTION = "pg_current_xact_id()";

    /** The name of a column that is added because one of the given name is for something else. */
    private static final String OWN = "_relay";

    private final OutboxConfig config;
    private final OutboxColumns names;
    private final Problems problems;
    private final String table;
    private final Map<String, Column> columns;

    /**
     * A column of the catalog.
     *
     * @param identity {@code a} for numbers that the database alone gives, {@code d} for those that a writer may set
     * @param ownedSequence the sequence that a serial column owns, quoted. Null without one
     * @param numbers how the column is numbered. Null if it has no identity
     */
    record Column(
            int number,
            String type,
            boolean isRequired,
            String identity,
            String defaultValue,
            String ownedSequence,
            Numbers numbers) {

        boolean isIdentity() {
            return numbers != null;
        }

        boolean isSerial() {
            return !isIdentity()
                    && ownedSequence != null
                    && defaultValue != null
                    && defaultValue.startsWith("nextval(")
                    && INTEGERS.contains(type);
        }
    }

    /** The options of a column's sequence. */
    record Numbers(long cache, long increment, boolean isCycle) {}

    private ColumnInspection(OutboxConfig config, Problems problems, String table, Map<String, Column> columns) {
        this.config = config;
        this.names = config.columns();
        this.problems = problems;
        this.table = table;
        this.columns = columns;
    }

    /**
     * Looks at the columns, and adds what is wrong with those that the configuration names.
     *
     * @param table the table's quoted name
     * @param oid its identity in the catalog
     * @return all columns by name
     */
    static Map<String, Column> of(
            OutboxConnection database, OutboxConfig config, Problems problems, String table, long oid)
            throws SQLException {
        Map<String, Column> columns = read(database, table, oid);
        ColumnInspection inspection = new ColumnInspection(config, problems, table, columns);
        inspection.checkNamed();
        inspection.checkSeq();
        inspection.checkXid();
        return columns;
    }

    private static Map<String, Column> read(OutboxConnection database, String table, long oid) throws SQLException {
        Map<String, Column> columns = new LinkedHashMap<>();
        // A serial column that became an identity may own two sequences: only the internal one numbers it.
        List<Column> ignored = database.all(
                "SELECT a.attname, a.attnum, format_type(a.atttypid, NULL), a.attnotnull, a.attidentity::text, "
                        + "pg_get_expr(d.adbin, d.adrelid), pg_get_serial_sequence(?, a.attname), s.seqcache, "
                        + "s.seqincrement, s.seqcycle FROM pg_attribute a LEFT JOIN pg_attrdef d "
                        + "ON d.adrelid = a.attrelid AND d.adnum = a.attnum LEFT JOIN LATERAL (SELECT q.* "
                        + "FROM pg_depend p JOIN pg_sequence q ON q.seqrelid = p.objid WHERE p.deptype = 'i' "
                        + "AND p.classid = 'pg_class'::regclass AND p.refclassid = 'pg_class'::regclass "
                        + "AND p.refobjid = a.attrelid AND p.refobjsubid = a.attnum LIMIT 1) s ON true "
                        + "WHERE a.attrelid = ?::oid AND a.attnum > 0 AND NOT a.attisdropped",
                row -> {
                    long cache = row.getLong(8);
                    Numbers numbers = row.wasNull() ? null : new Numbers(cache, row.getLong(9), row.getBoolean(10));
                    Column column = new Column(
                            row.getInt(2),
                            row.getString(3),
                            row.getBoolean(4),
                            row.getString(5),
                            row.getString(6),
                            row.getString(7),
                            numbers);
                    columns.put(row.getString(1), column);
                    return column;
                },
                table,
                oid);
        return columns;
    }

    private void checkNamed() {
        checkNamed(OutboxColumns.ID_CONFIG, names.id());
        checkNamed(OutboxColumns.KEY_CONFIG, names.key());
        checkNamed(OutboxColumns.ROUTE_CONFIG, names.route());
        checkNamed(OutboxColumns.PAYLOAD_CONFIG, names.payload());
        config.fields().forEach(field -> checkNamed(OutboxConfig.FIELDS_CONFIG, field.column()));
        names.timestamp().ifPresent(name -> {
            Column column = columns.get(name);
            if (column == null || !TIMESTAMPS.contains(column.type())) {
                problems.add(
                        OutboxColumns.TIMESTAMP_CONFIG,
                        "must name a column of the type timestamptz, timestamp or bigint");
            }
        });
    }

    private void checkNamed(String key, String name) {
        if (!columns.containsKey(name)) {
            problems.add(key, "names a column that the table does not have");
        }
    }

    private void checkSeq() {
        String key = OutboxColumns.SEQ_CONFIG;
        Column seq = columns.get(names.seq());
        String quoted = OutboxTable.quote(names.seq());
        if (seq == null) {
            problems.add(key, "names a column that the table does not have", add(quoted, IDENTITY));
        } else if (seq.isIdentity()) {
            checkNumbers(seq, quoted);
        } else if (seq.isSerial()) {
            problems.add(
                    key,
                    "names a column that writers may set, and the database alone must number the rows",
                    alter(ofSerial(seq, quoted)) + "; DROP SEQUENCE " + seq.ownedSequence() + "; "
                            + alter(column(quoted, "ADD GENERATED ALWAYS AS IDENTITY")) + "; " + numberAbove(quoted));
        } else {
            String own = OutboxTable.quote(names.seq() + OWN);
            problems.add(
                    key,
                    "names a column that writers set, and the database alone must number the rows. Name a column of "
                            + "its own, such as " + own,
                    add(own, IDENTITY));
        }
    }

    private static String ofSerial(Column seq, String quoted) {
        String options = column(quoted, "DROP DEFAULT") + ", " + column(quoted, "SET NOT NULL");
        return seq.type().equals("bigint") ? options : options + ", " + column(quoted, "TYPE bigint");
    }

    /** The numbers of an identity must be ascending and different, or they are no order. */
    private void checkNumbers(Column seq, String quoted) {
        List<String> reasons = new ArrayList<>();
        List<String> cures = new ArrayList<>();
        if (!seq.type().equals("bigint")) {
            reasons.add("is no bigint");
            cures.add(column(quoted, "TYPE bigint"));
        }
        if (!"a".equals(seq.identity())) {
            reasons.add("may be set by writers");
            cures.add(column(quoted, "SET GENERATED ALWAYS"));
        }
        if (seq.numbers().cache() != 1) {
            reasons.add("is cached by connections");
            cures.add(column(quoted, "SET CACHE 1"));
        }
        if (seq.numbers().isCycle()) {
            reasons.add("may begin again");
            cures.add(column(quoted, "SET NO CYCLE"));
        }
        boolean isDescending = seq.numbers().increment() < 0;
        if (isDescending) {
            reasons.add("descends");
            cures.add(column(quoted, "SET INCREMENT BY 1 SET NO MAXVALUE"));
        }
        if (!reasons.isEmpty()) {
            String cure = alter(String.join(", ", cures));
            problems.add(
                    OutboxColumns.SEQ_CONFIG,
                    "names a column whose number " + String.join(", ", reasons) + ", so that it is no order",
                    isDescending ? cure + "; " + numberAbove(quoted) : cure);
        }
    }

    private void checkXid() {
        String key = OutboxColumns.XID_CONFIG;
        Column xid = columns.get(names.xid());
        String quoted = OutboxTable.quote(names.xid());
        String type = " xid8 NOT NULL DEFAULT " + TRANSACTION;
        String what = "must name a column with the transaction that inserted the row";
        if (xid == null) {
            problems.add(key, what, add(quoted, type));
        } else if (!xid.type().equals("xid8")) {
            String own = OutboxTable.quote(names.xid() + OWN);
            problems.add(key, what + ". Name a column of its own, such as " + own, add(own, type));
        } else {
            List<String> cures = new ArrayList<>();
            if (!TRANSACTION.equals(xid.defaultValue())) {
                cures.add(alter(column(quoted, "SET DEFAULT " + TRANSACTION)));
            }
            if (!xid.isRequired()) {
                cures.add("UPDATE " + table + " SET " + quoted + " = DEFAULT WHERE " + quoted + " IS NULL");
                cures.add(alter(column(quoted, "SET NOT NULL")));
            }
            if (!cures.isEmpty()) {
                problems.add(key, what, String.join("; ", cures));
            }
        }
    }

    private String add(String quoted, String type) {
        return alter("ADD COLUMN " + quoted + type);
    }

    private String alter(String options) {
        return "ALTER TABLE " + table + " " + options;
    }

    private static String column(String quoted, String option) {
        return "ALTER COLUMN " + quoted + " " + option;
    }

    /** The statement that lets an identity continue above every number of the table. */
    private String numberAbove(String quoted) {
        return "SELECT setval(pg_get_serial_sequence(" + literal(table) + ", " + literal(names.seq())
                + "), greatest((SELECT max(" + quoted + ") FROM " + table + "), 1))";
    }

    private static String literal(String text) {
        return "'" + text.replace("'", "''") + "'";
    }
}
