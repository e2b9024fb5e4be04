package io.microbatch.connect.upstream.outbox;

import io.microbatch.connect.config.OutboxConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.storage.OffsetStorageReader;

/** The shards of a task. One thread. */
final class Shards {

    private final OutboxConfig config;
    private final List<Integer> numbers;
    private final OffsetStorageReader offsets;

    /** Empty before the first server is known. */
    private final List<Shard> all = new ArrayList<>();

    Shards(OutboxConfig config, List<Integer> numbers, OffsetStorageReader offsets) {
        this.config = config;
        this.numbers = numbers;
        this.offsets = offsets;
    }

    List<Integer> numbers() {
        return numbers;
    }

    List<Shard> all() {
        return all;
    }

    /**
     * Finds where to read on this server: where the reading was, or else at the committed offsets. If the server is not
     * the one of a shard's position, all rows of the shard are new. Only a shard that has had a row since the server
     * changed has an offset on it. If the server has gone back behind one of its own positions, it is a copy that was
     * put back, and all rows of all shards are new.
     *
     * @return the numbers of the shards whose position was on another server
     * @throws ConnectException if there is one, and rows are kept, so that all of them would be delivered again
     */
    List<Integer> adopt(OutboxTable table, OutboxConnection.Server server) {
        if (all.isEmpty()) {
            begin(table, server);
        }
        boolean wentBack = all.stream().anyMatch(shard -> isAhead(shard.position(), server));
        List<Shard> others = all.stream()
                .filter(shard -> wentBack || !isOf(shard.position(), server))
                .toList();
        if (!others.isEmpty() && !config.deletes()) {
            throw new ConnectException(unknown(server));
        }
        others.forEach(shard -> {
            shard.continueAt(OutboxPosition.beginning(server.identity()));
            shard.lookedEverywhere();
        });
        return others.stream().map(Shard::number).toList();
    }

    private static String unknown(OutboxConnection.Server server) {
        return "The database server, its database or the table is not the one of the source offsets, and with "
                + OutboxConfig.AFTER_CONFIG + "=keep nothing tells which rows were delivered. Stop the connector and "
                + "write the source offset {\"from\": \"" + Snapshot.NOTHING + "\", \"to\": \"" + server.snapshot()
                + "\", \"seq\": <number>, \"server\": \"" + server.identity() + "\"} for each source partition. The "
                + "rows behind the number are delivered, also those that Kafka has. Rows up to the number are never "
                + "delivered, so it has to be smaller than that of every row that Kafka does not have. That need not "
                + "be the last delivered row: a transaction that was committed late has smaller numbers. Or reset the "
                + "offsets to deliver every row again";
    }

    private void begin(OutboxTable table, OutboxConnection.Server server) {
        // Asking for an offset may fail, and the next start must then begin with the first shard.
        List<Shard> begun = new ArrayList<>();
        for (int number : numbers) {
            Shard shard = new Shard(number, config.shards(), table);
            Map<String, Object> committed = offsets.offset(shard.partition());
            if (committed == null) {
                shard.continueAt(OutboxPosition.beginning(server.identity()));
            } else {
                shard.continueAt(OutboxPosition.of(committed));
                if (config.deletes()) {
                    shard.lookForRead();
                }
            }
            begun.add(shard);
        }
        all.addAll(begun);
    }

    private static boolean isOf(OutboxPosition position, OutboxConnection.Server server) {
        return position.server().equals(server.identity());
    }

    private static boolean isAhead(OutboxPosition position, OutboxConnection.Server server) {
        return isOf(position, server)
                && server.snapshot().xmax() < position.to().xmax();
    }

    /** Whether a shard needs a snapshot to read on. */
    boolean isAnyFinished() {
        return all.stream().anyMatch(shard -> !shard.position().isOpen());
    }

    /** Lets the shards that are read to the end of their interval begin another one. */
    void open(Snapshot next) {
        for (Shard shard : all) {
            if (!shard.position().isOpen()) {
                shard.position().open(next);
            }
        }
    }
}
