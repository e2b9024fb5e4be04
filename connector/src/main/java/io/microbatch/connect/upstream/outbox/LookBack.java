package io.microbatch.connect.upstream.outbox;

import io.microbatch.connect.upstream.RetryLog;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks through the table for rows that were delivered before the start and are still there, a part at a time. Each
 * part takes the connection for as long as some new rows would. A part that takes too long, perhaps because of dead
 * rows that no vacuum has removed, is tried again after ten times as long. One thread.
 */
final class LookBack {

    private static final Logger log = LoggerFactory.getLogger(LookBack.class);

    /** The rows of the table that are looked through between two reads. */
    private static final int PART_ROWS = 10_000;

    /** While there are rows to read, so that a backlog that never ends does not keep delivered rows in the table. */
    static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The ratio of the pause after a part that has failed to the time that it took. */
    private static final int PAUSE_RATIO = 10;

    private final Shards shards;
    private final Sweeper sweeper;
    private final BooleanSupplier isStopping;
    private final LongSupplier nanoClock;
    private final RetryLog retries = new RetryLog(log, "The search for rows that were delivered before the start");
    private long nextNanos;
    private boolean hasFailed;

    LookBack(Shards shards, Sweeper sweeper, BooleanSupplier isStopping, LongSupplier nanoClock) {
        this.shards = shards;
        this.sweeper = sweeper;
        this.isStopping = isStopping;
        this.nanoClock = nanoClock;
        this.nextNanos = nanoClock.getAsLong() + INTERVAL_NANOS;
    }

    /**
     * Whether a part is due.
     *
     * @param hasMore whether there are more rows to read
     */
    boolean isDue(boolean hasMore) {
        return (!hasMore && !hasFailed) || nanoClock.getAsLong() - nextNanos >= 0;
    }

    /**
     * Looks through a part for each shard, and has the rows deleted. Returns whether it goes on at once.
     *
     * @throws SQLException unless the statement alone has failed, because of its time
     */
    boolean look(OutboxConnection database, OutboxTable table, String server) throws SQLException {
        long begunNanos = nanoClock.getAsLong();
        long pauseNanos = INTERVAL_NANOS;
        try {
            boolean goesOn = false;
            for (Shard shard : shards.all()) {
                if (shard.readBefore() != null && !sweeper.isDue()) {
                    lookThroughPart(shard, database, table, server);
                    hasFailed = false;
                    retries.succeeded();
                }
                goesOn |= shard.readBefore() != null;
            }
            return goesOn;
        } catch (SQLException e) {
            hasFailed = true;
            pauseNanos = Math.max(INTERVAL_NANOS, PAUSE_RATIO * (nanoClock.getAsLong() - begunNanos));
            if (!StatementLimit.isCanceled(e) || isStopping.getAsBoolean()) {
                throw e;
            }
            retries.asked(TimeUnit.NANOSECONDS.toMillis(pauseNanos), e);
            return false;
        } finally {
            nextNanos = nanoClock.getAsLong() + pauseNanos;
        }
    }

    private void lookThroughPart(Shard shard, OutboxConnection database, OutboxTable table, String server)
            throws SQLException {
        OutboxTable.Part part = table.readBefore(database, shard.readBefore(), server, PART_ROWS);
        part.rows().forEach(sweeper::add);
        if (part.end() == null) {
            shard.lookedEverywhere();
        } else {
            shard.lookedUpTo(part.end());
        }
    }
}
