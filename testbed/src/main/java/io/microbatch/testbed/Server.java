package io.microbatch.testbed;

import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * One server, wherever it runs: started, awaited, stopped or killed, and started again with the same identity and data.
 * Used by one thread at a time; only the shutdown guard reaches in from another.
 */
interface Server {

    /** Starts and waits until {@code ready}. One that ends first, or is too late, is stopped and reported. */
    void start(Duration limit, BooleanSupplier ready);

    boolean isAlive();

    /** The process id on this machine, while it is alive. */
    long pid();

    /** SIGTERM, then SIGKILL when the grace is over. Its data stays. */
    void stop(Duration grace);

    /** The same, and removes it: only what it wrote under its work directory is left. */
    void remove(Duration grace);

    /** SIGKILL, and waits until it is gone. */
    void kill();

    /** Keeps its memory, its connections and its locks, and does nothing. */
    void freeze();

    /** Goes on. */
    void thaw();

    /** Its whole log, over all restarts. */
    List<String> lines();

    /** The last lines of the log, for a failure message. */
    String tail();
}
