package io.microbatch.connect.upstream.outbox;

import io.microbatch.connect.config.OutboxConfig;
import java.sql.SQLException;
import java.util.List;
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

    /** Everything in these shards of the table has become new. Says nothing if there are none. */
    static void warn(OutboxConnection database, OutboxTable table, List<Integer> shards) throws SQLException {
        if (shards.isEmpty()) {
            return;
        }
        log.warn(
                "The database server, its database or the table is not the one of the source offsets of the shards {}: "
                        + "it was restored, upgraded or replaced, or a standby took over. All rows that {} has of them "
                        + "(it has {}) are taken for new, so that none is lost. Those that were delivered and not "
                        + "deleted before are delivered once more",
                shards,
                table.name(),
                rows(database, table));
    }

    /** For the text only: a table that cannot be counted in time is read all the same. */
    private static String rows(OutboxConnection database, OutboxTable table) throws SQLException {
        try {
            long rows = table.count(database, COUNT_LIMIT);
            return rows + (rows == COUNT_LIMIT ? " rows or more" : " rows");
        } catch (SQLException e) {
            if (!StatementLimit.isCanceled(e)) {
                throw e;
            }
            log.debug("The rows of {} were not counted", table.name(), e);
            return "more rows than were counted in time";
        }
    }
}
