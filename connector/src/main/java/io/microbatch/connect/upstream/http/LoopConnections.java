package io.microbatch.connect.upstream.http;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** The connections of one event loop, and its clock for what may take seconds. That loop's thread only. */
final class LoopConnections {

    /** The time between two sweeps. */
    static final long SWEEP_NANOS = 250_000_000;

    private final Set<Connection> connections = Collections.newSetFromMap(new IdentityHashMap<>());

    /** Of connections that are closed. */
    private final List<Activity> activities = new ArrayList<>();

    void add(Connection connection) {
        boolean ignored = connections.add(connection);
    }

    /** A connection has ended. Its client may come back at once, with another one. */
    void remove(Connection connection, Activity activity) {
        if (connections.remove(connection)) {
            boolean ignored = activities.add(activity);
        }
    }

    /** Ends what takes too long. Called every {@link #SWEEP_NANOS}. */
    void sweep(long nowNanos) {
        each(connection -> connection.sweep(nowNanos));
        boolean ignored = activities.removeIf(activity -> activity.endIfIdle(nowNanos));
    }

    /** Passes each connection. The action may end it. */
    void each(Consumer<Connection> action) {
        new ArrayList<>(connections).forEach(action);
    }

    /** The requests that are on their way. */
    List<PendingRequest> pending() {
        return connections.stream()
                .map(connection -> connection.exchange().pending())
                .filter(request -> request != null)
                .toList();
    }

    /** Ends these requests, as far as they are of this loop. */
    void end(List<PendingRequest> requests, Cause cause) {
        Set<PendingRequest> ended = Collections.newSetFromMap(new IdentityHashMap<>());
        boolean ignored = ended.addAll(requests);
        each(connection -> {
            PendingRequest pending = connection.exchange().pending();
            if (ended.contains(pending)) {
                connection.exchange().end(pending, cause);
            }
        });
    }
}
