package io.microbatch.connect.upstream.outbox;

import io.microbatch.connect.ack.SettledEvent;
import io.microbatch.connect.common.RecordSize;
import io.microbatch.connect.config.OutboxConfig;
import io.microbatch.connect.metrics.UpstreamMetric;
import io.microbatch.connect.upstream.Intake;
import io.microbatch.connect.upstream.UpstreamReader;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.storage.OffsetStorageReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the rows of a task's shards and hands them over, and deletes those that Connect is done with. Reader thread,
 * except where the interface says otherwise.
 */
final class OutboxReader implements UpstreamReader {

    private static final Logger log = LoggerFactory.getLogger(OutboxReader.class);

    private static final int ANSWER_LIMIT_S = 30;
    private static final int LEFT_OVER_ROWS = 1_000;
    private static final int COUNT_LIMIT = 1_000_000;
    private static final long MAX_REST_MS = 1_000;

    /** While rows are on their way, so that they are deleted soon after their delivery. */
    private static final long BUSY_REST_MS = 100;

    private static final long FIRST_PAUSE_MS = 100;

    /** A fetch may wait for about a second. */
    private static final long LONGEST_PAUSE_MS = 1_000;

    private final OutboxConfig config;
    private final String application;
    private final Shards shards;
    private final LongSupplier nanoClock;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final OutboxFigures figures = new OutboxFigures();
    private final SafeSnapshots snapshots;
    private final Sweeper sweeper;
    private final RowMapper mapper;
    private final OutboxTable.Timeline timeline;

    private volatile OutboxConnection database;
    private volatile boolean abandoned;
    private volatile double lagMs = Double.NaN;

    private OutboxConnection.Server server;
    private OutboxTable table;
    private long pauseMs;
    private long nextSnapshotNanos;

    private long handedOver;
    private long settled;

    /** The events up to this one were of rows whose numbers may mean other rows now. */
    private long forgotten;

    /**
     * Prepares a reader of these shards.
     *
     * @param application the name that the database shows for its connection
     */
    OutboxReader(
            OutboxConfig config,
            String application,
            List<Integer> shards,
            OffsetStorageReader offsets,
            LongSupplier nanoClock) {
        this.config = config;
        this.application = application;
        this.nanoClock = nanoClock;
        this.shards = new Shards(config, shards, offsets);
        this.timeline = OutboxTable.Timeline.of(config);
        this.snapshots = new SafeSnapshots(config.walCheck(), figures, stopping, nanoClock);
        this.sweeper = new Sweeper(figures, nanoClock);
        this.mapper = new RowMapper(config);
    }

    @Override
    public void start() {
        nextSnapshotNanos = nanoClock.getAsLong();
        try {
            connect();
        } catch (SQLException e) {
            throw DatabaseFailure.of(e, "the connection to the database");
        }
        log.info("Reads the outbox table {}, shards {}", table.name(), shards.numbers());
    }

    /** Opens the connection and finds the positions. Leaves nothing open if it fails. */
    private void connect() throws SQLException {
        OutboxConnection opened = OutboxConnection.open(config, application, ANSWER_LIMIT_S);
        try {
            server = opened.server(timeline);
            table = TableInspection.of(opened, config).table();
            if (config.notifyChannel().isPresent()) {
                opened.listen(config.notifyChannel().get());
            }
            if (shards.adopt(table, server)) {
                forgetServer(opened);
            }
            database = opened;
            figures.connected(true);
        } catch (SQLException | RuntimeException e) {
            closeQuietly(opened);
            throw e;
        }
    }

    /** The numbers of transactions and rows may mean others than those of the offsets. */
    private void forgetServer(OutboxConnection opened) throws SQLException {
        sweeper.forget();
        forgotten = handedOver;
        long rows = table.count(opened, COUNT_LIMIT);
        log.warn(
                "The database server is not the one of the source offsets: it was restored, upgraded, or a standby "
                        + "took over. All {}{} rows of {} are taken for new, so that none is lost. Those that were "
                        + "delivered and not deleted before are delivered once more",
                rows,
                rows == COUNT_LIMIT ? " or more" : "",
                table.name());
    }

