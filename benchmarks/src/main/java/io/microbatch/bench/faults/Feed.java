package io.microbatch.bench.faults;

import io.microbatch.testbed.oracle.Event;
import io.microbatch.testbed.oracle.EventText;
import java.util.Map;

/**
 * Where the events of a round come from, and the truth about them. Those that the connector does not generate are
 * written by a writer of the feed's own. Used by the bench's thread.
 */
abstract class Feed implements AutoCloseable {

    /** Of the round, as a topic and a table can have it. */
    final String name;
    /** What its events carry as their run. */
    final long run;
    /** How many source partitions there are. */
    final int sourcePartitions;
    /** How many partitions the topic has. The records of one source partition are all in one of them. */
    final int topicPartitions;

    private PacedWriter writer;

    Feed(String name, long run, int sourcePartitions, int topicPartitions) {
        this.name = name;
        this.run = run;
        this.sourcePartitions = sourcePartitions;
        this.topicPartitions = topicPartitions;
    }

    /** The topic that the events go to. */
    String topic() {
        return name;
    }

    /** What the connector's configuration says about this upstream. */
    abstract Map<String, String> config();

    /** Begins to write events, if the connector does not generate them. */
    abstract void begin();

    /** Writes an event at each step. */
    final void begin(int perSec, PacedWriter.Step step) {
        writer = new PacedWriter("faults-writer", perSec, step);
    }

    /**
     * Ends the stream. {@link #config} may be another one now, which has to be given to the connector.
     *
     * @param highest the highest sequence that Kafka holds of each source partition
     */
    void seal(long[] highest) {
        writer.end();
    }

    /** How many events each source partition has in all. Known once it is sealed. */
    abstract long[] truth();

    /** What a record's value says. Null if it is not what was sent. Any thread. */
    Event decode(byte[] value) {
        return EventText.find(value);
    }

    @Override
    public void close() {
        if (writer != null) {
            writer.close();
        }
    }
}
