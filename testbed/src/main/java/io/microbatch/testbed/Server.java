package io.microbatch.testbed;

import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * One server in a process or a container. It can be started, awaited, stopped or killed, and started again with the
 * same identity and data. Used by one thread at a time, except by the shutdown guard.
 */
interface Server {

    /**
     * Starts the server and waits until it is {@code ready}. If it ends first or exceeds the limit, stops and reports
     * it.
     */
    void start(Duration limit, BooleanSupplier ready);

    boolean isAlive();

    /** The process id on this machine, while the server runs. */
    long pid();

    /** Sends SIGTERM, then SIGKILL after the grace period. The data remains. */
    void stop(Duration grace);

    /** Stops the server and removes it. Only its files under its work directory remain. */
    void remove(Duration grace);

    /** Sends SIGKILL and waits for the end. */
    void kill();

    /** Suspends the server, which keeps its memory, its connections and its locks. */
    void freeze();

    /** Resumes the server. */
    void thaw();

    /** The whole log, over all restarts. */
    List<String> lines();

    /** The last lines of the log, for a failure message. */
    String tail();
}
