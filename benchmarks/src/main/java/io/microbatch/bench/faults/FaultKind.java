package io.microbatch.bench.faults;

import java.util.Locale;

/** What can be done to a running pipeline. {@link Inflictor} does it. */
enum FaultKind {
    WORKER_KILL(true),
    WORKER_KILL_AT(true),
    BOTH_WORKERS_KILL(true),
    WORKER_FREEZE_SHORT(true),
    WORKER_FREEZE_LONG(true),
    WORKER_LEAVES_AND_COMES(false),
    BROKER_KILL(true),
    /** All brokers, for as long as the run affords. */
    BROKERS_STOPPED_LONG(true),
    BROKER_FREEZE_SHORT(true),
    BROKER_FREEZE_LONG(true),
    NET_CUT(false),
    NET_RESET(false),
    NET_HALF_CLOSE(false),
    NET_DELAY(false),
    NET_BLACK_HOLE(false),
    NET_ANSWERS_LOST(false),
    PAUSE(false),
    STOP(false),
    RESTART(false),
    TASKS_4_1_4(false),
    DELETE_AND_CREATE(false),
    POSTGRES_KILL(false),
    POSTGRES_CUT(false),
    POSTGRES_BLACK_HOLE(false);

    private final boolean killsOrFreezes;

    FaultKind(boolean killsOrFreezes) {
        this.killsOrFreezes = killsOrFreezes;
    }

    /** Whether its recovery is among those that the result sums up: from the kill, or from the end of the freeze. */
    boolean killsOrFreezes() {
        return killsOrFreezes;
    }

    /** Whether broker processes end. */
    boolean endsBrokers() {
        return this == BROKER_KILL || this == BROKERS_STOPPED_LONG;
    }

    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
