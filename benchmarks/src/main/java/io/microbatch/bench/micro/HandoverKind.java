package io.microbatch.bench.micro;

import com.lmax.disruptor.EventPoller;
import com.lmax.disruptor.RingBuffer;
import io.microbatch.bench.micro.Handover.Check;
import io.microbatch.bench.micro.Handover.Item;
import io.microbatch.connect.stripe.DrainSink;
import io.microbatch.connect.stripe.Inseparable;
import io.microbatch.connect.stripe.Offer;
import io.microbatch.connect.stripe.SpscRing;
import java.util.ArrayList;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jctools.queues.MessagePassingQueue;
import org.jctools.queues.SpscArrayQueue;

/**
 * The queues that are compared. The plain name is a queue at its best calls, which for those that can means bursts of
 * {@value #BURST_EVENTS} on the producer's side: that is how a reader thread, which gets its events in lists, feeds a
 * stripe. The names that end in {@code -each} publish every event by itself.
 */
enum HandoverKind {
    /** Stage a burst, publish it once. Drain in batches. */
    STRIPE(check -> new Stripe(check, HandoverKind.BURST_EVENTS)),
    /** Offer every event. Drain in batches. */
    STRIPE_EACH(check -> new Stripe(check, 1)),
    /** {@code fill} by bursts and {@code drain}. */
    JCTOOLS_SPSC(JctoolsBursts::new),
    /** {@code offer} and {@code drain}. */
    JCTOOLS_SPSC_EACH(Jctools::new),
    /** Claim and publish a burst. Poll in batches. */
    DISRUPTOR(check -> new Disruptor(check, HandoverKind.BURST_EVENTS)),
    /** Claim and publish every event. Poll in batches. */
    DISRUPTOR_EACH(check -> new Disruptor(check, 1)),
    /** ConcurrentLinkedQueue with a bound of our own. */
    CLQ(Clq::new),
    /** ArrayBlockingQueue: {@code offer} and {@code drainTo}. */
    ABQ(Abq::new);

    static final int BURST_EVENTS = 64;

    private final Function<Check, Handover> factory;

    HandoverKind(Function<Check, Handover> factory) {
        this.factory = factory;
    }

    Handover create(Check check) {
        return factory.apply(check);
    }

    /** Ours, with the bookkeeping of bytes that the others do not have. */
    private static final class Stripe implements Handover {
        private static final int EVENT_BYTES = 100;

        private final SpscRing<Item> ring = new SpscRing<>(CAPACITY_EVENTS, (long) CAPACITY_EVENTS * EVENT_BYTES);
        private final int burstEvents;
        private final DrainSink<Item> sink;
        private final Inseparable<Item> rule = (last, next) -> false;

        Stripe(Check check, int burstEvents) {
            this.sink = (event, sizeBytes) -> check.accept(event);
            this.burstEvents = burstEvents;
        }

        @Override
        public int give(Item[] pool, int from, int maxEvents) {
            int end = from + Math.min(burstEvents, maxEvents);
            int next = from;
            while (next < end && ring.stage(pool[next], EVENT_BYTES) == Offer.ACCEPTED) {
                next++;
            }
            if (next > from) {
                ring.publish();
            }
            return next - from;
        }

        @Override
        public int take() {
            return ring.drain(sink, DRAIN_EVENTS, Long.MAX_VALUE, rule);
        }
    }

    /** JCTools' queue for one producer and one consumer. */
    private static class Jctools implements Handover {
        final SpscArrayQueue<Item> queue = new SpscArrayQueue<>(CAPACITY_EVENTS);
        private final MessagePassingQueue.Consumer<Item> sink;

        Jctools(Check check) {
            sink = check::accept;
        }

        @Override
        public int give(Item[] pool, int from, int maxEvents) {
            return queue.offer(pool[from]) ? 1 : 0;
        }

        @Override
        public int take() {
            return queue.drain(sink, DRAIN_EVENTS);
        }
    }

