package io.microbatch.connect.stripe;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** An offer concurrent with a close reports correctly whether the event is in the ring. */
@JCStressTest
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "the offer came first")
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "the close came first")
@Outcome(id = ".*", expect = FORBIDDEN, desc = "rejected but present, or accepted but lost")
@State
public class CloseVsOfferStress {
    private final SpscRing<Integer> ring = new SpscRing<>(2, 10);

    /** Reader thread. */
    @Actor
    public void offer(II_Result r) {
        if (ring.stage(1, 1) == Offer.ACCEPTED) {
            ring.publish();
            r.r1 = 1;
        }
    }

    /** Any other thread. */
    @Actor
    public void close() {
        ring.close();
    }

    /** The number of events that the consumer finds. */
    @Arbiter
    public void rest(II_Result r) {
        r.r2 = ring.drain((event, sizeBytes) -> {}, 9, 10, (last, next) -> false);
    }
}
