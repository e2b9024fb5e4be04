package io.microbatch.connect.stripe;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** The acquire of the tail makes the event and its content visible. */
@JCStressTest
@Outcome(id = "-1", expect = ACCEPTABLE, desc = "drained before the offer")
@Outcome(id = "42", expect = ACCEPTABLE, desc = "drained with its content")
@Outcome(id = "0", expect = FORBIDDEN, desc = "drained before its content was visible")
@Outcome(id = "-2", expect = FORBIDDEN, desc = "the slot was not visible")
@State
public class ElementVisibleStress {
    private final SpscRing<Content> ring = new SpscRing<>(2, 10);

    /** Reader thread. */
    @Actor
    public void offer() {
        Content content = new Content();
        content.value = 42;
        ring.stage(content, 1);
        ring.publish();
    }

    /** Consumer. */
    @Actor
    public void drain(I_Result r) {
        r.r1 = -1;
        ring.drain(
                (content, sizeBytes) -> r.r1 = content == null ? -2 : content.value, 1, 10, (last, next) -> false);
    }

    private static final class Content {
        private int value;
    }
}
