package io.microbatch.bench.faults;

import io.microbatch.testbed.oracle.Event;
import io.microbatch.testbed.oracle.EventText;
import io.microbatch.testbed.oracle.Findings;
import io.microbatch.testbed.oracle.Oracle;
import java.util.Map;
import java.util.Optional;

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

    /**
     * How many events of each source partition the oracle is to see. Known once it is sealed.
     *
     * @param highest the highest sequence that Kafka holds of each source partition
     */
    long[] expected(long[] highest) {
        long[] expected = truth();
        for (int partition = 0; partition < expected.length; partition++) {
            // The generator may have been beyond the end before it learned of it.
            expected[partition] = Math.max(expected[partition], highest[partition] + 1);
        }
        return expected;
    }

    /** Shows the oracle a record of the topic. */
    void show(byte[] value, long appendedMs, Oracle oracle) {
        oracle.saw(decode(value), appendedMs);
    }

    /** A worker did nothing between these two times of {@link System#nanoTime}. */
    void workerWasFrozen(long fromNanos, long toNanos) {
        // Of no meaning for a feed that nobody waits for.
    }

    /** What clients were told, compared with the topic. Of a feed with clients, once all records were shown. */
    Optional<HttpResult> http(Findings found) {
        return Optional.empty();
    }

    /** What became of the rows of an outbox. Of a feed with one, once all records were shown. */
    Optional<OutboxResult> outbox(Findings found) {
        return Optional.empty();
    }

    /** Whether this source partition has events all the time, so that they show the end of a fault at once. */
    boolean isSteady(int partition) {
        return true;
    }

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
