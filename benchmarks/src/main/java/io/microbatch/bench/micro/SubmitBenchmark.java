package io.microbatch.bench.micro;

import io.microbatch.connect.stripe.ByteRing;
import io.microbatch.connect.stripe.RunSink;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What it costs a reader to put a 64-byte event into a stripe, beside {@code System.arraycopy} of the same bytes into
 * the same amount of memory. One thread: when the memory is full it is drained without looking at it, which the copy
 * does not need and the stripe pays for.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class SubmitBenchmark {
    static final int EVENTS = 262_144;
    private static final int EVENT_BYTES = ByteHandover.EVENT_BYTES;
    private static final int BLOCK_BYTES = ByteHandover.BURST_EVENTS * EVENT_BYTES;
    private static final Object RUN = new Object();

    /** Event by event, or 64 at once; by the stripe, or by a plain copy. */
    @Param({"copy", "submit", "copy-bulk", "submit-bulk"})
    public String kind;

    private final byte[] source = new byte[16 * BLOCK_BYTES];
    private final byte[] target = new byte[ByteHandover.CAPACITY_BYTES];
    private final ByteRing<Object> ring =
            new ByteRing<>(ByteHandover.CAPACITY_BYTES, BLOCK_BYTES, ByteHandover.CAPACITY_EVENTS);
    private final RunSink<Object> nobody = new RunSink<>() {
        @Override
        public void take(Object run, byte[] bytes, int from, int sizeBytes, int events) {
            // Only gives the memory back.
        }

        @Override
        public void end() {
            // Nothing was kept.
        }
    };

    /** So many events. */
    @Benchmark
    @OperationsPerInvocation(EVENTS)
    public long put() {
        return switch (kind) {
            case "copy" -> copy(EVENT_BYTES);
            case "copy-bulk" -> copy(BLOCK_BYTES);
            case "submit" -> submit();
            default -> submitBulk();
        };
    }

    private long copy(int sizeBytes) {
        long bytes = 0;
        for (long end = (long) EVENTS * EVENT_BYTES; bytes < end; bytes += sizeBytes) {
            System.arraycopy(
                    source, (int) bytes & (source.length - 1), target, (int) bytes & (target.length - 1), sizeBytes);
        }
        return bytes + target[(int) bytes & (target.length - 1)];
    }

    private long submit() {
        for (int event = 0; event < EVENTS; event++) {
            int from = (event * EVENT_BYTES) & (source.length - 1);
            while (ring.submit(source, from, EVENT_BYTES, 1) < 0) {
                makeRoom();
            }
        }
        return makeRoom();
    }

    private long submitBulk() {
        for (int event = 0; event < EVENTS; event += ByteHandover.BURST_EVENTS) {
            int from = (event * EVENT_BYTES) & (source.length - 1);
            while (ring.submit(source, from, BLOCK_BYTES, ByteHandover.BURST_EVENTS) < 0) {
                makeRoom();
            }
            ring.publish(RUN);
        }
        return makeRoom();
    }

    /** A run that is full is published; a ring that is full is drained as well. */
    private long makeRoom() {
        ring.publish(RUN);
        if (ring.sizeBytes() > ByteHandover.CAPACITY_BYTES - BLOCK_BYTES) {
            return ring.drain(nobody, Integer.MAX_VALUE, Long.MAX_VALUE);
        }
        return 0;
    }
}
