package io.microbatch.bench.faults;

import io.microbatch.testbed.FaultProxy;
import io.microbatch.testbed.PostgresServer;
import io.microbatch.testbed.TopicReader;
import io.microbatch.testbed.Topics;
import io.microbatch.testbed.oracle.Findings;
import io.microbatch.testbed.oracle.Oracle;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A stream of events through a connector under exactly-once, watched while it runs, and checked by the oracle when it
 * has ended: for commands that disturb the worker in their own way. Used by one thread.
 */
public final class VerifiedStream implements AutoCloseable {

    /** The class of the connector. */
    public static final String CONNECTOR = "io.microbatch.connect.MicrobatchSourceConnector";

    private final String bootstrapServers;
    private final String name;
    private final Feed feed;
    private final LiveView view;

    /**
     * What the oracle found.
     *
     * @param findings the sums
     * @param violations each with its time in the topic
     */
    public record Checked(Findings findings, List<Oracle.Violation> violations) {}

    private VerifiedStream(String bootstrapServers, String name, Feed feed) {
        this.bootstrapServers = bootstrapServers;
        this.name = name;
        this.feed = feed;
        new Topics(bootstrapServers).create(List.of(Topics.topic(feed.topic(), feed.topicPartitions, false)));
        view = new LiveView(bootstrapServers, feed);
        view.watchFromNow();
    }

    /**
     * Events of the generator, 600 a second in four tasks. Creates the topic.
     *
     * @param name of connector and topic
     * @param run a number that no other stream has
     */
    public static VerifiedStream generated(String bootstrapServers, String name, long run) {
        return new VerifiedStream(bootstrapServers, name, new SyntheticFeed(name, run));
    }

    /**
     * Rows of a new table, 200 a second, each in a transaction of its own, through a hosted Debezium. Creates table and
     * topic.
     *
     * @param name of connector, table and slot
     * @param run a number that no other stream has
     * @param proxy where the connector reaches the database
     */
    public static VerifiedStream hosted(
            String bootstrapServers, String name, long run, PostgresServer postgres, FaultProxy proxy) {
        return new VerifiedStream(bootstrapServers, name, new PostgresFeed(name, run, postgres, proxy));
    }

    /** The name of the connector. */
    public String name() {
        return name;
    }

    /** The connector's configuration, without a directory for what it learns. {@link #seal} may change it. */
    public Map<String, String> config() {
        Map<String, String> config = new HashMap<>(feed.config());
        config.put("connector.class", CONNECTOR);
        config.put("exactly.once.support", "required");
        return config;
    }

    /** Begins to write events, if the connector does not generate them. */
    public void begin() {
        feed.begin();
    }

    /** Ends the stream. Give the connector its configuration again. */
    public void seal() {
        feed.seal(view.highest());
    }

    /** Watches for events that come into being after this moment. */
    public void watchFromNow() {
        view.watchFromNow();
    }

    /** Whether every source partition has shown such an event. */
    public boolean hasRevived() {
        return view.allRevived();
    }

    /**
     * Milliseconds from a time of {@link System#nanoTime} to the first such event of the slowest source partition, at
     * least 0.
     */
    public long revivedAfterMs(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(view.revivedAfterNanos(nanos));
    }

    /** Whether the end of every source partition has arrived. Call it after {@link #seal}. */
    public boolean hasEnded() {
        return view.hasReached(feed.truth());
    }

    /** The number of records so far, repeated ones included. */
    public long records() {
        return view.records();
    }

    /** Reads the topic from its beginning and compares it with what was sent. The connector must have stopped. */
    public Checked check() {
        Oracle oracle = Oracle.timed(feed.run, feed.expected(view.highest()));
        new TopicReader(bootstrapServers)
                .readCommitted(feed.topic(), record -> feed.show(record.value(), record.timestamp(), oracle));
        return new Checked(oracle.findings(), oracle.violations());
    }

    @Override
    public void close() {
        view.close();
        feed.close();
    }
}
