package io.microbatch.connect.stripe;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** While the consumer takes the event of one mark, the reader thread marks another: none is put off or lost. */
@JCStressTest
@Outcome(id = "7, 7", expect = ACCEPTABLE, desc = "the first event was gone: the second mark as set")
@Outcome(id = "9, 7", expect = ACCEPTABLE, desc = "the same, and the consumer looked before it was set")
@Outcome(id = "9, 3", expect = ACCEPTABLE, desc = "the first mark held: the earlier time stays, set behind the look")
@Outcome(id = "3, 3", expect = ACCEPTABLE, desc = "the first mark held, and the consumer sees the earlier time")
@Outcome(expect = FORBIDDEN, desc = "a time that belongs to another tail, or a mark that is missing at the end")
@State
public class LeaveByMinimumStress {
    private final StripeSet<Integer> stripes = new StripeSet<>(1, 4, 10, () -> 0);

    /** One event with a mark at 3. */
    public LeaveByMinimumStress() {
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

    /** Consumer, which takes the first event: the mark that it sees behind it, otherwise 9. */
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
