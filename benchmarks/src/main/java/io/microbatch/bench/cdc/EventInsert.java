package io.microbatch.bench.cdc;

import io.microbatch.bench.rows.RandomText;
import io.microbatch.bench.rows.RowInsert;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.SplittableRandom;

/** Inserts rows of random text into the {@link EventTable}. One thread. */
final class EventInsert implements RowInsert {

    private static final int PAYLOAD_CHARS = 100;
    private static final String SQL = "INSERT INTO " + EventTable.NAME
            + " (account, seq, phase, payload, written_at) VALUES (?, ?, ?, ?, clock_timestamp())";

    private final SplittableRandom random;

    EventInsert(int writer) {
        random = new SplittableRandom(writer);
    }

    @Override
    public String sql() {
        return SQL;
    }

    @Override
    public void set(PreparedStatement insert, int account, long seq, int phase, long dueMicros) throws SQLException {
        insert.setInt(1, account);
        insert.setLong(2, seq);
        insert.setInt(3, phase);
        insert.setString(4, RandomText.of(random, PAYLOAD_CHARS));
    }
}
