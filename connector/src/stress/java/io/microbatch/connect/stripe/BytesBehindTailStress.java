package io.microbatch.connect.stripe;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Offered bytes are not visible before their events, so the consumer can drain the bytes for which it is woken. */
@JCStressTest
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "neither is visible")
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "the event without its bytes")
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "both")
@Outcome(id = "1, 0", expect = FORBIDDEN, desc = "enough bytes, but no event to drain")
@State
public class BytesBehindTailStress {
    private final StripeSet<Integer> stripes = new StripeSet<>(1, 2, 10, () -> 0);

    /** Reader thread. */
    @Actor
    public void publish() {
        stripes.writer(0).stage(1, 5);
        stripes.writer(0).publish();
    }

    /** Consumer. */
    @Actor
    public void lookAndDrain(II_Result r) {
        r.r1 = stripes.look(99, 5, 1, 1) == Wake.BYTES ? 1 : 0;
        r.r2 = stripes.drain((event, sizeBytes) -> {}, 9, 10, (last, next) -> false);
    }
}
