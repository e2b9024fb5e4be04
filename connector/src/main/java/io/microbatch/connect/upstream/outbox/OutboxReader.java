package io.microbatch.connect.upstream.outbox;

import io.microbatch.connect.ack.SettledEvent;
import io.microbatch.connect.common.RecordSize;
import io.microbatch.connect.config.OutboxConfig;
import io.microbatch.connect.metrics.UpstreamMetric;
import io.microbatch.connect.upstream.Intake;
import io.microbatch.connect.upstream.RetryLog;
import io.microbatch.connect.upstream.UpstreamReader;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
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
    private static final String DELETION = "the deletion of delivered rows";
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
    private final StopCancel cancellation;
    private final DatabaseFailure failures;
    private final OutboxFigures figures = new OutboxFigures();
    private final SafeSnapshots snapshots;
    private final Sweeper sweeper;
    private final LookBack lookBack;
    private final RowMapper mapper;
    private final RetryLog slowPages = new RetryLog(log, "A read of the outbox that has taken too long");

    private volatile OutboxConnection database;
    private volatile boolean abandoned;

    /** Whether nobody will stop the reader again. */
    private volatile boolean isStopped;

    private OutboxConnection.Server server;
    private OutboxTable table;
    private long pauseMs;
    private long nextSnapshotNanos;
    private final InFlight inFlight = new InFlight();

    /** Those of which every row has become new, and nobody was told. */
    private List<Integer> newShards = List.of();

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
        this.cancellation = new StopCancel(application + "-cancel", () -> database);
        this.failures = new DatabaseFailure(nanoClock);
        this.snapshots = new SafeSnapshots(config.walCheck(), figures, stopping, nanoClock);
        this.sweeper = new Sweeper(figures, nanoClock);
        this.lookBack = new LookBack(this.shards, sweeper, () -> stopping.getCount() == 0, nanoClock);
        this.mapper = new RowMapper(config, System::currentTimeMillis);
    }

    @Override
    public void start() {
        isStopped = false;
        nextSnapshotNanos = nanoClock.getAsLong();
        try {
            connect();
        } catch (SQLException e) {
            ConnectException failure = failures.of(e, "the connection to the database");
            if (!(failure instanceof RetriableException)) {
                throw failure;
            }
            // A start is tried for a limited time only.
            log.warn("{}. It is tried again", failure.getMessage(), e);
            pauseMs = FIRST_PAUSE_MS;
        }
    }

    /** Opens the connection and finds the positions. Leaves nothing open if it fails. */
    private void connect() throws SQLException {
        OutboxConnection opened = OutboxConnection.open(config, application, ANSWER_LIMIT_S);
        try {
            TableInspection inspection = TableInspection.of(opened, config);
            table = inspection.table();
            inspection.warnings().forEach(warning -> log.warn("{}", warning));
            server = opened.server(table.identity());
            List<Integer> others = shards.adopt(table, server);
            if (!others.isEmpty()) {
                // Before anything that may fail: the next attempt finds the positions adopted.
                sweeper.forget();
                inFlight.forget();
                newShards = others;
            }
            ServerChange.refuseForeignRows(opened, table, config);
            ServerChange.warn(opened, table, newShards);
            newShards = List.of();
            if (config.notifyChannel().isPresent()) {
                opened.listen(config.notifyChannel().get(), nanoClock.getAsLong());
            }
            database = opened;
            figures.connected(true);
            log.info("Reads the outbox table {}, shards {}", table.name(), shards.numbers());
        } catch (SQLException | RuntimeException e) {
            closeQuietly(opened);
            throw e;
        }
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
            purpose = DELETION;
            if (sweeper.isDue()) {
                sweeper.sweep(database, table, server.identity());
            }
            boolean hasMore = false;
            if (!sweeper.isFull()) {
                purpose = "the reading of rows";
                hasMore = read(intake);
                failures.succeeded();
                purpose = DELETION;
                if (lookBack.isDue(hasMore)) {
                    hasMore |= lookBack.look(database, table, server.identity());
                }
            }
            if (database.hasAnsweredSinceLastCall()) {
                intake.heard();
            }
            if (hasMore || sweeper.isDue()) {
                int ignored = database.collectAnnouncements(nanoClock.getAsLong());
            } else {
                rest();
            }
        } catch (SQLException e) {
            if (!DatabaseFailure.keepsConnection(e)) {
                disconnect();
            }
            if (stopping.getCount() == 0) {
                log.debug("A statement ended with the task, as {}", purpose, e);
                throw new InterruptedException("The task stops");
            }
            throw failures.of(e, purpose);
        }
    }

    private void reconnect() throws SQLException, InterruptedException {
        if (stopping.await(pauseMs, TimeUnit.MILLISECONDS)) {
            throw new InterruptedException("The task stops");
        }
        pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
        boolean isFirst = server == null;
        connect();
        if (!isFirst) {
            figures.reconnected();
        }
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

    /** Reads a page of each shard that has rows to read. Returns whether one of them has more. */
    private boolean read(Intake intake) throws SQLException, InterruptedException {
        if (shards.isAnyFinished() && nanoClock.getAsLong() >= nextSnapshotNanos) {
            nextSnapshotNanos = nanoClock.getAsLong() + TimeUnit.MILLISECONDS.toNanos(config.pollIntervalMs());
            Snapshot next = snapshots.next(database, table, server);
            if (next != null) {
                shards.open(next);
            }
        }
        boolean hasMore = false;
        int pages = 0;
        int rows = 0;
        for (Shard shard : shards.all()) {
            if (shard.position().isOpen()) {
                pages++;
                rows += readPage(shard, intake);
                hasMore |= shard.position().isOpen();
            }
        }
        if (pages > 0 && rows == 0 && !hasMore && config.columns().timestamp().isPresent()) {
            figures.lag(0);
        }
        return hasMore;
    }

    private int readPage(Shard shard, Intake intake) throws SQLException, InterruptedException {
        int limit = shard.pageRows(config.pageRows());
        long begunNanos = nanoClock.getAsLong();
        OutboxPosition position = shard.position();
        OutboxTable.Page page = page(shard, limit);
        long readNanos = nanoClock.getAsLong();
        figures.polled(readNanos - begunNanos);
        long bytes = 0;
        for (OutboxRow row : page.rows()) {
            if (!position.isNew(row.xid(), row.seq())) {
                throw new ConnectException("The database has returned a row that is not between the two snapshots of "
                        + "the statement: it is no PostgreSQL");
            }
            bytes += row.payloadBytes() + row.otherBytes();
            SourceRecord record = mapper.record(row, shard.partition(), position.offset(row.seq()));
            hand(record, new RowId(row.seq(), row.xid()), readNanos, intake);
            position.advance(row.seq());
        }
        if (!page.rows().isEmpty()) {
            intake.signal();
            shard.read(page.rows().size(), bytes, readNanos - begunNanos);
            OutboxRow last = page.rows().get(page.rows().size() - 1);
            if (last.hasTime()) {
                figures.lag(Math.max(0, System.currentTimeMillis() - last.timestampMs()));
            }
        }
        if (!page.hasMore()) {
            position.finish();
        }
        return page.rows().size();
    }

    /** A page that takes too long, perhaps because its payloads are large, is read again with half of its rows. */
    private OutboxTable.Page page(Shard shard, int limit) throws SQLException {
        try {
            OutboxTable.Page page = table.page(database, shard.position(), shard.number(), limit);
            slowPages.succeeded();
            return page;
        } catch (SQLException e) {
            if (StatementLimit.isTooLong(e)) {
                shard.tookTooLong(limit);
            }
            if (!StatementLimit.isCanceled(e) || limit == 1 || stopping.getCount() == 0) {
                throw e;
            }
            slowPages.asked(0, e);
            return new OutboxTable.Page(List.of(), true);
        }
    }

    private void hand(SourceRecord record, RowId row, long arrivalNanos, Intake intake) throws InterruptedException {
        inFlight.add(row);
        boolean isTaken = false;
        try {
            intake.add(record, RecordSize.estimateBytes(record), arrivalNanos);
            isTaken = true;
        } finally {
            if (!isTaken) {
                inFlight.takeBack();
            }
        }
    }

    /** Waits for the next read. */
    private void rest() throws SQLException, InterruptedException {
        boolean isIdle = inFlight.isEmpty() && sweeper.isEmpty();
        long limitMs = isIdle ? MAX_REST_MS : BUSY_REST_MS;
        if (config.notifyChannel().isPresent()) {
            boolean ignored = database.awaitAnnouncement((int) limitMs);
            nextSnapshotNanos = nanoClock.getAsLong();
            return;
        }
        long leftMs = TimeUnit.NANOSECONDS.toMillis(nextSnapshotNanos - nanoClock.getAsLong()) + 1;
        long restMs = sweeper.isFull() ? limitMs : Math.max(1, Math.min(limitMs, leftMs));
        boolean ignored = stopping.await(restMs, TimeUnit.MILLISECONDS);
    }

    @Override
    public void settled(SettledEvent event) {
        Optional<RowId> row = inFlight.settled(event);
        if (!event.isDelivered()) {
            figures.dropped();
        }
        if (config.deletes()) {
            row.ifPresent(sweeper::add);
        }
    }

    @Override
    public double lagMs() {
        return figures.lagMs();
    }

    @Override
    public double connected() {
        return figures.isConnected() ? 1 : 0;
    }

    /** An idle reader asks the database at this interval. */
    @Override
    public double heartbeatMs() {
        return Math.max(MAX_REST_MS, config.notifyChannel().isPresent() ? 0 : config.pollIntervalMs());
    }

    @Override
    public List<UpstreamMetric.Figure> figures() {
        return figures.all();
    }

    @Override
    public void stopping() {
        if (stopping.getCount() > 0) {
            stopping.countDown();
            cancellation.begin();
            if (isStopped) {
                // A reader that has failed was stopped before its task is.
                cancellation.end();
            }
        }
    }

    @Override
    public void abandon() {
        abandoned = true;
        cancellation.end();
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
        try {
            if (running != null) {
                stop(running);
            }
        } finally {
            isStopped = true;
            cancellation.end();
        }
    }

    private void stop(OutboxConnection running) {
        try {
            if (!sweeper.isEmpty() && !abandoned) {
                sweeper.sweep(running, table, server.identity());
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
