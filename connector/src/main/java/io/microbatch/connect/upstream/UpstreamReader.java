package io.microbatch.connect.upstream;

import io.microbatch.connect.ack.KeptPart;
import io.microbatch.connect.ack.SettledEvent;
import io.microbatch.connect.metrics.UpstreamMetric;
import java.util.List;

/**
 * The task side of an upstream: owns some of its source partitions and reads them in order. Its one reader thread calls
 * every method unless the method says otherwise. During a call by {@link Intake#letThrough}, a second thread calls
 * {@link #settled} and {@link #committed}. A method throws InterruptedException if the task stops.
 */
public interface UpstreamReader {

    /** The reader thread's context class loader. */
    default ClassLoader classLoader() {
        return getClass().getClassLoader();
    }

    /**
     * Opens the upstream at the committed source offset. The first call. Called again only after a failed start and the
     * {@link #stop} that follows it.
     */
    void start();

    /**
     * Puts the available records, in order, into the intake. Waits for about a second at most if there are none. Throws
     * a RetriableException if the call should be repeated.
     */
    void fetch(Intake intake) throws InterruptedException;

    /**
     * The age of the last event, at the upstream, when {@link #fetch} read it, in milliseconds. 0 only if the upstream
     * has said that it has nothing to read. Not a number if the age is unknown. Any thread.
     */
    default double lagMs() {
        return Double.NaN;
    }

    /** 1 while the upstream is connected to its system, otherwise 0. Not a number if it cannot tell. Any thread. */
    default double connected() {
        return Double.NaN;
    }

    /**
     * The interval at which the upstream is heard even if there are no events, in milliseconds. Not a number if it may
     * be silent for any time. Any thread.
     */
    default double heartbeatMs() {
        return Double.NaN;
    }

    /**
     * The figures that only this upstream has, with all values of their tags. Called once, before {@link #start}, by
     * the task thread.
     */
    default List<UpstreamMetric.Figure> figures() {
        return List.of();
    }

    /** Connect is done with this event and with every event before it. Called in the order of the fetches. */
    default void settled(SettledEvent event) throws InterruptedException {}

    /** The part of an event that is kept for {@link #settled} if many settled events wait. */
    default KeptPart keptPart() {
        return KeptPart.PLACE;
    }

    /** Reports how far Connect is. Called after the settled events of a round. */
    default void committed(Progress progress) throws InterruptedException {}

    /**
     * The task is about to stop: what Connect does not have yet is not sent any more. {@link #stop} follows, unless the
     * reader has ended. Called once by the task thread, at any moment of the reader's life. Must not wait.
     */
    default void stopping() {}

    /**
     * The task has stopped waiting for this reader, and a successor may run. A call that is under way must not confirm
     * anything more to the upstream. Any thread.
     */
    default void abandon() {}

    /** Closes the upstream, also after a failed start. After that only {@link #start} may be called. */
    void stop();
}
