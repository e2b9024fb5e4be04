package io.microbatch.bench.rows;

import io.microbatch.testbed.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;

/**
 * All writers, each on a thread of its own. Open loop: a transaction is due when it is due, however late the last was.
 */
public final class LoadWriters implements AutoCloseable {

    /** Connections to the database. */
    public static final int WRITER_COUNT = 8;

    private static final int ACCOUNTS_PER_WRITER = 16;

    /** Accounts, numbered from 0. */
    public static final int ACCOUNT_COUNT = WRITER_COUNT * ACCOUNTS_PER_WRITER;

    private final List<Writer> writers = new ArrayList<>();
    private final ExecutorService threads = Executors.newFixedThreadPool(WRITER_COUNT, task -> {
        Thread thread = new Thread(task, "bench-writer");
        thread.setDaemon(true);
        return thread;
    });
    private final AtomicLong written = new AtomicLong();

    /** Connects all writers. Each has an insert of its own, made from its number. */
    public LoadWriters(PostgresServer postgres, IntFunction<RowInsert> inserts) throws SQLException {
        for (int i = 0; i < WRITER_COUNT; i++) {
            writers.add(new Writer(postgres, inserts.apply(i), i));
        }
    }

    /** Starts a phase. The answer completes with how late, in nanoseconds, the latest last transaction began. */
    public CompletableFuture<Long> begin(LoadPhase phase) {
        long startNanos = System.nanoTime();
        long startMicros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
        CompletableFuture<Long> latest = CompletableFuture.completedFuture(0L);
        for (Writer writer : writers) {
            CompletableFuture<Long> share = CompletableFuture.supplyAsync(
                    () -> {
                        try {
                            return writer.write(phase, startNanos, startMicros, written);
                        } catch (SQLException e) {
                            throw new CompletionException(e);
                        }
                    },
                    threads);
            latest = latest.thenCombine(share, Math::max);
        }
        return latest;
    }

    /** Rows committed so far, over all phases. */
    public long written() {
        return written.get();
    }

    /** Rows committed so far, by account. Only after all phases that were begun. */
    public long[] writtenByAccount() {
        long[] byAccount = new long[ACCOUNT_COUNT];
        for (Writer writer : writers) {
            for (int own = 0; own < ACCOUNTS_PER_WRITER; own++) {
                byAccount[own * WRITER_COUNT + writer.index] = writer.seqs[own];
            }
        }
        return byAccount;
    }

    @Override
    public void close() throws SQLException {
        List<Runnable> ignored = threads.shutdownNow();
        for (Writer writer : writers) {
            writer.connection.close();
        }
    }

    /**
     * One connection and the accounts that only it writes, so that {@code seq} ascends per account in the order of the
     * commits. Used by one thread at a time.
     */
    private static final class Writer {

        private final Connection connection;
        private final RowInsert rows;
        private final PreparedStatement insert;
        private final int index;
        private final long[] seqs = new long[ACCOUNTS_PER_WRITER];
        private int nextAccount;

        Writer(PostgresServer postgres, RowInsert rows, int index) throws SQLException {
            Properties properties = new Properties();
            properties.put("user", postgres.user());
            properties.put("password", postgres.password());
            properties.put("reWriteBatchedInserts", "true");
            this.connection = DriverManager.getConnection(postgres.jdbcUrl(), properties);
            this.connection.setAutoCommit(false);
            this.rows = rows;
            this.insert = connection.prepareStatement(rows.sql());
            this.index = index;
        }

        /** Writes this writer's share of the phase on schedule and answers how late its last transaction began. */
        long write(LoadPhase phase, long startNanos, long startMicros, AtomicLong written) throws SQLException {
            long lateNanos = 0;
            for (int each = index; each < phase.transactionCount(); each += WRITER_COUNT) {
                long dueNanos = startNanos + phase.dueNanos(each);
                awaitDue(dueNanos);
                lateNanos = System.nanoTime() - dueNanos;
                int first = each * phase.rowsPerTransaction();
                int count = Math.min(phase.rowsPerTransaction(), phase.rowCount() - first);
                insert(phase.number(), count, startMicros + phase.dueNanos(each) / 1_000);
                connection.commit();
                written.addAndGet(count);
            }
            return lateNanos;
        }

        private void insert(int phase, int count, long dueMicros) throws SQLException {
            for (int i = 0; i < count; i++) {
                int own = nextAccount;
                nextAccount = (nextAccount + 1) % ACCOUNTS_PER_WRITER;
                rows.set(insert, own * WRITER_COUNT + index, seqs[own]++, phase, dueMicros);
                insert.addBatch();
            }
            int[] ignored = insert.executeBatch();
        }

        private static void awaitDue(long dueNanos) {
            for (long left = dueNanos - System.nanoTime(); left > 0; left = dueNanos - System.nanoTime()) {
                LockSupport.parkNanos(left);
                if (Thread.currentThread().isInterrupted()) {
                    throw new IllegalStateException("interrupted while writing");
                }
            }
        }
    }
}
