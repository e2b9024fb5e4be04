package io.microbatch.bench.micro;

import io.microbatch.bench.micro.Handover.Item;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Events per second from one producer thread to one consumer thread. One invocation hands over a fixed number of
 * events, so that a refused offer or an empty poll costs time and is never counted; every event is checked, and an
 * invocation that lost or swapped one throws and has no rate.
 *
 * <pre>
 *   producer thread (ours)  ──▶  queue of 4,096  ──▶  JMH's thread, checks number and count
 * </pre>
 *
 * Needs two cores. The events exist beforehand, so what is allocated is the queue's doing.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class RingBenchmark {
    /** Events of one invocation. */
    static final int TRANSFER_EVENTS = 1_000_000;

    private static final int POOL_EVENTS = 2 * Handover.CAPACITY_EVENTS;

    /** A label of {@link HandoverKind}. */
    @Param({"stripe", "stripe-each", "jctools-spsc", "jctools-spsc-each", "disruptor", "disruptor-each", "clq", "abq"})
    public String kind;

    private final Handover.Check check = new Handover.Check(POOL_EVENTS);
    private Handover handover;
    private Thread producer;

    private volatile int turn;
    private volatile int finishedTurn;
    private volatile boolean ended;

    /** Starts the producer thread, which then waits for its turns. */
    @Setup
    public void start() {
        handover = ForkedCommand.ofLabel(HandoverKind.class, kind).create(check);
        Item[] pool = new Item[POOL_EVENTS];
        for (int i = 0; i < pool.length; i++) {
            pool[i] = new Item(i);
        }
        producer = new Thread(() -> produceTurns(pool), "producer");
        producer.setDaemon(true);
        producer.start();
    }

    private void produceTurns(Item[] pool) {
        int done = 0;
        while (!ended) {
            if (turn == done) {
                Thread.onSpinWait();
            } else {
                handover.produce(pool, TRANSFER_EVENTS);
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
    public int transfer() {
        check.begin();
        int wanted = turn + 1;
        turn = wanted;
        handover.consume(TRANSFER_EVENTS);
        while (finishedTurn != wanted) {
            Thread.onSpinWait();
        }
        if (check.received() != TRANSFER_EVENTS) {
            throw new IllegalStateException(kind + " handed over " + check.received() + " events");
        }
        return check.received();
    }
}
