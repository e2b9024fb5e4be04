package io.microbatch.connect.upstream.outbox;

import io.microbatch.connect.config.OutboxColumns;
import io.microbatch.connect.config.OutboxConfig;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** The statements for one outbox table, from names that the catalog has. Immutable; any thread. */
final class OutboxTable {

    /** A statement reads about this many bytes, and one row more. */
    static final int PAGE_BYTES = 8 * 1024 * 1024;

    /** The longest wait of a deletion for a row that somebody has locked since the statement began. */
    private static final int LOCK_LIMIT_MS = 50;

    /** The longest time of a deletion, for which no row is read. */
    private static final int DELETE_LIMIT_S = 5;

    /** The column behind those that every page has. */
    private static final int FIRST_FIELD = 11;

    private final OutboxConfig config;
    private final String name;
    private final String quoted;
    private final String identity;
    private final boolean isBytes;

    /** The condition that selects a shard. Empty with one shard. */
    private final String ofShard;

    private final String rows;

    /** How the server tells its timeline, which changes when a standby takes over. */
    enum Timeline {
        /** From the name of the log file. */
        OF_LOG("substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8)"),
        /**
         * From the control file, for servers that do not show their log. The checkpoint's timeline is the old one until
         * the first checkpoint after a promotion, and the recovery's is 0 after it.
         */
        OF_CONTROL_FILE("lpad(upper(to_hex(greatest((SELECT timeline_id FROM pg_control_checkpoint()), "
                + "(SELECT min_recovery_end_timeline FROM pg_control_recovery())))), 8, '0')");

        private final String expression;

        Timeline(String expression) {
            this.expression = expression;
        }

        static Timeline of(OutboxConfig config) {
            return config.walCheck() ? OF_LOG : OF_CONTROL_FILE;
        }

        /**
         * An expression that tells where ids of transactions mean the same: {@code <system>/<timeline>/<database>}. The
         * timeline of a standby is {@link OutboxConnection#STANDBY}.
         */
        String identity() {
            return "concat_ws('/', (SELECT system_identifier FROM pg_control_system()), CASE WHEN pg_is_in_recovery() "
                    + "THEN '" + OutboxConnection.STANDBY + "' ELSE " + expression
                    + " END, (SELECT oid FROM pg_database WHERE datname = current_database()))";
        }
    }

    /**
     * Writes the statements.
     *
     * @param schema the table's schema
     * @param table the table's name in it
     * @param payloadType the type of the payload's column, as the catalog names it
     * @param timestampType the type of the timestamp's column. Null without one
     */
    OutboxTable(OutboxConfig config, String schema, String table, String payloadType, String timestampType) {
        this.config = config;
        this.name = schema + "." + table;
        this.quoted = quote(schema) + "." + quote(table);
        this.identity = "concat_ws('/', " + Timeline.of(config).identity() + ", to_regclass('"
                + quoted.replace("'", "''") + "')::oid)";
        this.isBytes = payloadType.equals("bytea");
        this.ofShard = config.shards() == 1
                ? ""
                : " AND coalesce(('x' || substr(md5(" + quote(config.columns().key())
                        + "::text), 1, 8))::bit(32)::bigint, 0) % " + config.shards() + " = ?";
        this.rows = rows(timestampType);
    }

    static String quote(String identifier) {
        return '"' + identifier.replace("\"", "\"\"") + '"';
    }

