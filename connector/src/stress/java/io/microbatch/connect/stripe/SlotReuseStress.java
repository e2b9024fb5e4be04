package io.microbatch.connect.stripe;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** A slot is not reused before the head after it is released, and the clearing cannot overwrite the new event. */
@JCStressTest
@Outcome(id = "0, 1, 2", expect = ACCEPTABLE, desc = "offered too early: still full")
@Outcome(id = "1, 1, 23", expect = ACCEPTABLE, desc = "the slot was reused")
@Outcome(id = ".*", expect = FORBIDDEN, desc = "an event was lost, duplicated or reordered")
@State
public class SlotReuseStress {
    private final SpscRing<Integer> ring = new SpscRing<>(2, 10);

    /** Fills the ring. */
    public SlotReuseStress() {
        ring.stage(1, 1);
        ring.stage(2, 1);
        ring.publish();
    }

    /** Reader thread. */
    @Actor
    public void offer(III_Result r) {
        if (ring.stage(3, 1) == Offer.ACCEPTED) {
            ring.publish();
            r.r1 = 1;
        }
    }

    /** Consumer. */
    @Actor
    public void drain(III_Result r) {
        ring.drain((event, sizeBytes) -> r.r2 = event == null ? -1 : event, 1, 10, (last, next) -> false);
    }

    /** The remaining events, as digits. */
    @Arbiter
    public void rest(III_Result r) {
        ring.drain(
                (event, sizeBytes) -> r.r3 = event == null ? -1 : 10 * r.r3 + event, 9, 10, (last, next) -> false);
    }
}
