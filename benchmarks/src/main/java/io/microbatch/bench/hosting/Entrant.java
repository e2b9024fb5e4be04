package io.microbatch.bench.hosting;

import java.util.concurrent.TimeUnit;

/** A member on one side, while it runs. One thread. */
final class Entrant {

    /** How long its topics have to be unchanged until it is worth reading them. */
    private static final long SETTLED_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** What is missing may come to other topics than those that are looked at. */
    private static final long READ_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(6);

    private final Member member;
    private final Side side;
    private long committed;
    private long changedNanos = System.nanoTime();
    private long sawNanos = changedNanos;
    private long readAt = -1;
    private long readNanos;
    private long toPass;
    private int failures;
    private String problem = "";
    private boolean complete;

    Entrant(Member member, Side side) {
        this.member = member;
        this.side = side;
    }

    Member member() {
        return member;
    }

    Side side() {
        return side;
    }

    /** The name of its connector. */
    String connector() {
        return member.topics(side).get(0).name();
    }

    /** How far its topics are committed now. */
    void saw(long nowCommitted) {
        sawNanos = System.nanoTime();
        if (nowCommitted != committed) {
            committed = nowCommitted;
            changedNanos = sawNanos;
        }
    }

    /** From now on it has to get ahead of where it is. */
    void mustAdvance() {
        toPass = committed;
    }

    boolean hasAdvanced() {
        return committed > toPass;
    }

    /** Whether its topics may hold what was not read yet, and rest. */
    boolean isWorthReading() {
        boolean isNew = readAt != committed || sawNanos - readNanos > READ_AGAIN_NANOS;
        return !isDone() && isNew && sawNanos - changedNanos > SETTLED_NANOS;
    }

    /** What a reading of its topics came to. */
    void wasRead(boolean nowComplete) {
        readAt = committed;
        readNanos = System.nanoTime();
        complete = nowComplete;
    }

    /** The time that it may bring nothing begins again. */
    void beginPatience() {
        changedNanos = System.nanoTime();
    }

    /** By what was seen: the bench itself may not have looked for a while. */
    boolean isStalled() {
        return sawNanos - changedNanos > member.patience().toNanos();
    }

    boolean isDone() {
        return complete || !problem.isEmpty();
    }

    boolean isComplete() {
        return complete;
    }

    void failed() {
        failures++;
    }

    int failures() {
        return failures;
    }

    /** The first problem is kept: others follow from it. */
    void trouble(String what) {
        if (problem.isEmpty()) {
            problem = what;
        }
    }

    String problem() {
        return problem;
    }

    Outcome outcome(Delivered delivered, long alsoAltered) {
        var findings = delivered.findings();
        return new Outcome(
                findings.events(),
                findings.lost(),
                findings.duplicated(),
                findings.reordered(),
                delivered.altered() + alsoAltered,
                failures,
                delivered.perSec(),
                problem);
    }
}
