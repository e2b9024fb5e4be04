package io.microbatch.connect.migrate;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits on the caller's thread. Stateless; any thread. */
final class Patience {

    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** A question to a worker. */
    @FunctionalInterface
    interface Question {
        boolean isAnswered() throws IOException, InterruptedException;
    }

    private Patience() {}

    /**
     * Asks until the answer is yes. A worker that does not answer, or answers that it is not ready, is asked again.
     *
     * @return whether the answer was yes within the limit
     * @throws IOException what the worker has answered last, if the limit ends with an error
     */
    static boolean awaits(Duration limit, Question question) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (true) {
            boolean last = System.nanoTime() - deadline >= 0;
            try {
                if (question.isAnswered()) {
                    return true;
                }
            } catch (RestException e) {
                if (last || e.status() < 500) {
                    throw e;
                }
            } catch (FailedTask e) {
                throw e;
            } catch (IOException e) {
                if (last) {
                    throw e;
                }
            }
            if (last) {
                return false;
            }
            pause(POLL_NANOS);
        }
    }

    /** Waits for a time. */
    static void pause(long nanos) throws InterruptedException {
        long deadline = System.nanoTime() + nanos;
        long left = nanos;
        while (left > 0) {
            if (Thread.interrupted()) {
                throw new InterruptedException("interrupted while waiting");
            }
            LockSupport.parkNanos(left);
            left = deadline - System.nanoTime();
        }
    }
}
