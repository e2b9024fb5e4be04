package io.microbatch.bench.hosting;

import io.microbatch.testbed.oracle.Findings;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** A member on one side, while it runs. One thread. */
final class Entrant {

    /** How long its topics have to be unchanged before they are read. */
    private static final long SETTLED_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** What is missing may come to topics that are not looked at: they are read again after this time. */
    private static final long READ_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(6);

    private final Member member;
    private final Side side;
    private final LongSupplier clock;
    private long committed;
    private long changedNanos;
    private long sawNanos;
    private long readAt = -1;
    private long readNanos;
    private long toPass;
    private int failures;
    private String problem = "";
    private boolean complete;

    /** The clock's nanoseconds count from any time. */
    Entrant(Member member, Side side, LongSupplier clock) {
        this.member = member;
        this.side = side;
        this.clock = clock;
        changedNanos = clock.getAsLong();
        sawNanos = changedNanos;
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
        sawNanos = clock.getAsLong();
        if (nowCommitted != committed) {
            committed = nowCommitted;
            changedNanos = sawNanos;
        }
    }

    /** From now on it has to deliver more than it has. */
    void mustAdvance() {
        toPass = committed;
    }

    boolean hasAdvanced() {
        return committed > toPass;
    }

    /** Whether its topics may hold what was not read yet, and have not changed for a while. */
    boolean isWorthReading() {
        boolean isNew = readAt != committed || sawNanos - readNanos > READ_AGAIN_NANOS;
        return !isDone() && isNew && sawNanos - changedNanos > SETTLED_NANOS;
    }

    /** Its topics were read. */
    void wasRead(boolean nowComplete) {
        readAt = committed;
        readNanos = clock.getAsLong();
        complete = nowComplete;
    }

    /** The time that it may deliver nothing begins again. */
    void beginPatience() {
        changedNanos = clock.getAsLong();
    }

    /** Judged at the last look: the bench itself may not have looked for a while. */
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

    /** The first problem is kept: others follow from it. */
    void trouble(String what) {
        if (problem.isEmpty()) {
            problem = what;
        }
    }

    String problem() {
        return problem;
    }

    MemberResult.OneSide result(Delivered delivered, long alsoAltered) {
        Findings findings = delivered.findings();
        return new MemberResult.OneSide(
                findings.events(),
                findings.lost(),
                findings.duplicated(),
                findings.reordered(),
                delivered.altered() + alsoAltered,
                failures,
                delivered.perSec(),
                delivered.incomplete().stream().map(member::stream).toList(),
                problem);
    }
}
