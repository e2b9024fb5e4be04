package io.microbatch.connect.upstream.hosted;

import io.microbatch.connect.upstream.Progress;

/** The progress of Connect as a test defines it. */
record FakeProgress(
        long durableBeforeNanos,
        long commits,
        boolean isAllSettled,
        boolean isAllAcknowledged,
        boolean isAllDispatched,
        boolean isAtLeastOnce,
        boolean isDuringCall)
        implements Progress {

    /** Connect is done with everything and has committed this number of times. */
    static FakeProgress commits(long commits) {
        return new FakeProgress(0, commits, true, true, true, false, false);
    }

    static FakeProgress durableBefore(long nanos) {
        return new FakeProgress(nanos, 1, true, true, true, false, false);
    }

    private FakeProgress with(boolean settled, boolean acknowledged, boolean dispatched) {
        return new FakeProgress(
                durableBeforeNanos, commits, settled, acknowledged, dispatched, isAtLeastOnce, isDuringCall);
    }

    private FakeProgress with(boolean atLeastOnce, boolean duringCall) {
        return new FakeProgress(
                durableBeforeNanos, commits, isAllSettled, isAllAcknowledged, isAllDispatched, atLeastOnce, duringCall);
    }

    FakeProgress withOutstanding() {
        return with(false, false, isAllDispatched);
    }

    FakeProgress withBuffered() {
        return with(false, false, false);
    }

    FakeProgress withoutAcknowledgements() {
        return with(isAllSettled, false, isAllDispatched);
    }

    FakeProgress atLeastOnce() {
        return with(true, isDuringCall);
    }

    FakeProgress duringCall() {
        return with(isAtLeastOnce, true);
    }
}