    /** The same, filled by bursts. */
    private static final class JctoolsBursts extends Jctools {
        private Item[] pool;
        private int next;
        private final MessagePassingQueue.Supplier<Item> supplier = () -> pool[next++];

        JctoolsBursts(Check check) {
            super(check);
        }

        @Override
        public int give(Item[] events, int from, int maxEvents) {
            pool = events;
            next = from;
            return queue.fill(supplier, Math.min(BURST_EVENTS, maxEvents));
        }
    }

    /**
     * The Disruptor's ring with a single producer and a poller. Its slots are preallocated; an event that exists
     * already, as a source record does, is put into one by reference and taken out again.
     */
    private static final class Disruptor implements Handover {
        private final RingBuffer<Item[]> ring = RingBuffer.createSingleProducer(() -> new Item[1], CAPACITY_EVENTS);
        private final EventPoller<Item[]> poller = ring.newPoller();
        private final EventPoller.Handler<Item[]> handler;
        private final Check check;
        private final int burstEvents;

        Disruptor(Check check, int burstEvents) {
            this.check = check;
            this.burstEvents = burstEvents;
            handler = (slot, sequence, endOfBatch) -> {
                check.accept(slot[0]);
                slot[0] = null;
                return true;
            };
            ring.addGatingSequences(poller.getSequence());
        }

        @Override
        public int give(Item[] pool, int from, int maxEvents) {
            int burst = Math.min(burstEvents, maxEvents);
            if (!ring.hasAvailableCapacity(burst)) {
                return 0;
            }
            long last = ring.next(burst);
            long first = last - burst + 1;
            for (long sequence = first; sequence <= last; sequence++) {
                ring.get(sequence)[0] = pool[from + (int) (sequence - first)];
            }
            ring.publish(first, last);
            return burst;
        }

        @Override
        public int take() {
            int before = check.received();
            try {
                EventPoller.PollState ignored = poller.poll(handler);
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            return check.received() - before;
        }
    }

    /**
     * ConcurrentLinkedQueue, which has no bound of its own and needs one. The cheapest is kept here: the consumer
     * reports how many it took once per batch, the producer looks only when it has used up what it knows.
     */
    private static final class Clq implements Handover {
        private final ConcurrentLinkedQueue<Item> queue = new ConcurrentLinkedQueue<>();
        private final AtomicLong takenTotal = new AtomicLong();
        private final Check check;
        private long offeredTotal;
        private long knownTaken;

        Clq(Check check) {
            this.check = check;
        }

        @Override
        public int give(Item[] pool, int from, int maxEvents) {
            if (offeredTotal - knownTaken == CAPACITY_EVENTS) {
                knownTaken = takenTotal.getAcquire();
            }
            if (offeredTotal - knownTaken < CAPACITY_EVENTS && queue.offer(pool[from])) {
                offeredTotal++;
                return 1;
            }
            return 0;
        }

        @Override
        public int take() {
            int taken = 0;
            for (Item event; taken < DRAIN_EVENTS && (event = queue.poll()) != null; taken++) {
                check.accept(event);
            }
            if (taken > 0) {
                takenTotal.setRelease(takenTotal.getPlain() + taken);
            }
            return taken;
        }
    }

    /** ArrayBlockingQueue without its blocking calls. {@code drainTo} takes its lock once per batch. */
    private static final class Abq implements Handover {
        private final ArrayBlockingQueue<Item> queue = new ArrayBlockingQueue<>(CAPACITY_EVENTS);
        private final ArrayList<Item> batch = new ArrayList<>(DRAIN_EVENTS);
        private final Check check;

        Abq(Check check) {
            this.check = check;
        }

        @Override
        public int give(Item[] pool, int from, int maxEvents) {
            return queue.offer(pool[from]) ? 1 : 0;
        }

        @Override
        public int take() {
            int taken = queue.drainTo(batch, DRAIN_EVENTS);
            for (int i = 0; i < taken; i++) {
                check.accept(batch.get(i));
            }
            batch.clear();
            return taken;
        }
    }
}
