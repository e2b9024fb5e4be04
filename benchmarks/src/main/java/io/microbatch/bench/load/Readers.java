package io.microbatch.bench.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The consumer groups of a run. The first is polled by the thread that follows the run, the others by threads of their
 * own.
 */
final class Readers implements AutoCloseable {

    private static final long POLL_MS = 100;
    private static final long JOIN_LIMIT_MS = TimeUnit.SECONDS.toMillis(90);

    private final CheckingConsumer first;
    private final List<Other> others = new ArrayList<>();

    /** Joins all of them to their groups. */
    Readers(String bootstrapServers, LoadSpec spec) {
        first = new CheckingConsumer(bootstrapServers, spec, 0);
        for (int group = 1; group < spec.layout().groups(); group++) {
            Other other = new Other(new CheckingConsumer(bootstrapServers, spec, group));
            others.add(other);
            other.thread.start();
        }
        first.join();
    }

    /** Takes what there is. */
    void poll() {
        first.poll(POLL_MS);
    }

    boolean haveEnded() {
        return first.reading().check().hasEnded() && others.stream().allMatch(other -> other.ended);
    }

    Reading first() {
        return first.reading();
    }

    /**
     * All of them, read to the end of what is committed now: a doubled tail lies behind the last event. The threads have
     * ended when this returns.
     */
    List<Reading> stop() {
        first.drain();
        List<Reading> readings = new ArrayList<>(List.of(first.reading()));
        for (Other other : others) {
            other.stop();
            readings.add(other.consumer.reading());
        }
        return readings;
    }

    @Override
    public void close() {
        others.forEach(Other::abandon);
        first.close();
    }

    /** One group and its thread. */
    private static final class Other implements Runnable {
        private final CheckingConsumer consumer;
        private final Thread thread;
        private volatile boolean stopping;
        private volatile boolean abandoned;
        private volatile boolean ended;

        Other(CheckingConsumer consumer) {
            this.consumer = consumer;
            thread = new Thread(this, "reader");
            thread.setDaemon(true);
        }

        @Override
        public void run() {
            try (consumer) {
                while (!stopping) {
                    consumer.poll(POLL_MS);
                    ended = consumer.reading().check().hasEnded();
                }
                if (!abandoned) {
                    consumer.drain();
                }
            }
        }

        /** Ends the thread, and what it has not read yet is of no interest. */
        void abandon() {
            abandoned = true;
            stop();
        }

        void stop() {
            stopping = true;
            try {
                thread.join(JOIN_LIMIT_MS);
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
