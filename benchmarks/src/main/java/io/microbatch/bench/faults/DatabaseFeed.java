package io.microbatch.bench.faults;

import io.microbatch.testbed.FaultProxy;
import io.microbatch.testbed.PostgresServer;

/** A feed whose events are in a database. The connector reads it through a proxy, and the writers do not. */
abstract class DatabaseFeed extends Feed {

    private final PostgresServer postgres;
    private final FaultProxy proxy;

    /** With the name as a table can have it. */
    DatabaseFeed(
            String name,
            long run,
            int sourcePartitions,
            int topicPartitions,
            PostgresServer postgres,
            FaultProxy proxy) {
        super(name.replace('-', '_'), run, sourcePartitions, topicPartitions);
        this.postgres = postgres;
        this.proxy = proxy;
        proxy.forwardTo(postgres.port());
    }

    final PostgresServer server() {
        return postgres;
    }

    final FaultProxy proxy() {
        return proxy;
    }

    /**
     * How many rows of each source partition a table has.
     *
     * @param table a table with the columns {@code part} and {@code seq}
     * @throws IllegalStateException if a number is missing: the database lost a row
     */
    final long[] rows(String table) {
        long[] rows = new long[sourcePartitions];
        postgres.query("SELECT part, count(*), max(seq) FROM " + table + " GROUP BY part", row -> {
            if (row.getLong(2) != row.getLong(3) + 1) {
                throw new IllegalStateException("the table has a gap: the database lost a row");
            }
            rows[row.getInt(1)] = row.getLong(2);
        });
        return rows;
    }
}
