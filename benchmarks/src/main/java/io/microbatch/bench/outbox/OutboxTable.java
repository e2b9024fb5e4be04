package io.microbatch.bench.outbox;

import io.microbatch.bench.rows.RowInsert;
import io.microbatch.testbed.PostgresServer;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The table of docs/outbox.md. It is vacuumed when the bench says so, and not in the turn of whichever contender is
 * under way. Stateless.
 */
final class OutboxTable {

    static final String NAME = "outboxevent";

    private static final String CREATE = "CREATE TABLE " + NAME + " (id uuid PRIMARY KEY, aggregatetype varchar(255)"
            + " NOT NULL, aggregateid varchar(255) NOT NULL, type varchar(255) NOT NULL, payload jsonb,"
            + " seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE, xid xid8 NOT NULL DEFAULT pg_current_xact_id())"
            + " WITH (autovacuum_enabled = false)";
    private static final String INSERT = "INSERT INTO " + NAME
            + " (id, aggregatetype, aggregateid, type, payload) VALUES (?, ?, ?, 'changed', ?::jsonb)";

    private OutboxTable() {}

    static void create(PostgresServer postgres) {
        postgres.execute(CREATE);
    }

    /** Removes every row, and all that is left of deleted ones. */
    static void empty(PostgresServer postgres) {
        postgres.execute("TRUNCATE " + NAME);
    }

    /** As the database does by itself after many inserts. */
    static void analyze(PostgresServer postgres) {
        postgres.execute("ANALYZE " + NAME);
    }

    /** Removes what is left of deleted rows. */
    static void vacuum(PostgresServer postgres) {
        postgres.execute("VACUUM " + NAME);
    }

    static boolean isEmpty(PostgresServer postgres) {
        AtomicBoolean found = new AtomicBoolean();
        postgres.query("SELECT 1 FROM " + NAME + " LIMIT 1", row -> found.set(true));
        return !found.get();
    }

    /** Inserts rows for the topic of a turn. */
    static RowInsert insert(int turn) {
        return new RowInsert() {
            @Override
            public String sql() {
                return INSERT;
            }

            @Override
            public void set(PreparedStatement insert, int account, long seq, int phase, long dueMicros)
                    throws SQLException {
                OutboxRow row = new OutboxRow(account, seq, phase, dueMicros);
                insert.setObject(1, row.id(turn));
                insert.setString(2, route(turn));
                insert.setString(3, row.key());
                insert.setString(4, row.payload());
            }
        };
    }

    /** What is in the column {@code aggregatetype}. */
    private static String route(int turn) {
        return "turn" + turn;
    }

    /** Where the rows of a turn go. */
    static String topic(int turn) {
        return "outbox.event." + route(turn);
    }
}
