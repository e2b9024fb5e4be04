package io.microbatch.bench.micro;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * One bounded way from one producer thread to one consumer thread for events that are bytes, with its waiting. The
 * producer has each event in an array that it uses again, so whatever keeps events has to copy them; the consumer wants
 * them one behind the other in an array of its own, as a record is made, and checks the number in each.
 */
interface ByteHandover {
    int EVENT_BYTES = 64;

    /** What any of them holds: of bytes, or of as many events. */
    int CAPACITY_BYTES = 1 << 18;

    int CAPACITY_EVENTS = CAPACITY_BYTES / EVENT_BYTES;

    /** The events that a producer publishes together, where it can. */
    int BURST_EVENTS = 64;

    int DRAIN_EVENTS = 1024;

    VarHandle NUMBERS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    /** Producer thread: hands over the events with the numbers from 0 until the count is reached. */
    void produce(int eventCount);

    /** Consumer thread: takes as many events, copies each and shows it to the check. */
    void consume(NumberCheck check, int eventCount);

    /** Sees every event that arrives, in order, and fails on the first that is not the next one; consumer thread. */
    final class NumberCheck {
        private final byte[] record = new byte[(DRAIN_EVENTS + BURST_EVENTS) * EVENT_BYTES];
        private long next;

        void begin() {
            next = 0;
        }

        long received() {
            return next;
        }

        /** Where consumers copy to. */
        byte[] record() {
            return record;
        }

        /** So many events lie from there on in the record. */
        void accept(int offset, int events) {
            accept(record, offset, events);
        }

        /** Likewise in an array that needs no copy. */
        void accept(byte[] bytes, int offset, int events) {
            for (int at = offset; at < offset + events * EVENT_BYTES; at += EVENT_BYTES) {
                if ((long) NUMBERS.get(bytes, at) != next) {
                    throw new IllegalStateException("not event " + next + " but " + (long) NUMBERS.get(bytes, at));
                }
                next++;
            }
        }
    }
}
