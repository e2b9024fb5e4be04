package io.microbatch.bench.faults;

import io.microbatch.testbed.failpoint.Failpoint;
import java.util.Locale;

/**
 * A fault of the schedule.
 *
 * @param point where the worker ends, null for every other kind
 */
record Fault(FaultKind kind, Failpoint point) {

    static Fault of(FaultKind kind) {
        return new Fault(kind, null);
    }

    static Fault killAt(Failpoint point) {
        return new Fault(FaultKind.WORKER_KILL_AT, point);
    }

    String text() {
        return point == null
                ? kind.text()
                : kind.text() + " " + point.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
