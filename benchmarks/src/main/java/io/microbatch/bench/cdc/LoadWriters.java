package io.microbatch.bench.cdc;

import io.microbatch.testbed.PostgresServer;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/** All writers, each on a thread of its own. Open loop: a transaction is due when it is due, however late the last was. */
final class LoadWriters implements AutoCloseable {

    static final int WRITER_COUNT = 8;

    private final List<AccountWriter> writers = new ArrayList<>();
    private final ExecutorService threads = Executors.newFixedThreadPool(WRITER_COUNT, task -> {
        Thread thread = new Thread(task, "bench-writer");
        thread.setDaemon(true);
        return thread;
    });
    private final AtomicLong written = new AtomicLong();

    LoadWriters(PostgresServer postgres) throws SQLException {
        for (int i = 0; i < WRITER_COUNT; i++) {
            writers.add(new AccountWriter(postgres.jdbcUrl(), postgres.user(), postgres.password(), i, WRITER_COUNT));
        }
    }

    /** Starts a phase; the answer completes with how late, in nanoseconds, the latest last transaction began. */
    CompletableFuture<Long> begin(LoadPhase phase) {
        long startNanos = System.nanoTime();
        CompletableFuture<Long> latest = CompletableFuture.completedFuture(0L);
        for (AccountWriter writer : writers) {
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
        for (AccountWriter writer : writers) {
            writer.close();
        }
    }
}