    private String rows(String timestampType) {
        OutboxColumns columns = config.columns();
        String seq = quote(columns.seq());
        String xid = quote(columns.xid());
        String payload = quote(columns.payload());
        StringBuilder inner = new StringBuilder("SELECT " + seq + " AS seq, " + xid + "::text AS xid, "
                + quote(columns.id()) + "::text AS id, " + quote(columns.key()) + "::text AS key, "
                + quote(columns.route()) + "::text AS route, " + payload + " AS stored, coalesce(pg_column_size("
                + payload + "), 0) AS size");
        StringBuilder outer = new StringBuilder();
        StringBuilder nulls = new StringBuilder();
        StringBuilder others = new StringBuilder("0::bigint");
        List.of("id", "key", "route").forEach(column -> others.append(plusLength(column)));
        columns.timestamp().ifPresent(column -> {
            inner.append(", ")
                    .append(milliseconds(quote(column), timestampType))
                    .append(" AS at");
            outer.append(", at");
            nulls.append(", NULL AS at");
        });
        for (int i = 0; i < config.fields().size(); i++) {
            inner.append(", ")
                    .append(quote(config.fields().get(i).column()))
                    .append("::text AS f")
                    .append(i);
            outer.append(", ").append(readable("f" + i));
            nulls.append(", NULL AS f").append(i);
            others.append(plusLength("f" + i));
        }
        // The table's name keeps an alias above from being meant.
        inner.append(" FROM ")
                .append(quoted)
                .append(" t WHERE NOT pg_visible_in_snapshot(" + xid + ", ?) AND " + xid
                        + " >= pg_snapshot_xmin(?) AND pg_visible_in_snapshot(" + xid + ", ?) AND " + seq + " > ?")
                .append(ofShard)
                .append(" ORDER BY t." + seq + " LIMIT ?");
        // The limits keep us from a page of 2,000 large payloads, and the server from making the texts of more payloads
        // than that: their stored sizes are known without reading them. What is left out of a page is behind everything
        // that is in it. OFFSET 0 keeps the server from making a text twice, and the orders from sorting again.
        String summed = "SELECT r.*, sum(size) OVER (ORDER BY seq ROWS UNBOUNDED PRECEDING) AS stored_total FROM ("
                + inner + ") r";
        String bounded = "SELECT b.*, stored" + (isBytes ? "" : "::text") + " AS payload FROM (" + summed
                + ") b WHERE stored_total - size < " + PAGE_BYTES + " ORDER BY seq OFFSET 0";
        String measured = "SELECT p.*, coalesce(octet_length(payload), 0) AS bytes, " + others + " AS others FROM ("
                + bounded + ") p ORDER BY seq OFFSET 0";
        String max = Integer.toString(config.maxPayloadBytes());
        // An int, so that the sum is a bigint and not a numeric, which is slower.
        String counted = "(least(bytes, " + max + ") + least(others, " + max + ")::int)";
        String page = "SELECT m.*, sum(" + counted + ") OVER (ORDER BY seq ROWS UNBOUNDED PRECEDING) AS total FROM ("
                + measured + ") m";
        // The first line names the server, also if there is no row.
        return "SELECT " + identity + " AS server, NULL AS is_cut, NULL AS seq, NULL AS xid, NULL AS id, NULL AS key, "
                + "NULL AS route, NULL AS payload, NULL AS bytes, NULL AS others"
                + nulls
                + " UNION ALL SELECT NULL, stored_total >= " + PAGE_BYTES + " OR total >= " + PAGE_BYTES
                + ", seq, xid, " + readable("id") + ", " + readable("key") + ", " + readable("route")
                + ", CASE WHEN bytes <= " + max + " THEN payload END, bytes, others" + outer + " FROM (" + page
                + ") s WHERE total - " + counted + " < "
                + PAGE_BYTES;
    }

    /** Adds the length of a text. */
    private static String plusLength(String column) {
        return " + coalesce(octet_length(" + column + "), 0)";
    }

    /** A text of a row, unless the row's texts are too large: a key or a route may be as large as a payload. */
    private String readable(String column) {
        return "CASE WHEN others <= " + config.maxPayloadBytes() + " THEN " + column + " END";
    }

    /** A column's milliseconds since 1970. Infinity is none of them, and a cast of it would fail the statement. */
    private static String milliseconds(String column, String type) {
        return type.equals("bigint")
                ? column
                : "CASE WHEN isfinite(" + column + ") THEN (extract(epoch FROM " + column + ") * 1000)::bigint WHEN "
                        + column + " IS NOT NULL THEN " + Long.MIN_VALUE + " END";
    }

    /** Schema and table, for people and for source partitions. */
    String name() {
        return name;
    }

    /**
     * An expression that names the server, its timeline, the database and the table. Ids of transactions mean the same
     * only while it is equal.
     */
    String identity() {
        return identity;
    }

