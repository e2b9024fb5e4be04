package io.microbatch.connect.stripe;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** The consumer takes one of two marked events while the reader thread marks a third: the second is not late. */
@JCStressTest
@Outcome(id = "3, 3", expect = ACCEPTABLE, desc = "the first mark holds for the event that stays")
@Outcome(expect = FORBIDDEN, desc = "the event that stays has a later time or none")
@State
public class LeaveByStaysStress {
    private final StripeSet<Integer> stripes = new StripeSet<>(1, 4, 10, () -> 0);

    /** Two events with a mark at 3. */
    public LeaveByStaysStress() {
        stripes.writer(0).stage(1, 1);
        offer(3);
    }

    private void offer(long leaveByNanos) {
        stripes.writer(0).stage(1, 1);
        stripes.writer(0).publish();
        stripes.writer(0).leaveBy(leaveByNanos);
    }

    /** Reader thread. */
    @Actor
    public void mark() {
        offer(7);
    }

    /** Consumer. */
    @Actor
    public void drain(JJ_Result r) {
        int taken = stripes.drain((event, sizeBytes) -> {}, 1, 10, (last, next) -> false);
        r.r1 = taken == 1 ? stripes.leaveByNanos(9) : -1;
    }

    /** The mark at the end. */
    @Arbiter
    public void end(JJ_Result r) {
        r.r2 = stripes.leaveByNanos(9);
    }
}
