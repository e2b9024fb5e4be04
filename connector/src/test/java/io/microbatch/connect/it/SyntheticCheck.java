package io.microbatch.connect.it;

import io.microbatch.connect.upstream.synthetic.SyntheticEvent;
import io.microbatch.testbed.TopicReader;
import io.microbatch.testbed.oracle.Event;
import io.microbatch.testbed.oracle.Findings;
import io.microbatch.testbed.oracle.Oracle;
import java.util.Arrays;
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
        long[] expected = new long[partitions];
        Arrays.fill(expected, eventsPerPartition);
        Oracle oracle = new Oracle(seed, expected);
        SyntheticEvent decoder = new SyntheticEvent();
        topic.accept(record -> {
            try {
                SyntheticEvent.Header event = decoder.decode(record.value());
                oracle.saw(new Event(event.seed(), event.partition(), event.sequence(), 0), 0);
            } catch (IllegalArgumentException e) {
                oracle.sawCorrupt();
            }
        });
        Findings found = oracle.findings();
        return new SyntheticCheck(found.lost(), found.duplicated(), found.reordered(), found.foreign());
    }
}