    private static void closeQuietly(OutboxConnection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            log.debug("A connection to the database did not close cleanly", e);
        }
    }

    @Override
    public void fetch(Intake intake) throws InterruptedException {
        String purpose = "the connection to the database";
        try {
            if (database == null) {
                reconnect();
            }
            purpose = "the deletion of delivered rows";
            tidy();
            if (sweeper.isFull()) {
                return;
            }
            purpose = "the reading of rows";
            boolean hasMore = read(intake);
            if (!hasMore) {
                rest();
            }
        } catch (SQLException e) {
            disconnect();
            throw DatabaseFailure.of(e, purpose);
        }
    }

    private void reconnect() throws SQLException, InterruptedException {
        if (stopping.await(pauseMs, TimeUnit.MILLISECONDS)) {
            throw new InterruptedException("The task stops");
        }
        pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
        connect();
        figures.reconnected();
    }

    private void disconnect() {
        OutboxConnection lost = database;
        if (lost != null) {
            database = null;
            figures.connected(false);
            pauseMs = FIRST_PAUSE_MS;
            closeQuietly(lost);
        }
    }

    private void tidy() throws SQLException {
        if (sweeper.isDue()) {
            sweeper.sweep(database, table, timelineOf(server));
        }
        for (Shard shard : shards.all()) {
            if (shard.leftOver() != null) {
                int deleted = table.deleteRead(database, shard.leftOver(), timelineOf(server), LEFT_OVER_ROWS);
                figures.deletedAtStart(deleted);
                if (deleted < LEFT_OVER_ROWS) {
                    shard.nothingLeftOver();
                }
            }
        }
    }

    private static String timelineOf(OutboxConnection.Server server) {
        return server.identity().substring(server.identity().indexOf('/') + 1);
    }

    /** Reads a page of each shard that has rows to read. Returns whether one of them has more. */
    private boolean read(Intake intake) throws SQLException, InterruptedException {
        if (shards.isAnyFinished() && nanoClock.getAsLong() >= nextSnapshotNanos) {
            nextSnapshotNanos = nanoClock.getAsLong() + TimeUnit.MILLISECONDS.toNanos(config.pollIntervalMs());
            Snapshot next = snapshots.next(database, server.log(), timelineOf(server));
            if (next == null) {
                return false;
            }
            shards.open(next);
        }
        boolean hasMore = false;
        boolean isEmpty = true;
        for (Shard shard : shards.all()) {
            if (shard.position().isOpen()) {
                int rows = readPage(shard, intake);
                isEmpty &= rows == 0;
                hasMore |= shard.position().isOpen();
            }
        }
        if (isEmpty && config.columns().timestamp().isPresent()) {
            lagMs = 0;
        }
        return hasMore;
    }

    private int readPage(Shard shard, Intake intake) throws SQLException, InterruptedException {
        int limit = shard.pageRows(config.pageRows());
        long begunNanos = nanoClock.getAsLong();
        OutboxPosition position = shard.position();
        List<OutboxRow> rows = table.page(database, position, shard.number(), limit);
        long readNanos = nanoClock.getAsLong();
        figures.polled(readNanos - begunNanos);
        long bytes = 0;
        for (OutboxRow row : rows) {
            if (!position.isNew(row.xid(), row.seq())) {
                throw new ConnectException("The database has returned a row that is not between the two snapshots of "
                        + "the statement: it is no PostgreSQL");
            }
            bytes += Math.min(row.payloadBytes(), config.maxPayloadBytes());
            hand(mapper.record(row, shard.partition(), position.offset(row.seq())), readNanos, intake);
            position.advance(row.seq());
        }
        if (!rows.isEmpty()) {
            intake.signal();
            shard.read(rows.size(), bytes);
            observeLag(rows.get(rows.size() - 1));
        }
        if (rows.size() < limit && bytes < OutboxTable.PAGE_BYTES) {
            position.finish();
        }
        return rows.size();
    }

    private void hand(SourceRecord record, long arrivalNanos, Intake intake) throws InterruptedException {
        handedOver++;
        intake.add(record, RecordSize.estimateBytes(record), arrivalNanos);
    }

    private void observeLag(OutboxRow last) {
        if (last.timestampMs() != null) {
            lagMs = Math.max(0, System.currentTimeMillis() - last.timestampMs());
        }
    }

    /** Waits for the next read. */
    private void rest() throws SQLException, InterruptedException {
        boolean isIdle = settled == handedOver && sweeper.isEmpty();
        long limitMs = isIdle ? MAX_REST_MS : BUSY_REST_MS;
        if (config.notifyChannel().isPresent()) {
            database.awaitAnnouncement((int) limitMs);
            nextSnapshotNanos = nanoClock.getAsLong();
            return;
        }
        long leftMs = TimeUnit.NANOSECONDS.toMillis(nextSnapshotNanos - nanoClock.getAsLong()) + 1;
        boolean isStopping = stopping.await(Math.max(1, Math.min(limitMs, leftMs)), TimeUnit.MILLISECONDS);
        log.trace("Rested, stopping={}", isStopping);
    }

    @Override
    public void settled(SettledEvent event) {
        settled++;
        if (!event.isDelivered()) {
            figures.dropped();
        }
        if (config.deletes()
                && settled > forgotten
                && event.sourceOffset().get(OutboxPosition.SEQ_FIELD) instanceof Long seq) {
            sweeper.add(seq);
        }
    }

    @Override
    public double lagMs() {
        return lagMs;
    }

    @Override
    public List<UpstreamMetric.Figure> figures() {
        return figures.all();
    }

    @Override
    public void stopping() {
        stopping.countDown();
    }

    @Override
    public void abandon() {
        abandoned = true;
        OutboxConnection running = database;
        if (running != null) {
            try {
                running.abort();
            } catch (SQLException e) {
                log.debug("A connection to the database could not be aborted", e);
            }
        }
    }

    @Override
    public void stop() {
        OutboxConnection running = database;
        if (running == null) {
            return;
        }
        try {
            if (!sweeper.isEmpty() && !abandoned) {
                sweeper.sweep(running, table, timelineOf(server));
            }
        } catch (SQLException e) {
            log.debug("Delivered rows were not deleted at the stop; the next start deletes them", e);
        } finally {
            // Not before: a task that does not wait any longer aborts the connection.
            database = null;
            figures.connected(false);
            closeQuietly(running);
        }
    }
}
