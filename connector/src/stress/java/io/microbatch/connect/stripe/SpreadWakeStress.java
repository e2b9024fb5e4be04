package io.microbatch.connect.stripe;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Events spread unevenly over two stripes: the drainer that wants them all parks only if somebody will wake it. */
@JCStressTest
@Outcome(id = "0, 0, 0", expect = FORBIDDEN, desc = "parks, and nobody wakes it")
@Outcome(id = ".*", expect = ACCEPTABLE, desc = "woken, or not parked")
@State
public class SpreadWakeStress {
    private final StripeSet<Integer> stripes = new StripeSet<>(2, 4, 10, () -> 0);

    /** First reader thread: 1 if it wakes. */
    @Actor
    public void offerThree(III_Result r) {
        stripes.writer(0).stage(1, 1);
        stripes.writer(0).stage(2, 1);
        stripes.writer(0).stage(3, 1);
        stripes.writer(0).publish();
        r.r1 = stripes.stripes[0].mustWake() ? 1 : 0;
    }

    /** Second reader thread: 1 if it wakes. */
    @Actor
    public void offerOne(III_Result r) {
        stripes.writer(1).stage(1, 1);
        stripes.writer(1).publish();
        r.r2 = stripes.stripes[1].mustWake() ? 1 : 0;
    }

    /** Drainer, which wants four: 1 if it does not park. */
    @Actor
    public void arm(III_Result r) {
        Wake reason = stripes.look(4, 100, 1);
        if (reason == null) {
            reason = stripes.armAndLook(4, 100, 1);
        }
        r.r3 = reason == null ? 0 : 1;
    }
}
