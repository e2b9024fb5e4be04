package io.microbatch.bench.micro;

import io.microbatch.bench.micro.ByteHandover.NumberCheck;
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
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * 64-byte events per second from one producer thread to one consumer thread, copied on either side. As {@link
 * RingBenchmark} otherwise.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class ByteRingBenchmark {
    /** Events of one invocation. */
    static final int TRANSFER_EVENTS = 1_000_000;

    /** A label of {@link ByteHandoverKind}. */
    @Param({"stripe", "stripe-bulk", "stripe-each", "fresh-blocks", "agrona", "jctools-spsc", "disruptor", "clq"})
    public String kind;

    private final NumberCheck check = new NumberCheck();
    private ByteHandover handover;
    private Thread producer;

    private volatile int turn;
    private volatile int finishedTurn;
    private volatile boolean ended;

    /** Starts the producer thread, which then waits for its turns. */
    @Setup
    public void start() {
        handover = ByteHandoverKind.ofLabel(kind).create();
        producer = new Thread(this::produceTurns, "producer");
        producer.setDaemon(true);
        producer.start();
    }

    private void produceTurns() {
        int done = 0;
        while (!ended) {
            if (turn == done) {
                Thread.onSpinWait();
            } else {
                handover.produce(TRANSFER_EVENTS);
                done++;
                finishedTurn = done;
            }
        }
    }

    /** Ends the producer thread. */
    @TearDown
    public void end() throws InterruptedException {
        ended = true;
        producer.join();
    }

    /** One transfer, complete and verified. */
    @Benchmark
    @OperationsPerInvocation(TRANSFER_EVENTS)
    public long transfer() {
        check.begin();
        int wanted = turn + 1;
        turn = wanted;
        handover.consume(check, TRANSFER_EVENTS);
        while (finishedTurn != wanted) {
            Thread.onSpinWait();
        }
        if (check.received() != TRANSFER_EVENTS) {
            throw new IllegalStateException(kind + " handed over " + check.received() + " events");
        }
        return check.received();
    }
}
