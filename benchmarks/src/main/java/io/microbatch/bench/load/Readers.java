package io.microbatch.bench.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The consumer groups of a run, each of one consumer that reads as far as is committed. The first is polled by the
 * thread that follows the run, the others by threads of their own.
 */
final class Readers implements AutoCloseable {

    private static final long THREAD_LIMIT_MS = TimeUnit.SECONDS.toMillis(90);

    private final ReaderGroup first;
    private final List<Other> others = new ArrayList<>();

    /** Joins all of them to their groups. */
    Readers(String bootstrapServers, LoadSpec spec) {
        first = new ReaderGroup(bootstrapServers, spec, "readers-0");
        for (int group = 1; group < spec.layout().groups(); group++) {
            Other other = new Other(new ReaderGroup(bootstrapServers, spec, "readers-" + group));
            others.add(other);
            other.thread.start();
        }
        first.join();
    }

    /** Takes what there is. */
    void poll() {
        first.poll();
    }

    boolean haveEnded() {
        return first.reading().hasEnded() && others.stream().allMatch(other -> other.ended);
    }

    Reading first() {
        return first.reading();
    }

    /**
     * All of them, read to the end of what is committed now: a doubled tail lies behind the last event. The threads
     * have ended when this returns.
     */
    List<Reading> stop() {
        first.drain();
        List<Reading> readings = new ArrayList<>(List.of(first.reading()));
        for (Other other : others) {
            other.stop();
            readings.add(other.group.reading());
        }
        return readings;
    }

    @Override
    public void close() {
        others.forEach(Other::abandon);
        first.close();
    }

    /** A group with its thread. */
    private static final class Other implements Runnable {

        private final ReaderGroup group;
        private final Thread thread;
        private volatile boolean stopping;
        private volatile boolean abandoned;
        private volatile boolean ended;

        Other(ReaderGroup group) {
            this.group = group;
            thread = new Thread(this, "reader");
            thread.setDaemon(true);
        }

        @Override
        public void run() {
            try (group) {
                while (!stopping) {
                    group.poll();
                    ended = group.reading().hasEnded();
                }
                if (!abandoned) {
                    group.drain();
                }
            }
        }

        /** Ends the thread without reading the rest. */
        void abandon() {
            abandoned = true;
            stop();
        }

        void stop() {
            stopping = true;
            try {
                thread.join(THREAD_LIMIT_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
            if (thread.isAlive()) {
                throw new IllegalStateException("a reader hangs");
            }
        }
    }
}
