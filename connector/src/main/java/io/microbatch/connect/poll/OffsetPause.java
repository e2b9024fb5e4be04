package io.microbatch.connect.poll;

import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/** The pause between the last record of a batch and its source offsets. Task thread; nanoseconds. */
final class OffsetPause {

    private final LongSupplier nanoClock;
    private final LongConsumer park;
    private long lengthNanos;
    private long waitedNanos;
    private boolean over;

    /**
     * Begins without a pause.
     *
     * @param nanoClock a monotonic clock
     * @param park waits for some nanoseconds, or for less
     */
    OffsetPause(LongSupplier nanoClock, LongConsumer park) {
        this.nanoClock = nanoClock;
        this.park = park;
    }

    /** The next batch has a pause of this length. */
    void next(long nanos) {
        lengthNanos = nanos;
        waitedNanos = 0;
        over = false;
    }

    /** Whether the last batch was sent whole, and its pause, if it has one, was made. */
    boolean isOver() {
        return over;
    }

    /** How long the pause of the last batch took. 0 if it had none, or if its records were not all sent at once. */
    long waitedNanos() {
        return waitedNanos;
    }

    /** Makes the pause. An interrupted thread does not wait. A stop of the task does not interrupt it. */
    void await() {
        over = true;
        long beganNanos = nanoClock.getAsLong();
        for (long left = lengthNanos; left > 0 && !Thread.currentThread().isInterrupted(); ) {
            park.accept(left);
            waitedNanos = nanoClock.getAsLong() - beganNanos;
            left = lengthNanos - waitedNanos;
        }
    }
}
