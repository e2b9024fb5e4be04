package io.microbatch.bench.cdc;

import io.microbatch.testbed.PostgresServer;
import java.util.concurrent.atomic.AtomicBoolean;

/** The slots through which Debezium reads a database's log. Stateless. */
public final class ReplicationSlots {

    private ReplicationSlots() {}

    /** Whether a connector is reading the database's log: from then on a row's latency is the pipeline's. */
    public static boolean isStreamed(PostgresServer postgres) {
        AtomicBoolean streamed = new AtomicBoolean();
        postgres.query("SELECT 1 FROM pg_replication_slots WHERE active", row -> streamed.set(true));
        return streamed.get();
    }

    /** Drops the slots, which have to be inactive, so that the database keeps no log for them. */
    public static void drop(PostgresServer postgres) {
        postgres.execute("SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots");
    }
}
