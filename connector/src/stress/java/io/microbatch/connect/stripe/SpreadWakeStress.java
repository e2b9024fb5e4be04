package io.microbatch.connect.stripe;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Events are spread unevenly over two stripes: a consumer that waits for all parks only if it will be woken. */
@JCStressTest
@Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "woken by the first part, early")
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "woken by the last part")
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "woken by both")
@Outcome(id = "0, 0", expect = FORBIDDEN, desc = "parks and is not woken although all events are there")
@State
public class SpreadWakeStress {
    private final StripeSet<Integer> stripes = new StripeSet<>(2, 4, 10, () -> 0);

    /** The first reader thread, which offers more than an equal share: 1 if it wakes the consumer. */
    @Actor
    public void offerThree(II_Result r) {
        stripes.writer(0).stage(1, 1);
        stripes.writer(0).stage(2, 1);
        stripes.writer(0).stage(3, 1);
        stripes.writer(0).publish();
        r.r1 = stripes.writer(0).mustWake() ? 1 : 0;
    }

    /** Consumer, which waits for four events and so parks. */
    @Actor
    public void arm() {
        if (stripes.look(4, 100, 1, 1) != null || stripes.armAndLook(4, 100, 1, 1) != null) {
            throw new IllegalStateException("only three events are there");
        }
    }

    /** The second reader thread, which offers the last event after the consumer has parked: 1 if it wakes it. */
    @Arbiter
    public void offerOne(II_Result r) {
        stripes.writer(1).stage(1, 1);
        stripes.writer(1).publish();
        r.r2 = stripes.writer(1).mustWake() ? 1 : 0;
    }
}
