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
 * What a topic holds of the synthetic upstream's events, read to the end: every event decoded, and each source
 * partition's sequence checked from its first event to where it ends, so that a lost tail shows.
 *
 * @param lost events that should be there and are not
 * @param duplicated events that are there again
 * @param reordered first occurrences behind a later one
 * @param corrupt records that are no event, or not one of this generator's
 */
record SyntheticCheck(long lost, long duplicated, long reordered, long corrupt) {

    static final SyntheticCheck CLEAN = new SyntheticCheck(0, 0, 0, 0);

    /** Checks a topic of single records against so many events in each of so many source partitions. */
    static SyntheticCheck of(TopicReader reader, String topic, long seed, int partitions, int eventsPerPartition) {
        return of(sink -> reader.readCommitted(topic, sink), seed, partitions, eventsPerPartition);
    }

    /** Checks all events of a topic against so many in each of so many source partitions. */
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
