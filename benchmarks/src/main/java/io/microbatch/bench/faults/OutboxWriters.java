package io.microbatch.bench.faults;

import io.microbatch.bench.faults.OutboxResult.Transactions;
import io.microbatch.testbed.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Services that change keys, each with the event of the change in the same transaction, over a connection each. Their
 * transactions overlap: some are rolled back, as a whole or to a savepoint, some are prepared first, some end seconds
 * after their inserts, and one stays open. A service whose connection is lost goes on with a new one. Used by one
 * thread.
 */
final class OutboxWriters implements AutoCloseable {

    /** Keys that are changed all the time. Those of late transactions, whose lock lasts, come after them. */
    static final int STEADY_KEYS = 12;

    static final int KEYS = 16;
    private static final int OPEN_KEY = KEYS - 1;

    private static final int STEADY_WRITERS = 8;
    private static final int LATE_WRITERS = 2;
    private static final long PAUSE_MS = 40;
    private static final long RETRY_MS = 100;
    private static final int PREPARED_FOR_MS = 300;
    private static final int LATE_BY_MS = 5_000;
    private static final long OPEN_FOR_MS = 60_000;
    private static final long LIMIT_S = 60;

    private final PostgresServer postgres;
    private final OutboxTables tables;
    private final CountDownLatch opened = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicLong committed = new AtomicLong();
    private final AtomicLong rolledBack = new AtomicLong();
    private final AtomicLong prepared = new AtomicLong();
    private final AtomicLong late = new AtomicLong();
    private final AtomicLong cut = new AtomicLong();
    private volatile RuntimeException failure;

    /**
     * A service with a connection.
     *
     * @param gid how the names of its prepared transactions begin
     */
    private record Session(Connection connection, SplittableRandom random, String gid) {}

    /** What a service does again and again. */
    @FunctionalInterface
    private interface Work {
        /** Runs a transaction, which is over when this returns. */
        void run(Session session) throws SQLException, InterruptedException;
    }

    /** Starts the services on tables of {@link #KEYS} keys. The transaction that stays open has the first number. */
    OutboxWriters(PostgresServer postgres, OutboxTables tables) {
        this.postgres = postgres;
        this.tables = tables;
        start(this::stayOpen);
        if (!waited(opened, TimeUnit.SECONDS.toMillis(LIMIT_S))) {
            throw new IllegalStateException("no transaction could be opened", failure);
        }
        for (int i = 0; i < STEADY_WRITERS; i++) {
            start(this::steady);
        }
        for (int i = 0; i < LATE_WRITERS; i++) {
            start(this::endLate);
        }
    }

