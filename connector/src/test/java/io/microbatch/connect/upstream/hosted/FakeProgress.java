package io.microbatch.connect.upstream.hosted;

import io.microbatch.connect.upstream.Progress;

/** What a test says of how far Connect is. */
record FakeProgress(
        long durableBeforeNanos,
        long commits,
        boolean isAllSettled,
        boolean isAllDispatched,
        boolean isAtLeastOnce,
        boolean isDuringCall,
        boolean isTooMuchKept)
        implements Progress {

    /** Connect is done with everything, and has committed so often. */
    static FakeProgress commits(long commits) {
        return new FakeProgress(0, commits, true, true, false, false, false);
    }

    static FakeProgress durableBefore(long nanos) {
        return new FakeProgress(nanos, 1, true, true, false, false, false);
    }

    FakeProgress withOutstanding() {
        return new FakeProgress(
                durableBeforeNanos, commits, false, isAllDispatched, isAtLeastOnce, isDuringCall, isTooMuchKept);
    }

    FakeProgress withBuffered() {
        return new FakeProgress(durableBeforeNanos, commits, false, false, isAtLeastOnce, isDuringCall, isTooMuchKept);
    }

    FakeProgress atLeastOnce() {
        return new FakeProgress(
                durableBeforeNanos, commits, isAllSettled, isAllDispatched, true, isDuringCall, isTooMuchKept);
    }

    FakeProgress duringCall() {
        return new FakeProgress(
                durableBeforeNanos, commits, isAllSettled, isAllDispatched, isAtLeastOnce, true, isTooMuchKept);
    }

    FakeProgress withTooMuchKept() {
        return new FakeProgress(
                durableBeforeNanos, commits, isAllSettled, isAllDispatched, isAtLeastOnce, isDuringCall, true);
    }
}
