package io.microbatch.bench.faults;

import io.microbatch.testbed.FaultProxy;
import io.microbatch.testbed.PostgresServer;
import io.microbatch.testbed.oracle.Findings;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Rows of an outbox table, read behind a proxy by a task for each of its shards. The services that write them go to the
 * database directly. Each key is a source partition. A second table, written in the same transactions, is the truth.
 */
final class OutboxFeed extends DatabaseFeed {

    /** What the services need of the server: transactions that end in two phases. */
    static final Map<String, String> SERVER = Map.of("max_prepared_transactions", "32");

    private static final int TASKS = 4;
    private static final int TOPIC_PARTITIONS = 3;

    private final OutboxTables tables;
    private OutboxWriters writers;

    OutboxFeed(String name, long run, PostgresServer postgres, FaultProxy proxy) {
        super(name, run, OutboxWriters.KEYS, TOPIC_PARTITIONS, postgres, proxy);
        this.tables = new OutboxTables(this.name, run);
        // The connector looks at them when it is created.
        tables.create(postgres, OutboxWriters.KEYS);
    }

    @Override
    Map<String, String> config() {
        Map<String, String> config = new HashMap<>();
        config.put("tasks.max", Integer.toString(TASKS));
        config.put("upstream.type", "outbox");
        config.put(
                "upstream.outbox.jdbc.url",
                "jdbc:postgresql://" + server().host() + ":" + proxy().port() + "/" + server().database());
        config.put("upstream.outbox.user", server().user());
        config.put("upstream.outbox.password", server().password());
        config.put("upstream.outbox.table", tables.name());
        config.put("upstream.outbox.topic", topic());
        config.put("upstream.outbox.shards", Integer.toString(TASKS));
        config.put("key.converter", "org.apache.kafka.connect.storage.StringConverter");
        config.put("value.converter", "org.apache.kafka.connect.storage.StringConverter");
        return config;
    }

    @Override
    void begin() {
        writers = new OutboxWriters(server(), tables);
    }

    @Override
    void seal(long[] highest) {
        writers.end();
    }

    @Override
    long[] truth() {
        return rows(tables.truth());
    }

    /** Not what Kafka may have beyond it: that was rolled back. */
    @Override
    long[] expected(long[] highest) {
        return truth();
    }

    @Override
    boolean isSteady(int partition) {
        return partition < OutboxWriters.STEADY_KEYS;
    }

    @Override
    Optional<OutboxResult> outbox(Findings found) {
        return Optional.of(OutboxResult.of(found, writers.transactions()));
    }

    @Override
    public void close() {
        super.close();
        if (writers != null) {
            writers.close();
        }
    }
}
