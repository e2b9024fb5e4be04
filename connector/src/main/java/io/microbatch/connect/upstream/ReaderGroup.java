package io.microbatch.connect.upstream;

import io.microbatch.connect.ack.DurableWatermark;
import io.microbatch.connect.ack.EventRecord;
import io.microbatch.connect.metrics.UpstreamMetric;
import io.microbatch.connect.stripe.StripeSet;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reader threads of a task, one for each reader and stripe. Started and stopped by the task thread.
 *
 * <p>Connect gives a stopping task five seconds in all. A reader that hangs in its upstream is interrupted after half
 * of the time allowed here, and abandoned at its end. An abandoned reader is a daemon thread. It hands nothing over,
 * because its stripe is closed. It confirms nothing, because a successor may have started. It closes its upstream if it
 * returns.
 */
public final class ReaderGroup {

    private static final Logger log = LoggerFactory.getLogger(ReaderGroup.class);

    private final List<? extends UpstreamReader> readers;
    private final List<ReaderLoop> loops = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    /** Prepares a thread for each reader. There may be one reader per stripe at most. */
    public ReaderGroup(
            String namePrefix,
            List<? extends UpstreamReader> readers,
            Supplier<RecordConversion> conversions,
            StripeSet<EventRecord> stripes,
            DurableWatermark watermark,
            LongSupplier nanoClock) {
        this.readers = readers;
        for (UpstreamReader reader : readers) {
            int number = loops.size();
            ReaderLoop loop = new ReaderLoop(
                    reader, conversions.get(), stripes.writer(number), watermark, nanoClock, new ReaderFailure(log));
            Thread thread = new Thread(loop, namePrefix + "-reader-" + number);
            thread.setDaemon(true);
            loops.add(loop);
            threads.add(thread);
        }
    }

    /** Starts the threads. {@link #failure} returns what goes wrong on them. */
    public void start() {
        threads.forEach(Thread::start);
    }

    /** The failure of a reader. Null while all run. */
    public Throwable failure() {
        for (ReaderLoop loop : loops) {
            Throwable failure = loop.failure();
            if (failure != null) {
                return failure;
            }
        }
        return null;
    }

    /** Connect has called poll, and has not drained anything for it yet. Task thread. */
    public void polled() {
        for (ReaderLoop loop : loops) {
            loop.polled();
        }
    }

    /** Connect has called commit on the task thread. Only an exactly-once worker does so while a task runs. */
    public void committedOnTaskThread() {
        for (ReaderLoop loop : loops) {
            loop.committedOnTaskThread();
        }
    }

    /** Events that Connect is not done with, over all readers. Any thread. */
    public long ledgerDepth() {
        long depth = 0;
        for (ReaderLoop loop : loops) {
            depth += loop.ledgerDepth();
        }
        return depth;
    }

    /**
     * The longest lag of a reader, in milliseconds. Not a number if no reader knows one, or after a minute of silence.
     * Any thread.
     */
    public double lagMs() {
        return known(loops.stream().mapToDouble(ReaderLoop::lagMs)).max().orElse(Double.NaN);
    }

    /** The longest time since a reader has heard its upstream, in milliseconds. Any thread. */
    public double silentMs() {
        return loops.stream().mapToDouble(ReaderLoop::silentMs).max().orElse(Double.NaN);
    }

    /** 0 if a reader is known to be disconnected, 1 if the others are connected. Not a number if none knows. */
    public double connected() {
        return known(readers.stream().mapToDouble(UpstreamReader::connected))
                .min()
                .orElse(Double.NaN);
    }

    /** The longest interval of heartbeats, in milliseconds. Not a number if no upstream has any. Any thread. */
    public double heartbeatMs() {
        return known(readers.stream().mapToDouble(UpstreamReader::heartbeatMs))
                .max()
                .orElse(Double.NaN);
    }

    private static DoubleStream known(DoubleStream values) {
        return values.filter(value -> !Double.isNaN(value));
    }

    /** The figures that only the upstream has, of all readers. Before the start. */
    public List<UpstreamMetric.Figure> figures() {
        return readers.stream().flatMap(reader -> reader.figures().stream()).toList();
    }

    /** Stops all readers and waits for them, for at most this many milliseconds in all. */
    public void stop(long withinMs) {
        loops.forEach(ReaderLoop::requestStop);
        long begunNanos = System.nanoTime();
        boolean interrupted = joinAll(begunNanos, withinMs / 2);
        for (int i = 0; i < threads.size(); i++) {
            if (threads.get(i).isAlive()) {
                loops.get(i).interrupt(threads.get(i));
            }
        }
        interrupted |= joinAll(begunNanos, withinMs);
        for (int i = 0; i < threads.size(); i++) {
            if (threads.get(i).isAlive()) {
                abandon(i, withinMs);
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void abandon(int index, long withinMs) {
        String name = threads.get(index).getName();
        log.warn(
                "{} has not returned from its upstream within {} ms and is abandoned: it hands nothing over and "
                        + "confirms nothing any more, but may hold the upstream's connection until it returns",
                name,
                withinMs);
        try {
            loops.get(index).abandon();
        } catch (RuntimeException e) {
            // The other readers, the calibration file and the metrics are still to be closed.
            log.warn("{} has failed while it was abandoned", name, e);
        }
    }

    private boolean joinAll(long begunNanos, long withinMs) {
        boolean interrupted = false;
        for (Thread thread : threads) {
            long leftMs = leftMs(begunNanos, withinMs);
            while (leftMs > 0 && thread.isAlive()) {
                try {
                    thread.join(leftMs);
                } catch (InterruptedException e) {
                    // An interruption of the stopping thread leaves the readers their time.
                    interrupted = true;
                }
                leftMs = leftMs(begunNanos, withinMs);
            }
        }
        return interrupted;
    }

    private static long leftMs(long begunNanos, long withinMs) {
        return withinMs - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNanos);
    }
}
