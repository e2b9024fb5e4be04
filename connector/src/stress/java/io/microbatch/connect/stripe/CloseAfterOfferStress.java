package io.microbatch.connect.stripe;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A consumer that sees that the reader thread has closed the ring sees all events that were published before. */
@JCStressTest
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "neither is visible")
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "the event without the close")
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "both")
@Outcome(id = "1, 0", expect = FORBIDDEN, desc = "closed, but the last event is missing")
@State
public class CloseAfterOfferStress {
    private final SpscRing<Integer> ring = new SpscRing<>(2, 10);

    /** Reader thread. */
    @Actor
    public void offerAndClose() {
        ring.stage(1, 1);
        ring.publish();
        ring.close();
    }

    /** Consumer. */
    @Actor
    public void drain(II_Result r) {
        r.r1 = ring.isClosed() ? 1 : 0;
        r.r2 = ring.drain((event, sizeBytes) -> {}, 9, 10, (last, next) -> false);
    }
}
