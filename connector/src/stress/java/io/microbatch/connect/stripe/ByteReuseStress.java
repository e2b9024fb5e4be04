package io.microbatch.connect.stripe;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Memory is not written again before the drainer has done with it, which it is when the end was called. */
@JCStressTest
@Outcome(id = "0, 3, 0", expect = ACCEPTABLE, desc = "written too early: still full")
@Outcome(id = "1, 3, 7", expect = ACCEPTABLE, desc = "the memory was used again")
@Outcome(id = ".*", expect = FORBIDDEN, desc = "a byte was written over, lost or doubled")
@State
public class ByteReuseStress {
    private final ByteRing<String> ring = new ByteRing<>(2, 1, 2);

    /** A full ring. */
    public ByteReuseStress() {
        write(1);
        write(2);
    }

    private boolean write(int content) {
        int at = ring.claim(1);
        if (at < 0) {
            return false;
        }
        ring.bytes()[at] = (byte) content;
        ring.written(1, 1);
        ring.publish("run");
        return true;
    }

    /** Reader thread. */
    @Actor
    public void use(III_Result r) {
        r.r1 = write(7) ? 1 : 0;
    }

    /** Drainer, which looks at the bytes as late as it may. */
    @Actor
    public void drain(III_Result r) {
        int ignored = ring.drain(new Sum(sum -> r.r2 = sum), 9, 99);
    }

    /** What is left. */
    @Arbiter
    public void rest(III_Result r) {
        int ignored = ring.drain(new Sum(sum -> r.r3 = sum), 9, 99);
    }

    private static final class Sum implements RunSink<String> {
        private final java.util.function.IntConsumer sink;
        private final int[] places = new int[4];
        private byte[] bytes;
        private int count;

        Sum(java.util.function.IntConsumer sink) {
            this.sink = sink;
        }

        @Override
        public void take(String run, byte[] source, int from, int sizeBytes, int events) {
            bytes = source;
            places[count++] = from;
        }

        @Override
        public void end() {
            int sum = 0;
            for (int i = 0; i < count; i++) {
                sum += bytes[places[i]];
            }
            sink.accept(sum);
        }
    }
}
