package io.microbatch.bench.micro;

/**
 * One bounded way from one producer thread to one consumer thread, with its waiting: both methods return when all
 * events are through. Each implementation uses the best calls its queue has; {@link HandoverKind} says which.
 */
interface Handover {
    /** The most events any of them holds. */
    int CAPACITY_EVENTS = 4096;

    /** The most events the consumer takes at once, where it can take several. */
    int DRAIN_EVENTS = 1024;

    /** Producer thread: hands over the events of the pool, round and round, until the count is reached. */
    void produce(Event[] pool, int eventCount);

    /** Consumer thread: takes as many events and shows each to the check. */
    void consume(SequenceCheck check, int eventCount);

    /** What is handed over. The pool holds more events than any ring, so that the number tells a lost one. */
    record Event(int number) {}
}
