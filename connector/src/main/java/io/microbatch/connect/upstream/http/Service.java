package io.microbatch.connect.upstream.http;

import io.microbatch.connect.config.HttpConfig;
import java.util.function.LongSupplier;

/**
 * What all connections of a task share. Any thread.
 *
 * @param nanoClock the task's monotonic clock
 */
record Service(
        HttpConfig config,
        HttpIdentity identity,
        Access access,
        Bodies bodies,
        Admission admission,
        Inbox inbox,
        HttpFigures figures,
        LongSupplier nanoClock) {

    long nowNanos() {
        return nanoClock.getAsLong();
    }
}