    /** What a row has, in the order of the statement. */
    private OutboxRow row(ResultSet row) throws SQLException {
        int column = FIRST_FIELD;
        Long timestampMs = null;
        if (config.columns().timestamp().isPresent()) {
            long value = row.getLong("at");
            timestampMs = row.wasNull() ? null : value;
            column++;
        }
        List<String> fields = new ArrayList<>(config.fields().size());
        for (int i = 0; i < config.fields().size(); i++) {
            fields.add(row.getString(column + i));
        }
        return new OutboxRow(
                row.getLong(3),
                Long.parseLong(row.getString(4)),
                row.getString(5),
                row.getString(6),
                row.getString(7),
                isBytes ? row.getBytes(8) : row.getString(8),
                isBytes,
                row.getInt(9),
                row.getLong(10),
                timestampMs,
                fields);
    }

    /** All rows of a query of which one names the server, in its first column that is null in the others. */
    private static <T> List<T> checked(
            OutboxConnection database,
            String sql,
            String server,
            OutboxConnection.RowReader<T> reader,
            Object... parameters)
            throws SQLException {
        List<T> rows = database.all(
                sql,
                row -> {
                    String answered = row.getString(1);
                    if (answered == null) {
                        return reader.read(row);
                    }
                    if (!answered.equals(server)) {
                        throw new OtherServerException();
                    }
                    return null;
                },
                parameters);
        boolean ignored = rows.remove(null);
        return rows;
    }

    /**
     * Rows in the order of their numbers.
     *
     * @param hasMore whether there may be more of them in the interval
     */
    record Page(List<OutboxRow> rows, boolean hasMore) {}

    /**
     * Reads the next rows of a position's interval, this many at most, and about {@link #PAGE_BYTES}.
     *
     * @throws OtherServerException if it is not the server of the position
     */
    Page page(OutboxConnection database, OutboxPosition position, int shard, int limit) throws SQLException {
        Object[] parameters = config.shards() == 1
                ? new Object[] {position.from(), position.from(), position.to(), position.seq(), limit}
                : new Object[] {position.from(), position.from(), position.to(), position.seq(), (long) shard, limit};
        boolean[] isCut = {false};
        List<OutboxRow> found = checked(
                database,
                rows,
                position.server(),
                row -> {
                    isCut[0] |= row.getBoolean(2);
                    return row(row);
                },
                parameters);
        // The statement has them in this order, but UNION ALL promises none.
        found.sort(Comparator.comparingLong(OutboxRow::seq));
        return new Page(found, isCut[0] || found.size() >= limit);
    }

    /**
     * What a deletion has done.
     *
     * @param rows how many it has deleted
     * @param remaining the rows that are still there, because somebody has locked them, or had
     */
    record Deleted(int rows, List<RowId> remaining) {}

    /**
     * Deletes these rows. A lock of somebody else fails it after {@link #LOCK_LIMIT_MS}. If two have the same number,
     * the later one is deleted: numbers are unique, so that the earlier one is not there any more.
     *
     * @param rows in the order of their delivery
     * @param locked whether rows are deleted that are marked as locked, now or once. Others cannot be told from them
     * @throws OtherServerException if it is not this server, as far as that counts
     */
    Deleted delete(OutboxConnection database, List<RowId> rows, String server, boolean locked) throws SQLException {
        String seq = quote(config.columns().seq());
        String xid = quote(config.columns().xid());
        // Keeps the order of equal numbers.
        List<RowId> sorted =
                rows.stream().sorted(Comparator.comparingLong(RowId::seq)).toList();
        Long[] numbers = sorted.stream().map(RowId::seq).toArray(Long[]::new);
        String xids = sorted.stream().map(row -> Long.toString(row.xid())).collect(Collectors.joining(",", "{", "}"));
        // A join would be left to the planner, which does not know how many rows these are. The bucket of a number
        // among the numbers is its place, or the last one of equal numbers.
        String these = quoted + " t WHERE t." + seq + " = ANY(?) AND t." + xid + " = (?::xid8[])[width_bucket(t." + seq
                + ", ?)]";
        // FOR UPDATE SKIP LOCKED would need the right to update. A row that nobody has ever locked has no xmax.
        String sql = "DELETE FROM " + these + (locked ? "" : " AND t.xmax = '0'::xid")
                + " AND (SELECT set_config('lock_timeout', '" + LOCK_LIMIT_MS + "', true)) IS NOT NULL AND (SELECT "
                + identity + ") = ? RETURNING t." + seq;
        int deleted = database.allWithin(DELETE_LIMIT_S, sql, row -> row.getLong(1), numbers, xids, numbers, server)
                .size();
        if (deleted == rows.size()) {
            return new Deleted(deleted, List.of());
        }
        // A writer may have deleted the others, or it is another server.
        String rest = "SELECT " + identity + " AS server, NULL AS seq, NULL AS xid UNION ALL SELECT NULL, t." + seq
                + ", t." + xid + "::text FROM " + these;
        return new Deleted(deleted, checked(database, rest, server, OutboxTable::rowId, numbers, xids, numbers));
    }

