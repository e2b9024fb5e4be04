package io.microbatch.connect.console;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The console's threads: daemons with names, which end when they are idle. Stateless; any thread. */
final class Threads {

    private static final long IDLE_SECONDS = 30;

    private Threads() {}

    static ThreadFactory named(String purpose) {
        return task -> {
            Thread thread = new Thread(task, "microbatch-console-" + purpose);
            thread.setDaemon(true);
            return thread;
        };
    }

    /** A pool that refuses work beyond its threads and its queue. */
    static ThreadPoolExecutor pool(String purpose, int threads, int queued) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                threads,
                threads,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(queued),
                named(purpose),
                new ThreadPoolExecutor.AbortPolicy());
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }
}
