package io.microbatch.connect.stripe;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Whoever sees a run sees all of its bytes and what its token refers to. */
@JCStressTest
@Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "drained before the publication")
@Outcome(id = "2, 77, 9", expect = ACCEPTABLE, desc = "the whole run")
@Outcome(id = ".*", expect = FORBIDDEN, desc = "a run without its bytes or its token's content")
@State
public class ByteRunVisibleStress {
    private final ByteRing<Token> ring = new ByteRing<>(16, 8, 2);

    private static final class Token {
        private int content;
    }

    /** Reader thread. */
    @Actor
    public void publish() {
        ring.bytes()[ring.claim(1)] = 7;
        ring.written(1, 1);
        ring.bytes()[ring.claim(1)] = 70;
        ring.written(1, 1);
        Token token = new Token();
        token.content = 9;
        ring.publish(token);
    }

    /** Drainer. */
    @Actor
    public void drain(III_Result r) {
        r.r1 = ring.drain(
                new RunSink<>() {
                    @Override
                    public void take(Token run, byte[] bytes, int from, int sizeBytes, int events) {
                        for (int i = from; i < from + sizeBytes; i++) {
                            r.r2 += bytes[i];
                        }
                        r.r3 = run.content;
                    }

                    @Override
                    public void end() {}
                },
                9,
                99);
    }
}
