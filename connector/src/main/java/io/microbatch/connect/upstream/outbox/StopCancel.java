package io.microbatch.connect.upstream.outbox;

import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cancels the statements of a stopping task that take long, such as those that wait for a lock. It has a thread of its
 * own: a cancellation is a connection of its own, and the thread that stops the task must not wait for it. Any thread.
 */
final class StopCancel implements Runnable {

    private static final Logger log = LoggerFactory.getLogger(StopCancel.class);

    /** A statement that takes longer is cancelled. */
    private static final long PATIENCE_MS = 300;

    private final String name;
    private final Supplier<OutboxConnection> running;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean isBegun;

    /**
     * Prepares cancellations.
     *
     * @param name the thread's name
     * @param running the connection at the moment of the call, or null
     */
    StopCancel(String name, Supplier<OutboxConnection> running) {
        this.name = name;
        this.running = running;
    }

    /** The task is to stop. */
    void begin() {
        isBegun = true;
        Thread thread = new Thread(this, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** The task has stopped. Nothing happens if only its start has failed, and may be tried again. */
    void end() {
        if (isBegun) {
            ended.countDown();
        }
    }

    @Override
    public void run() {
        try {
            while (!ended.await(PATIENCE_MS, TimeUnit.MILLISECONDS)) {
                OutboxConnection connection = running.get();
                if (connection != null) {
                    cancel(connection);
                }
            }
        } catch (InterruptedException e) {
            log.debug("The statements of a stopping task are not cancelled any more", e);
        }
    }

    private static void cancel(OutboxConnection connection) {
        try {
            connection.cancel();
        } catch (SQLException e) {
            log.debug("A statement of a stopping task could not be cancelled", e);
        }
    }
}