    private static RowId rowId(ResultSet row) throws SQLException {
        return new RowId(row.getLong(2), Long.parseLong(row.getString(3)));
    }

    /**
     * The rows of a shard that were read when the task started.
     *
     * @param lookedUpTo the rows up to this number were looked for
     */
    record Read(int shard, Snapshot from, Snapshot to, long seq, long lookedUpTo) {}

    /**
     * Some rows that were read.
     *
     * @param end the number up to which they were looked for. Null at the table's end
     */
    record Part(List<RowId> rows, Long end) {}

    /** Looks for rows that a position calls read, in this many rows of the table. */
    Part readBefore(OutboxConnection database, Read read, String server, int limit) throws SQLException {
        String seq = quote(config.columns().seq());
        String xid = quote(config.columns().xid());
        String sql = "WITH part AS (SELECT " + seq + " AS seq, " + xid + " AS xid, (pg_visible_in_snapshot(" + xid
                + ", ?) OR (pg_visible_in_snapshot(" + xid + ", ?) AND " + seq + " <= ?))" + ofShard
                + " AS is_read FROM " + quoted + " t WHERE " + seq + " > ? ORDER BY t." + seq + " LIMIT ?) SELECT "
                + identity + " AS server, NULL AS seq, NULL AS xid, NULL AS is_read UNION ALL SELECT NULL, seq, "
                + "xid::text, is_read FROM part WHERE is_read OR seq = (SELECT max(seq) FROM part)";
        Object[] parameters = config.shards() == 1
                ? new Object[] {read.from(), read.to(), read.seq(), read.lookedUpTo(), limit}
                : new Object[] {read.from(), read.to(), read.seq(), (long) read.shard(), read.lookedUpTo(), limit};
        List<RowId> found = new ArrayList<>();
        List<Long> looked = checked(
                database,
                sql,
                server,
                row -> {
                    if (row.getBoolean(4)) {
                        found.add(rowId(row));
                    }
                    return row.getLong(2);
                },
                parameters);
        return new Part(found, looked.stream().max(Comparator.naturalOrder()).orElse(null));
    }

    /** The number of rows in the table, counted to this limit. */
    long count(OutboxConnection database, int limit) throws SQLException {
        return database.one(
                "SELECT count(*) FROM (SELECT 1 FROM " + quoted + " LIMIT ?) c", row -> row.getLong(1), limit);
    }

    /** The number of rows whose transactions this server has not begun, so that they are of another one. */
    long countAhead(OutboxConnection database) throws SQLException {
        return database.one(
                "SELECT count(*) FROM " + quoted + " WHERE "
                        + quote(config.columns().xid()) + " >= (SELECT pg_snapshot_xmax(pg_current_snapshot()))",
                row -> row.getLong(1));
    }

    /** The statement that gives the rows of {@link #countAhead} a transaction of this server. */
    String cureOfAhead() {
        String xid = quote(config.columns().xid());
        return "UPDATE " + quoted + " SET " + xid + " = DEFAULT WHERE " + xid
                + " >= pg_snapshot_xmax(pg_current_snapshot())";
    }
}
