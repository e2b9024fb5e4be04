package io.microbatch.connect.upstream.outbox;

import io.microbatch.connect.config.OutboxConfig;
import java.sql.SQLException;
import org.apache.kafka.connect.errors.ConnectException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What another server means for the rows in the table. Stateless; any thread. */
final class ServerChange {

    private static final Logger log = LoggerFactory.getLogger(ServerChange.class);

    private static final int COUNT_LIMIT = 1_000_000;

    private ServerChange() {}

    /**
     * Looks for rows that were copied from another server with the ids of its transactions. A row of a transaction that
     * has not begun here would not be visible before that begins, perhaps in years.
     *
     * @throws ConnectException if there are some, with the statement that cures it
     */
    static void refuseForeignRows(OutboxConnection database, OutboxTable table, OutboxConfig config)
            throws SQLException {
        long ahead;
        try {
            ahead = table.countAhead(database);
        } catch (SQLException e) {
            if (!StatementLimit.isCanceled(e)) {
                throw e;
            }
            log.warn(
                    "{} is too large to look for rows that were copied from another server with the ids of its "
                            + "transactions. An index on {} would help",
                    table.name(),
                    config.columns().xid());
            return;
        }
        if (ahead > 0) {
            throw new ConnectException("The outbox: " + ahead + " rows of " + table.name() + " name transactions that "
                    + "the database server has not begun. They were copied from another server, by a dump or by "
                    + "logical replication, and would wait until it begins them. Give them a transaction when the "
                    + "copy is complete, and restart the task: " + table.cureOfAhead());
        }
    }

    /** Everything in the table has become new. */
    static void warn(OutboxConnection database, OutboxTable table) throws SQLException {
        long rows = table.count(database, COUNT_LIMIT);
        log.warn(
                "The database server, its database or the table is not the one of the source offsets: it was restored, "
                        + "upgraded or replaced, or a standby took over. All {}{} rows of {} are taken for new, so "
                        + "that none is lost. Those that were delivered and not deleted before are delivered once more",
                rows,
                rows == COUNT_LIMIT ? " or more" : "",
                table.name());
    }
}
