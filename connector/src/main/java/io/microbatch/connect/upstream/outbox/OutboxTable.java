package io.microbatch.connect.upstream.outbox;

import io.microbatch.connect.config.OutboxColumns;
import io.microbatch.connect.config.OutboxConfig;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The statements for one outbox table, from names that the catalog has. Immutable; any thread. */
final class OutboxTable {

    /** A statement reads about this many bytes of payloads, and one payload more. */
    static final int PAGE_BYTES = 8 * 1024 * 1024;

    private final OutboxConfig config;
    private final String name;
    private final String quoted;
    private final boolean isBytes;

    /** The condition that selects a shard. Empty with one shard. */
    private final String ofShard;

    private final String rows;

    /** How the server tells its timeline, which changes when a standby takes over. */
    enum Timeline {
        /** From the name of the log file. */
        OF_LOG("substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8)"),
        /** From the last checkpoint, for servers that do not show their log. */
        OF_CHECKPOINT("(SELECT lpad(upper(to_hex(timeline_id)), 8, '0') FROM pg_control_checkpoint())");

        private final String expression;

        Timeline(String expression) {
            this.expression = expression;
        }

        static Timeline of(OutboxConfig config) {
            return config.walCheck() ? OF_LOG : OF_CHECKPOINT;
        }

        /** An expression of eight characters. */
        String expression() {
            return expression;
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
        StringBuilder inner = new StringBuilder("SELECT ")
                .append(seq)
                .append(" AS seq, ")
                .append(xid)
                .append("::text AS xid, ")
                .append(quote(columns.id()))
                .append("::text AS id, ")
                .append(quote(columns.key()))
                .append("::text AS key, ")
                .append(quote(columns.route()))
                .append("::text AS route, ")
                .append(quote(columns.payload()))
                .append(isBytes ? "" : "::text")
                .append(" AS payload");
        StringBuilder outer = new StringBuilder("SELECT seq, xid, id, key, route, CASE WHEN bytes <= ")
                .append(config.maxPayloadBytes())
                .append(" THEN payload END, bytes");
        columns.timestamp().ifPresent(column -> {
            inner.append(", ")
                    .append(milliseconds(quote(column), timestampType))
                    .append(" AS at");
            outer.append(", at");
        });
        for (int i = 0; i < config.fields().size(); i++) {
            inner.append(", ")
                    .append(quote(config.fields().get(i).column()))
                    .append("::text AS f")
                    .append(i);
            outer.append(", f").append(i);
        }
        inner.append(" FROM ")
                .append(quoted)
                .append(" WHERE NOT pg_visible_in_snapshot(" + xid + ", ?) AND " + xid
                        + " >= pg_snapshot_xmin(?) AND pg_visible_in_snapshot(" + xid + ", ?) AND " + seq + " > ?")
                .append(ofShard)
                .append(" ORDER BY " + seq + " LIMIT ?");
        // The limits keep the server from computing a payload twice, and us from a page of 2,000 large payloads. What
        // is left out of a page is behind everything that is in it.
        String measured = "SELECT p.*, coalesce(octet_length(payload), 0) AS bytes FROM (" + inner + ") p";
        String summed = "SELECT m.*, sum(least(bytes, " + config.maxPayloadBytes()
                + ")) OVER (ORDER BY seq ROWS UNBOUNDED PRECEDING) AS total FROM (" + measured + " OFFSET 0) m";
        return outer + " FROM (" + summed + ") s WHERE total - least(bytes, " + config.maxPayloadBytes() + ") < "
                + PAGE_BYTES + " ORDER BY seq";
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

    /** What a row has, in the order of the statement. */
    OutboxRow row(ResultSet row) throws SQLException {
        int column = 8;
        Long timestampMs = null;
        if (config.columns().timestamp().isPresent()) {
            long value = row.getLong(column++);
            timestampMs = row.wasNull() ? null : value;
        }
        List<String> fields = new ArrayList<>(config.fields().size());
        for (int i = 0; i < config.fields().size(); i++) {
            fields.add(row.getString(column + i));
        }
        return new OutboxRow(
                row.getLong(1),
                Long.parseLong(row.getString(2)),
                row.getString(3),
                row.getString(4),
                row.getString(5),
                isBytes ? row.getBytes(6) : row.getString(6),
                isBytes,
                row.getInt(7),
                timestampMs,
                fields);
    }

    /**
     * Reads the next rows of a position's interval, in the order of their numbers, this many at most. The interval may
     * have more of them if there are as many, or if they have {@link #PAGE_BYTES}.
     */
    List<OutboxRow> page(OutboxConnection database, OutboxPosition position, int shard, int limit) throws SQLException {
        Object[] parameters = config.shards() == 1
                ? new Object[] {position.from(), position.from(), position.to(), position.seq(), limit}
                : new Object[] {position.from(), position.from(), position.to(), position.seq(), (long) shard, limit};
        return database.all(rows, this::row, parameters);
    }

    /** Deletes the rows of these numbers, if the timeline is still this. Returns how many there were. */
    int delete(OutboxConnection database, Long[] numbers, String timeline) throws SQLException {
        return database.update(
                "DELETE FROM " + quoted + " WHERE " + quote(config.columns().seq()) + " = ANY(?) AND "
                        + Timeline.of(config).expression() + " = ?",
                numbers,
                timeline);
    }

    /** Deletes rows that a position calls read, this many at most, if the timeline is still this. Returns how many. */
    int deleteRead(OutboxConnection database, Read read, String timeline, int limit) throws SQLException {
        String seq = quote(config.columns().seq());
        String xid = quote(config.columns().xid());
        String sql = "DELETE FROM " + quoted + " WHERE " + seq + " IN (SELECT " + seq + " FROM " + quoted
                + " WHERE (pg_visible_in_snapshot(" + xid + ", ?) OR (pg_visible_in_snapshot(" + xid + ", ?) AND "
                + seq + " <= ?)) AND " + Timeline.of(config).expression() + " = ?" + ofShard + " ORDER BY " + seq
                + " LIMIT ?)";
        return config.shards() == 1
                ? database.update(sql, read.from(), read.to(), read.seq(), timeline, limit)
                : database.update(sql, read.from(), read.to(), read.seq(), timeline, (long) read.shard(), limit);
    }

    /** The rows of a shard that were read when the task started. */
    record Read(int shard, Snapshot from, Snapshot to, long seq) {}

    /** The number of rows in the table, counted to this limit. */
    long count(OutboxConnection database, int limit) throws SQLException {
        return database.one(
                "SELECT count(*) FROM (SELECT 1 FROM " + quoted + " LIMIT ?) c", row -> row.getLong(1), limit);
    }
}
