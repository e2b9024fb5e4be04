package io.microbatch.connect.stripe;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A consumer that waits for more events parks only if the reader thread wakes it for a pause (Dekker). */
@JCStressTest
@Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "parks and is woken")
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "sees the pause and does not park")
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "both: the wake-up is redundant")
@Outcome(id = "0, 0", expect = FORBIDDEN, desc = "parks until its deadline, before which nothing comes")
@State
public class PauseStress {
    private final StripeSet<Integer> stripes = new StripeSet<>(1, 4, 10, () -> 0);

    /** Reader thread: 1 if it wakes the consumer. */
    @Actor
    public void pause(II_Result r) {
        stripes.writer(0).stage(1, 1);
        stripes.writer(0).publish();
        r.r1 = stripes.writer(0).pauseAndClaimWake(7) ? 1 : 0;
    }

    /** Consumer, which waits for two events until the time 5: 1 if it does not park. */
    @Actor
    public void arm(II_Result r) {
        Wake reason = stripes.look(2, 10, 5, 5);
        if (reason == null) {
            reason = stripes.armAndLook(2, 10, 5, 5);
        }
        r.r2 = reason == null ? 0 : 1;
    }
}
