package io.microbatch.bench.hosting;

import io.microbatch.bench.faults.PacedWriter;
import io.microbatch.testbed.TopicReader;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * One connector of the matrix in one delivery mode: its configuration, its source, and the truth about what the source
 * held. Both sides get the same events, each from a source of its own where reading changes the source. Used by the
 * bench's thread; events are written by a thread of its own, too.
 */
abstract class Member implements AutoCloseable {

    /** As the results list it. */
    final String name;
    /** What was tested, with its version. */
    final String connector;
    /** How many tasks it has. */
    final int tasks;
    /**
     * Whether it resumes exactly at an offset that Connect keeps, so that an exactly-once worker delivers exactly once.
     */
    final boolean resumesExactly;

    private PacedWriter writer;

    Member(String name, String connector, int tasks, boolean resumesExactly) {
        this.name = name;
        this.connector = connector;
        this.tasks = tasks;
        this.resumesExactly = resumesExactly;
    }

    /** A topic that the connector writes events to. */
    record Topic(String name, int partitions, boolean keepsTimestamps) {}

    /** How long it may deliver nothing at the end, though something is missing, until it counts as stalled. */
    Duration patience() {
        return Duration.ofSeconds(30);
    }

    /** The topics of its events. They are created before it. */
    abstract List<Topic> topics(Side side);

    /** The connector's own settings, its {@code class} among them. */
    abstract Map<String, String> own(Side side);

    /** The worker's settings for it. */
    abstract Map<String, String> around();

    /** Begins to write events. */
    abstract void begin();

    /** Writes this number of events now. */
    abstract void write(int events);

    /** Every connector has delivered something. */
    void started(TopicReader reader) {}

    /** The worker is about to be killed: writes more than usual, so that events are in flight. */
    abstract void burst();

    /** Half of the run is over. */
    void halfway() {}

    /** What a source partition of its truth is called. */
    String stream(int partition) {
        return "partition " + partition;
    }

    /** What Kafka holds of it, against the truth. To be asked once it is sealed. */
    abstract Delivered delivered(Side side, TopicReader reader);

    /** Writes this number of events, and again several times a second until it is sealed. */
    final void writeSteadily(int turnsPerSec, int events) {
        writer = new PacedWriter("hosting-" + name, turnsPerSec, turn -> write(events));
    }

    /** Writes no new events any more. */
    void seal() {
        if (writer != null) {
            writer.end();
        }
    }

    @Override
    public void close() {
        if (writer != null) {
            writer.close();
        }
    }
}
