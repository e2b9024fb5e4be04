package io.microbatch.connect.stripe;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** The slots are replaced while the consumer drains and looks again. It takes each event once and in order. */
@JCStressTest
@Outcome(id = "12, 0, 0", expect = ACCEPTABLE, desc = "offered too early: still full")
@Outcome(id = "12, 2, 34", expect = ACCEPTABLE, desc = "published after the second drain")
@Outcome(id = "1234, 2, 0", expect = ACCEPTABLE, desc = "published before the second drain")
@Outcome(id = ".*", expect = FORBIDDEN, desc = "an event was lost, duplicated or reordered")
@State
public class GrowthStress {
    private final SpscRing<Integer> ring = new SpscRing<>(16, 100, 0, 2);

    /** Fills the first slots. */
    public GrowthStress() {
        ring.stage(1, 1);
        ring.stage(2, 1);
        ring.publish();
    }

    /** Reader thread. If the first offer comes before the first drain and the second one after it, the ring grows. */
    @Actor
    public void offer(III_Result r) {
        Offer third = ring.stage(3, 1);
        if (third != Offer.ACCEPTED) {
            third = ring.stage(3, 1);
        }
        if (third == Offer.ACCEPTED) {
            r.r2 = ring.stage(4, 1) == Offer.ACCEPTED ? 2 : 1;
            ring.publish();
        }
    }

    /** Consumer. The events as digits. */
    @Actor
    public void drain(III_Result r) {
        for (int i = 0; i < 2; i++) {
            ring.drain(
                    (event, sizeBytes) -> r.r1 = event == null ? -1 : 10 * r.r1 + event,
                    9,
                    100,
                    (last, next) -> false);
        }
    }

    /** The remaining events, as digits. */
    @Arbiter
    public void rest(III_Result r) {
        ring.drain(
                (event, sizeBytes) -> r.r3 = event == null ? -1 : 10 * r.r3 + event, 9, 100, (last, next) -> false);
    }
}
