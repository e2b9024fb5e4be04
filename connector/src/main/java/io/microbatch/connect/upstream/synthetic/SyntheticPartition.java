package io.microbatch.connect.upstream.synthetic;

import io.microbatch.connect.config.SyntheticConfig;
import java.util.Map;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * One source partition of the generator: a sequence, and the time at which its next event is due. Reader thread.
 *
 * <p>The offset of an event is the number of events up to and including it, so that reading continues exactly after it.
 */
final class SyntheticPartition {

    static final String PARTITION_FIELD = "synthetic.partition";
    static final String OFFSET_FIELD = "events";

    private final SyntheticConfig config;
    private final int number;
    private final String topic;
    private final Map<String, Integer> sourcePartition;
    private final byte[] key;
    private final SyntheticEvent event = new SyntheticEvent();
    /** The sequence of the first event on the curve. */
    private final long firstSequence;

    private long sequence;

    SyntheticPartition(SyntheticConfig config, int number, long resumeAt) {
        this.config = config;
        this.number = number;
        this.topic = config.topicOf(number);
        this.sourcePartition = Map.of(PARTITION_FIELD, number);
        this.key = new byte[] {(byte) (number >>> 24), (byte) (number >>> 16), (byte) (number >>> 8), (byte) number};
        this.firstSequence = config.startEpochMs() == 0 ? resumeAt : 0;
        this.sequence = resumeAt;
    }

    boolean exhausted() {
        return config.eventsPerPartition() > 0 && sequence >= config.eventsPerPartition();
    }

    /**
     * The time at which the next event is due, in nanoseconds after the start of the curve. The partitions take turns,
     * so that the connector's events are evenly spaced.
     */
    long dueNanos() {
        return config.rateCurve().unlimited()
                ? 0
                : config.rateCurve().dueNanos((sequence - firstSequence) * config.partitions() + number);
    }

    int nextSizeBytes() {
        int spread = config.maxBytes() - config.minBytes() + 1;
        if (spread == 1) {
            return config.minBytes();
        }
        return config.minBytes()
                + (int) Math.floorMod(SyntheticEvent.mix(~config.seed(), number, sequence), (long) spread);
    }

    SourceRecord next(long intendedEpochNanos) {
        byte[] value = event.encode(
                config.seed(), number, sequence, intendedEpochNanos, nextSizeBytes(), config.compressible());
        sequence++;
        return new SourceRecord(
                sourcePartition,
                Map.of(OFFSET_FIELD, sequence),
                topic,
                null,
                Schema.BYTES_SCHEMA,
                key,
                Schema.BYTES_SCHEMA,
                value,
                intendedEpochNanos / 1_000_000);
    }
}
