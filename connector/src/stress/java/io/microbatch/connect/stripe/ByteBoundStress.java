package io.microbatch.connect.stripe;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IJJ_Result;

/** The drained bytes are visible with the head: an event that fits only after a drain is accepted only after it. */
@JCStressTest
@Outcome(id = "0, 6, 0", expect = ACCEPTABLE, desc = "offered too early")
@Outcome(id = "1, 6, 5", expect = ACCEPTABLE, desc = "accepted after the drain")
@Outcome(id = ".*", expect = FORBIDDEN, desc = "accepted together with the first event, or the bytes are wrong")
@State
public class ByteBoundStress {
    private final SpscRing<Integer> ring = new SpscRing<>(8, 10);

    /** Uses six of ten bytes. */
    public ByteBoundStress() {
        ring.stage(1, 6);
        ring.publish();
    }

    /** Reader thread. */
    @Actor
    public void offer(IJJ_Result r) {
        if (ring.stage(2, 5) == Offer.ACCEPTED) {
            ring.publish();
            r.r1 = 1;
        }
    }

    /** Consumer, which reads the size before its drain. */
    @Actor
    public void drain(IJJ_Result r) {
        r.r2 = ring.sizeBytes();
        ring.drain((event, sizeBytes) -> {}, 1, 10, (last, next) -> false);
    }

    /** The remaining bytes. */
    @Arbiter
    public void rest(IJJ_Result r) {
        r.r3 = ring.sizeBytes();
    }
}
