package io.microbatch.connect.stripe;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A staged run becomes visible as a whole or not at all. */
@JCStressTest
@Outcome(id = "0", expect = ACCEPTABLE, desc = "drained before the publication")
@Outcome(id = "3", expect = ACCEPTABLE, desc = "the whole run")
@Outcome(id = ".*", expect = FORBIDDEN, desc = "a part of the run")
@State
public class StagedRunStress {
    private final SpscRing<Integer> ring = new SpscRing<>(4, 10);

    /** Reader thread. */
    @Actor
    public void publish() {
        ring.stage(1, 1);
        ring.stage(2, 1);
        ring.stage(3, 1);
        ring.publish();
    }

    /** Consumer, whose limit is inside the run. */
    @Actor
    public void drain(I_Result r) {
        r.r1 = ring.drain((event, sizeBytes) -> {}, 1, 10, (last, next) -> true);
    }
}
