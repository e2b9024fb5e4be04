package io.microbatch.connect.stripe;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A reader thread whose stripe is full of visible and staged events publishes no part of its run when the consumer takes
 * the visible ones: there is room for the rest then.
 */
@JCStressTest
@Outcome(id = "0", expect = ACCEPTABLE, desc = "parks and is woken")
@Outcome(id = "1", expect = ACCEPTABLE, desc = "sees the room")
@Outcome(id = "2", expect = FORBIDDEN, desc = "is told that staged events alone fill the stripe")
@State
public class StagedFreedStress {
    private final StripeSet<Integer> stripes = new StripeSet<>(1, 2, 10, () -> 0);

    /** One visible event, one staged event, and a refused offer. */
    public StagedFreedStress() {
        stripes.writer(0).stage(1, 1);
        stripes.writer(0).publish();
        stripes.writer(0).stage(2, 1);
        stripes.writer(0).ring.stage(3, 1);
    }

    /** Reader thread. */
    @Actor
    public void ask(I_Result r) {
        Space space = stripes.writer(0).askForSpace();
        r.r1 = space == null ? 0 : space == Space.FREED ? 1 : 2;
    }

    /** Consumer. */
    @Actor
    public void drain() {
        stripes.drain((event, sizeBytes) -> {}, 9, 10, (last, next) -> false);
    }
}
