package io.microbatch.bench.cdc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Properties;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * One connection and the accounts that only it writes, so that {@code seq} ascends per account in the order of the
 * commits. Used by one writer thread at a time.
 */
final class AccountWriter implements AutoCloseable {

    private static final int ACCOUNTS_PER_WRITER = 16;
    private static final int PAYLOAD_CHARS = 100;

    private final Connection connection;
    private final PreparedStatement insert;
    private final int index;
    private final int writerCount;
    private final long[] seqs = new long[ACCOUNTS_PER_WRITER];
    private final SplittableRandom random;
    private int nextAccount;

    AccountWriter(String jdbcUrl, String user, String password, int index, int writerCount) throws SQLException {
        Properties properties = new Properties();
        properties.put("user", user);
        properties.put("password", password);
        properties.put("reWriteBatchedInserts", "true");
        this.connection = DriverManager.getConnection(jdbcUrl, properties);
        this.connection.setAutoCommit(false);
        this.insert = connection.prepareStatement(EventTable.INSERT);
        this.index = index;
        this.writerCount = writerCount;
        this.random = new SplittableRandom(index);
    }

    /** Writes this writer's share of the phase on schedule and answers how late its last transaction began. */
    long write(LoadPhase phase, long startNanos, AtomicLong written) throws SQLException {
        long lateNanos = 0;
        for (int each = index; each < phase.transactionCount(); each += writerCount) {
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

    @Override
    public void close() throws SQLException {
        connection.close();
    }

    private void insert(int phase, int rows) throws SQLException {
        for (int i = 0; i < rows; i++) {
            int own = nextAccount;
            nextAccount = (nextAccount + 1) % ACCOUNTS_PER_WRITER;
            insert.setInt(1, own * writerCount + index);
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
