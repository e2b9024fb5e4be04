package io.microbatch.connect.upstream.outbox;

import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Looks through the table for rows that were delivered before the start and are still there, a part at a time. Each
 * part takes the connection for as long as some new rows would. One thread.
 */
final class LookBack {

    /** The rows of the table that are looked through between two reads. */
    private static final int PART_ROWS = 10_000;

    /** While there are rows to read, so that a backlog that never ends does not keep delivered rows in the table. */
    static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Shards shards;
    private final Sweeper sweeper;
    private final LongSupplier nanoClock;
    private long nextNanos;

    LookBack(Shards shards, Sweeper sweeper, LongSupplier nanoClock) {
        this.shards = shards;
        this.sweeper = sweeper;
        this.nanoClock = nanoClock;
        this.nextNanos = nanoClock.getAsLong() + INTERVAL_NANOS;
    }

    /**
     * Whether a part is due.
     *
     * @param hasMore whether there are more rows to read
     */
    boolean isDue(boolean hasMore) {
        return !hasMore || nanoClock.getAsLong() - nextNanos >= 0;
    }

    /** Looks through a part for each shard, and has the rows deleted. Returns whether it goes on. */
    boolean look(OutboxConnection database, OutboxTable table, String server) throws SQLException {
        boolean goesOn = false;
        for (Shard shard : shards.all()) {
            if (shard.readBefore() != null && !sweeper.isDue()) {
                OutboxTable.Part part = table.readBefore(database, shard.readBefore(), server, PART_ROWS);
                part.rows().forEach(sweeper::add);
                if (part.end() == null) {
                    shard.lookedEverywhere();
                } else {
                    shard.lookedUpTo(part.end());
                }
            }
            goesOn |= shard.readBefore() != null;
        }
        nextNanos = nanoClock.getAsLong() + INTERVAL_NANOS;
        return goesOn;
    }
}
