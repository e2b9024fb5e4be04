package io.microbatch.connect.upstream.http;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A request whose deadline passes is either never written or has an unknown outcome, and the reader agrees. */
@JCStressTest
@Outcome(id = "1, 2", expect = ACCEPTABLE, desc = "written, and the client is told that this is unknown")
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "not written, and the client is told so")
@State
public class OfferOrAnswerStress {
    private final PendingRequest request = new PendingRequest(
            "topic",
            List.of(new HttpEvent(null, new byte[0], null, null, List.of())),
            new Deadline(0, 1),
            null,
            null);

    /** Reader thread: 1 if it writes the event. */
    @Actor
    public void offer(II_Result r) {
        List<HttpEvent> events = request.offer();
        r.r1 = events == null ? 0 : events.size();
    }

    /** Event loop at the deadline: 1 for "not written", 2 for "unknown". */
    @Actor
    public void expire(II_Result r) {
        r.r2 = request.answerQueued() ? 1 : request.answerOffered() ? 2 : 0;
    }
}
