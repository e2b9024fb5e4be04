package io.microbatch.connect.upstream.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.microbatch.connect.config.OutboxConfig;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** Reads a table as the upstream does, with the positions of the last rows after a restart. One thread. */
final class TableRelay implements AutoCloseable {

    /** What a look at the clock takes, so that the speed of the machine does not matter. */
    private static final long LOOK_NANOS = 2_000_000;

    private final OutboxConfig config;
    final OutboxConnection database;
    final OutboxTable table;
    final OutboxConnection.Server server;
    private final SafeSnapshots snapshots;
    private long nanos;
    final List<Part> parts = new ArrayList<>();

    /** A shard, and what was read of it. */
    static final class Part {
        private final int number;
        private OutboxPosition position;
        private Map<String, ?> offset;
        final List<OutboxRow> read = new ArrayList<>();
        private int deleted;

        Part(int number, OutboxPosition position) {
            this.number = number;
            this.position = position;
        }
    }

    TableRelay(OutboxConfig config) throws SQLException {
        this.config = config;
        database = OutboxConnection.open(config, "test", 30);
        table = TableInspection.of(database, config).table();
        server = database.server(table.identity());
        snapshots = new SafeSnapshots(true, new OutboxFigures(), new CountDownLatch(1), () -> nanos += LOOK_NANOS);
        for (int i = 0; i < config.shards(); i++) {
            parts.add(new Part(i, OutboxPosition.beginning(server.identity())));
        }
    }

    OutboxPosition position() {
        return parts.get(0).position;
    }

    /** Reads a page of each shard. Returns whether there may be more. */
    boolean readPage() throws SQLException, InterruptedException {
        if (parts.stream().anyMatch(part -> !part.position.isOpen())) {
            Snapshot next = snapshot();
            assertThat(next).isNotNull();
            parts.stream().filter(part -> !part.position.isOpen()).forEach(part -> part.position.open(next));
        }
        boolean isAny = false;
        for (Part part : parts) {
            isAny |= readPage(part);
        }
        return isAny;
    }

    private boolean readPage(Part part) throws SQLException {
        OutboxTable.Page page = table.page(database, part.position, part.number, config.pageRows());
        for (OutboxRow row : page.rows()) {
            assertThat(part.position.isNew(row.xid(), row.seq())).isTrue();
            part.offset = part.position.offset(row.seq());
            part.position.advance(row.seq());
            part.read.add(row);
        }
        if (!page.hasMore()) {
            part.position.finish();
        }
        return !page.rows().isEmpty();
    }

    Snapshot snapshot() throws SQLException, InterruptedException {
        return snapshots.next(database, table, server);
    }

    /** Deletes what was read, as if Connect were done with it. */
    void delete() throws SQLException {
        for (Part part : parts) {
            List<RowId> rows = part.read.stream()
                    .skip(part.deleted)
                    .map(row -> new RowId(row.seq(), row.xid()))
                    .toList();
            part.deleted = part.read.size();
            assertThat(table.delete(database, rows, server.identity(), false).rows())
                    .isEqualTo(rows.size());
        }
    }

    void restart() {
        for (Part part : parts) {
            part.position =
                    part.offset == null ? OutboxPosition.beginning(server.identity()) : OutboxPosition.of(part.offset);
        }
    }

    @Override
    public void close() throws SQLException {
        database.close();
    }
}
