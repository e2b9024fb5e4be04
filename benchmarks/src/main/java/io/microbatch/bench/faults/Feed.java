package io.microbatch.bench.faults;

import java.util.Map;

/** Where the events of a round come from, and the truth about them. Used by the bench's thread. */
interface Feed extends AutoCloseable {

    /** The topic that the events go to. */
    String topic();

    /** What its events carry as their run. */
    long run();

    /** How many partitions that topic has; the records of one source partition are all in one of them. */
    int topicPartitions();

    /** How many source partitions there are. */
    int sourcePartitions();

    /** What the connector's configuration says about this upstream. */
    Map<String, String> config();

    /** Begins to bring events, if that is not the connector's own doing. */
    void begin();

    /**
     * Brings no new events any more; {@link #config} may be another one now, which has to be given to the connector.
     *
     * @param highest the highest sequence that Kafka holds of each source partition
     */
    void seal(long[] highest);

    /** How many events each source partition has in all; known once it is sealed. */
    long[] truth();

    /** What a record's value says; null if it is not what was sent. Any thread. */
    Event decode(byte[] value);

    @Override
    void close();
}
