package io.microbatch.connect.stripe;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A reader thread that found the ring full parks only if the consumer will wake it (Dekker). */
@JCStressTest
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "parks and is woken")
@Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "sees the room; its request is not yet taken back")
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "both: the wake-up is redundant")
@Outcome(id = "0, 0", expect = FORBIDDEN, desc = "parks and is not woken")
@State
public class SpaceWaitStress {
    private final StripeSet<Integer> stripes = new StripeSet<>(1, 1, 10, () -> 0);

    /** Fills the ring, with a refused offer. */
    public SpaceWaitStress() {
        stripes.writer(0).stage(1, 1);
        stripes.writer(0).publish();
        stripes.writer(0).ring.stage(2, 1);
    }

    /** Reader thread: 1 if it does not park. */
    @Actor
    public void ask(II_Result r) {
        r.r1 = stripes.writer(0).askForSpace() == null ? 0 : 1;
    }

    /** Consumer. */
    @Actor
    public void drain() {
        stripes.drain((event, sizeBytes) -> {}, 9, 10, (last, next) -> false);
    }

    /** 1 if the consumer answered the request. */
    @Arbiter
    public void answered(II_Result r) {
        r.r2 = stripes.writer(0).acquireSpaceWanted() == StripeWake.Fields.NOT_WANTED ? 1 : 0;
    }
}
