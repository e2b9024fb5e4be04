package io.microbatch.bench.outbox;

/** A contender that carries rows while it is started. Used by one thread. */
interface Carrier {

    /** Returns when it carries rows. Again after {@link #stop}, where it goes on. */
    void start();

    /** Returns when nothing more of it gets into Kafka. */
    void stop();

    /** Leaves nothing of a stopped one behind. */
    void remove();

    /** Fails with the cause when it cannot carry rows any more. */
    void requireRunning();

    /** Its process. */
    long pid();
}
