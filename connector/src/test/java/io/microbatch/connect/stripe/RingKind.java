package io.microbatch.connect.stripe;

import com.lmax.disruptor.EventPoller;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jctools.queues.SpscArrayQueue;

/**
 * The ring in use and the alternatives that were rejected. All run the same contract tests. The tests use capacities
 * that are powers of two of at least 4, which all of them support exactly.
 */
enum RingKind {
    STRIPE {
        @Override
        <E> Handover<E> create(int capacityEvents) {
            SpscRing<E> ring = new SpscRing<>(capacityEvents, Long.MAX_VALUE);
            return new Handover<>() {
                @Override
                public Offer offer(E event) {
                    return Offering.offer(ring, event, 1);
                }

                @Override
                public List<E> drain(int maxEvents) {
                    List<E> drained = new ArrayList<>();
                    int count = ring.drain(
                            (event, sizeBytes) -> drained.add(event), maxEvents, Long.MAX_VALUE, (last, next) -> false);
                    return drained.size() == count ? drained : List.of();
                }
            };
        }
    },
    JCTOOLS_SPSC {
        @Override
        <E> Handover<E> create(int capacityEvents) {
            return overQueue(new SpscArrayQueue<>(capacityEvents));
        }
    },
    DISRUPTOR {
        @Override
        <E> Handover<E> create(int capacityEvents) {
            RingBuffer<Slot<E>> ring = RingBuffer.createSingleProducer(Slot::new, capacityEvents);
            EventPoller<Slot<E>> poller = ring.newPoller();
            Sequence gate = poller.getSequence();
            ring.addGatingSequences(gate);
            return new Handover<>() {
                @Override
                public Offer offer(E event) {
                    if (!ring.hasAvailableCapacity(1)) {
                        return Offer.FULL;
                    }
                    long sequence = ring.next();
                    ring.get(sequence).event = event;
                    ring.publish(sequence);
                    return Offer.ACCEPTED;
                }

                @Override
                public List<E> drain(int maxEvents) {
                    List<E> drained = new ArrayList<>();
                    try {
                        poller.poll((slot, sequence, endOfBatch) -> {
                            drained.add(slot.event);
                            slot.event = null;
                            return drained.size() < maxEvents;
                        });
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                    return drained;
                }
            };
        }
    },
    CONCURRENT_LINKED_QUEUE {
        @Override
        <E> Handover<E> create(int capacityEvents) {
            Queue<E> queue = new ConcurrentLinkedQueue<>();
            AtomicInteger size = new AtomicInteger();
            return new Handover<>() {
                @Override
                public Offer offer(E event) {
                    if (size.get() == capacityEvents) {
                        return Offer.FULL;
                    }
                    size.incrementAndGet();
                    return queue.offer(event) ? Offer.ACCEPTED : Offer.FULL;
                }

                @Override
                public List<E> drain(int maxEvents) {
                    List<E> drained = poll(queue, maxEvents);
                    size.addAndGet(-drained.size());
                    return drained;
                }
            };
        }
    },
    ARRAY_BLOCKING_QUEUE {
        @Override
        <E> Handover<E> create(int capacityEvents) {
            return overQueue(new ArrayBlockingQueue<>(capacityEvents));
        }
    };

    /** Creates an empty queue that holds this number of events. */
    abstract <E> Handover<E> create(int capacityEvents);

    /** The common operations. */
    interface Handover<E> {
        Offer offer(E event);

        List<E> drain(int maxEvents);
    }

    private static final class Slot<E> {
        private E event;
    }

    private static <E> Handover<E> overQueue(Queue<E> queue) {
        return new Handover<>() {
            @Override
            public Offer offer(E event) {
                return queue.offer(event) ? Offer.ACCEPTED : Offer.FULL;
            }

            @Override
            public List<E> drain(int maxEvents) {
                return poll(queue, maxEvents);
            }
        };
    }

    private static <E> List<E> poll(Queue<E> queue, int maxEvents) {
        List<E> drained = new ArrayList<>();
        while (drained.size() < maxEvents) {
            E event = queue.poll();
            if (event == null) {
                break;
            }
            drained.add(event);
        }
        return drained;
    }
}
