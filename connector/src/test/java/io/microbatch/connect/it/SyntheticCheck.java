package io.microbatch.connect.it;

import io.microbatch.connect.upstream.synthetic.SyntheticEvent;
import io.microbatch.testbed.TopicReader;
import java.util.BitSet;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Compares the content of a topic with the events that the generator makes. Decodes every event and checks the sequence
 * of each source partition from its first event to its known end, so that a lost tail is detected.
 *
 * @param lost events that are missing
 * @param duplicated further records of events
 * @param reordered first records that come after a later event
 * @param corrupt records that are no event, or an event of another generator
 */
record SyntheticCheck(long lost, long duplicated, long reordered, long corrupt) {

    static final SyntheticCheck CLEAN = new SyntheticCheck(0, 0, 0, 0);

    /** Checks a topic of single records against this number of source partitions and of events in each. */
    static SyntheticCheck of(TopicReader reader, String topic, long seed, int partitions, int eventsPerPartition) {
        return of(sink -> reader.readCommitted(topic, sink), seed, partitions, eventsPerPartition);
    }

    /** Checks all events of a topic against this number of source partitions and of events in each. */
    static SyntheticCheck of(
            Consumer<Consumer<ConsumerRecord<byte[], byte[]>>> topic,
            long seed,
            int partitions,
            int eventsPerPartition) {
        Map<Integer, BitSet> seen = new TreeMap<>();
        Map<Integer, Long> last = new TreeMap<>();
        long[] counts = new long[3];
        SyntheticEvent decoder = new SyntheticEvent();
        topic.accept(record -> {
            SyntheticEvent.Header event;
            try {
                event = decoder.decode(record.value());
            } catch (IllegalArgumentException e) {
                counts[2]++;
                return;
            }
            if (event.seed() != seed || event.partition() >= partitions || event.sequence() >= eventsPerPartition) {
                counts[2]++;
                return;
            }
            BitSet bits = seen.computeIfAbsent(event.partition(), p -> new BitSet());
            if (bits.get((int) event.sequence())) {
                counts[0]++;
                return;
            }
            bits.set((int) event.sequence());
            Long before = last.get(event.partition());
            if (before != null && before > event.sequence()) {
                counts[1]++;
            } else {
                last.put(event.partition(), event.sequence());
            }
        });
        long found = seen.values().stream().mapToLong(BitSet::cardinality).sum();
        return new SyntheticCheck((long) partitions * eventsPerPartition - found, counts[0], counts[1], counts[2]);
    }
}
