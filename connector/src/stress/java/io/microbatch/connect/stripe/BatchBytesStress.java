package io.microbatch.connect.stripe;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.J_Result;

/** An event that comes while a stripe is drained exceeds the maximum bytes of the batch no more than another one. */
@JCStressTest
@Outcome(id = "9", expect = ACCEPTABLE, desc = "the first event fits, and the second one waits")
@Outcome(id = "15", expect = FORBIDDEN, desc = "both, although the second one does not fit")
@State
public class BatchBytesStress {
    private final StripeSet<Integer> stripes = new StripeSet<>(1, 8, 20, () -> 0);

    /** Uses nine of ten bytes. */
    public BatchBytesStress() {
        stripes.writer(0).stage(1, 9);
        stripes.writer(0).publish();
    }

    /** Reader thread. */
    @Actor
    public void offer() {
        stripes.writer(0).stage(2, 6);
        stripes.writer(0).publish();
    }

    /** Consumer, with a limit of ten bytes. */
    @Actor
    public void drain(J_Result r) {
        stripes.drain((event, sizeBytes) -> r.r1 += sizeBytes, 8, 10, (last, next) -> false);
    }
}
