package io.microbatch.bench.rows;

import java.sql.PreparedStatement;
import java.sql.SQLException;

/** How one writer inserts its rows. Used by the writer's thread only. */
public interface RowInsert {

    /** The statement that inserts one row. */
    String sql();

    /**
     * Sets the parameters of a row.
     *
     * @param account only this writer writes it
     * @param seq counts the account's rows from 0
     * @param phase the number of the {@link LoadPhase}
     * @param dueMicros when the row's transaction is due, in microseconds since the epoch
     */
    void set(PreparedStatement insert, int account, long seq, int phase, long dueMicros) throws SQLException;
}
