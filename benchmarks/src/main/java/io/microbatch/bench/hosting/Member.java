package io.microbatch.bench.hosting;

import io.microbatch.testbed.TopicReader;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * One connector of the matrix in one delivery mode: its configuration, its source, and the truth about what the source
 * held. Both sides get the same events, each from a source of its own where reading changes the source. Used by the
 * bench's thread.
 */
interface Member extends AutoCloseable {

    /** A topic that the connector writes events to. */
    record Topic(String name, int partitions, boolean keepsTimestamps) {}

    /** As the results list it. */
    String name();

    /** What was tested, with its version. */
    String connector();

    /** How many tasks it has. */
    int tasks();

    /** Whether it resumes exactly at an offset that Connect keeps, so that an exactly-once worker delivers exactly once. */
    boolean resumesExactly();

    /** How long it may bring nothing at the end, though something is missing, until it counts as stalled. */
    default Duration patience() {
        return Duration.ofSeconds(30);
    }

    /** The topics of its events; they are created before it. */
    List<Topic> topics(Side side);

    /** What the connector itself is told, its {@code class} among it. */
    Map<String, String> own(Side side);

    /** What the worker is told about it. */
    Map<String, String> around();

    /** Begins to bring events. */
    void begin();

    /** Every connector has brought something. */
    default void started(TopicReader reader) {}

    /** The worker will be killed in a moment: brings more than usual, so that something is under way. */
    void burst();

    /** Half of the run is over. */
    default void halfway() {}

    /** Brings no new events any more. */
    void seal();

    /** What Kafka holds of it, against the truth; to be asked once it is sealed. */
    Delivered delivered(Side side, TopicReader reader);

    @Override
    void close();
}