    private void start(Work work) {
        int number = threads.size();
        Thread thread = new Thread(() -> run(work, number), "faults-outbox-" + number);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    private void run(Work work, int number) {
        SplittableRandom random = new SplittableRandom(tables.run() * 100 + number);
        String gid = tables.name() + "-" + number + "-";
        try {
            boolean isOver = false;
            while (!isOver) {
                isOver = isDone(work, random, gid) || ended.await(RETRY_MS, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            failure = e;
        }
    }

    /** Works with one connection until it is lost. Returns whether all work is done. */
    private boolean isDone(Work work, SplittableRandom random, String gid) throws InterruptedException {
        boolean isConnected = false;
        try (Connection connection = postgres.connect()) {
            isConnected = true;
            // What the last connection has prepared holds locks.
            resolve(connection, gid);
            do {
                work.run(new Session(connection, random, gid));
            } while (!ended.await(PAUSE_MS, TimeUnit.MILLISECONDS));
            return true;
        } catch (SQLException e) {
            // The database is what is being broken. The truth tells whether a last commit without an answer was done.
            long ignored = isConnected ? cut.incrementAndGet() : 0;
            return false;
        }
    }

    private void stayOpen(Session session) throws SQLException, InterruptedException {
        tables.change(session.connection(), OPEN_KEY, true);
        opened.countDown();
        boolean ignored = ended.await(OPEN_FOR_MS, TimeUnit.MILLISECONDS);
        end(session, true);
    }

    private void endLate(Session session) throws SQLException, InterruptedException {
        int part = session.random().nextInt(STEADY_KEYS, OPEN_KEY);
        boolean isKept = session.random().nextInt(4) != 0;
        tables.change(session.connection(), part, isKept);
        boolean ignored = ended.await(session.random().nextInt(LATE_BY_MS), TimeUnit.MILLISECONDS);
        tables.change(session.connection(), part, isKept);
        end(session, isKept);
        late.incrementAndGet();
    }

    private void steady(Session session) throws SQLException, InterruptedException {
        switch (session.random().nextInt(10)) {
            case 0 -> {
                change(session, false);
                end(session, false);
            }
            case 1, 2 -> {
                changeWithSavepoints(session);
                end(session, true);
            }
            case 3 -> changeInTwoPhases(session);
            default -> {
                change(session, true);
                end(session, true);
            }
        }
    }

    /** Changes one to three keys, in the order of their numbers, so that no two transactions wait for each other. */
    private void change(Session session, boolean isKept) throws SQLException {
        int changes = session.random().nextInt(1, 4);
        int range = STEADY_KEYS / changes;
        for (int i = 0; i < changes; i++) {
            tables.change(session.connection(), session.random().nextInt(i * range, (i + 1) * range), isKept);
        }
    }

    /** Changes a key thrice: before a savepoint, behind one that is released, and behind one that is rolled back to. */
    private void changeWithSavepoints(Session session) throws SQLException {
        int part = session.random().nextInt(STEADY_KEYS);
        Connection connection = session.connection();
        tables.change(connection, part, true);
        Savepoint released = connection.setSavepoint();
        tables.change(connection, part, true);
        connection.releaseSavepoint(released);
        Savepoint undone = connection.setSavepoint();
        tables.change(connection, part, false);
        connection.rollback(undone);
        rolledBack.incrementAndGet();
    }

    /** The name of the transaction says how it ends, for the next connection if this one is lost before. */
    private void changeInTwoPhases(Session session) throws SQLException, InterruptedException {
        boolean isKept = session.random().nextInt(3) != 0;
        change(session, isKept);
        execute(session.connection(), "PREPARE TRANSACTION '" + session.gid() + (isKept ? "COMMIT" : "ROLLBACK") + "'");
        boolean ignored = ended.await(session.random().nextInt(PREPARED_FOR_MS), TimeUnit.MILLISECONDS);
        resolve(session.connection(), session.gid());
        prepared.incrementAndGet();
        (isKept ? committed : rolledBack).incrementAndGet();
    }

    /** Ends the prepared transactions whose name begins so, as the rest of it says. Then begins a new transaction. */
    private static void resolve(Connection connection, String gid) throws SQLException {
        List<String> names = new ArrayList<>();
        // Not within a transaction.
        connection.setAutoCommit(true);
        try (Statement sql = connection.createStatement();
                ResultSet rows = sql.executeQuery("SELECT gid FROM pg_prepared_xacts")) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        }
        for (String name : names) {
            if (name.startsWith(gid)) {
                execute(connection, name.substring(name.lastIndexOf('-') + 1) + " PREPARED '" + name + "'");
            }
        }
        connection.setAutoCommit(false);
    }

    private static void execute(Connection connection, String statement) throws SQLException {
        try (Statement sql = connection.createStatement()) {
            boolean ignored = sql.execute(statement);
        }
    }

    private void end(Session session, boolean isKept) throws SQLException {
        if (isKept) {
            session.connection().commit();
        } else {
            session.connection().rollback();
        }
        (isKept ? committed : rolledBack).incrementAndGet();
    }

    private static boolean waited(CountDownLatch latch, long limitMs) {
        try {
            return latch.await(limitMs, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** How the transactions ended so far. */
    Transactions transactions() {
        return new Transactions(committed.get(), rolledBack.get(), prepared.get(), late.get(), cut.get());
    }

    /** Lets every transaction end, and returns when no more rows come. */
    void end() {
        ended.countDown();
        try {
            for (Thread thread : threads) {
                thread.join(TimeUnit.SECONDS.toMillis(LIMIT_S));
                if (thread.isAlive()) {
                    throw new IllegalStateException(thread.getName() + " did not end");
                }
            }
            try (Connection connection = postgres.connect()) {
                resolve(connection, tables.name() + "-");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (SQLException e) {
            throw new IllegalStateException("prepared transactions could not be ended", e);
        }
        if (failure != null) {
            throw new IllegalStateException("the events could not be written", failure);
        }
    }

    /** Ends the services without waiting for them. */
    @Override
    public void close() {
        ended.countDown();
    }
}
