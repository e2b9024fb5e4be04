package io.microbatch.bench.cdc;

import io.microbatch.testbed.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * All writers, each on a thread of its own. Open loop: a transaction is due when it is due, however late the last was.
 */
final class LoadWriters implements AutoCloseable {

    static final int WRITER_COUNT = 8;
    private static final int ACCOUNTS_PER_WRITER = 16;
    private static final int PAYLOAD_CHARS = 100;

    private final List<Writer> writers = new ArrayList<>();
    private final ExecutorService threads = Executors.newFixedThreadPool(WRITER_COUNT, task -> {
        Thread thread = new Thread(task, "bench-writer");
        thread.setDaemon(true);
        return thread;
    });
    private final AtomicLong written = new AtomicLong();

    LoadWriters(PostgresServer postgres) throws SQLException {
        for (int i = 0; i < WRITER_COUNT; i++) {
            writers.add(new Writer(postgres, i));
        }
    }

    /** Starts a phase. The answer completes with how late, in nanoseconds, the latest last transaction began. */
    CompletableFuture<Long> begin(LoadPhase phase) {
        long startNanos = System.nanoTime();
        CompletableFuture<Long> latest = CompletableFuture.completedFuture(0L);
        for (Writer writer : writers) {
            CompletableFuture<Long> share = CompletableFuture.supplyAsync(
                    () -> {
                        try {
                            return writer.write(phase, startNanos, written);
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
    long written() {
        return written.get();
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
        private final PreparedStatement insert;
        private final int index;
        private final long[] seqs = new long[ACCOUNTS_PER_WRITER];
        private final SplittableRandom random;
        private int nextAccount;

        Writer(PostgresServer postgres, int index) throws SQLException {
            Properties properties = new Properties();
            properties.put("user", postgres.user());
            properties.put("password", postgres.password());
            properties.put("reWriteBatchedInserts", "true");
            this.connection = DriverManager.getConnection(postgres.jdbcUrl(), properties);
            this.connection.setAutoCommit(false);
            this.insert = connection.prepareStatement(EventTable.INSERT);
            this.index = index;
            this.random = new SplittableRandom(index);
        }

        /** Writes this writer's share of the phase on schedule and answers how late its last transaction began. */
        long write(LoadPhase phase, long startNanos, AtomicLong written) throws SQLException {
            long lateNanos = 0;
            for (int each = index; each < phase.transactionCount(); each += WRITER_COUNT) {
                long dueNanos = startNanos + phase.dueNanos(each);
                awaitDue(dueNanos);
                lateNanos = System.nanoTime() - dueNanos;
                int first = each * phase.rowsPerTransaction();
                int rows = Math.min(phase.rowsPerTransaction(), phase.rowCount() - first);
                insert(phase.number(), rows);
                connection.commit();
                written.addAndGet(rows);
            }
            return lateNanos;
        }

        private void insert(int phase, int rows) throws SQLException {
            for (int i = 0; i < rows; i++) {
                int own = nextAccount;
                nextAccount = (nextAccount + 1) % ACCOUNTS_PER_WRITER;
                insert.setInt(1, own * WRITER_COUNT + index);
                insert.setLong(2, seqs[own]++);
                insert.setInt(3, phase);
                insert.setString(4, payload());
                insert.addBatch();
            }
            int[] ignored = insert.executeBatch();
        }

        private String payload() {
            StringBuilder text = new StringBuilder(PAYLOAD_CHARS + 16);
            while (text.length() < PAYLOAD_CHARS) {
                text.append(Long.toString(random.nextLong(), Character.MAX_RADIX));
            }
            text.setLength(PAYLOAD_CHARS);
            return text.toString();
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
