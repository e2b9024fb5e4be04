package io.microbatch.bench.faults;

import io.microbatch.connect.upstream.synthetic.SyntheticEvent;
import io.microbatch.testbed.oracle.Event;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The connector's own generator. Endless until it is sealed. Then it gets an end that no source partition has
 * reached yet, and a higher rate, so that the round does not wait long for those that were down longest.
 */
final class SyntheticFeed extends Feed {

    private static final int PARTITIONS = 4;
    private static final int RATE_PER_SEC = 600;
    private static final int HURRY_PER_SEC = 2_000;
    /** How long the connector may take to learn of the end, in the events that it goes on to make meanwhile. */
    private static final long MARGIN_EVENTS = RATE_PER_SEC / PARTITIONS * 8L;

    private final SyntheticEvent codec = new SyntheticEvent();
    private long end;

    SyntheticFeed(String name, long seed) {
        super(name, seed, PARTITIONS, 3);
    }

    @Override
    Map<String, String> config() {
        Map<String, String> config = new HashMap<>();
        config.put("tasks.max", Integer.toString(PARTITIONS));
        config.put("upstream.type", "synthetic");
        config.put("upstream.synthetic.topic", name);
        config.put("upstream.synthetic.partitions", Integer.toString(PARTITIONS));
        config.put("upstream.synthetic.rate", Integer.toString(end == 0 ? RATE_PER_SEC : HURRY_PER_SEC));
        config.put("upstream.synthetic.events.per.partition", Long.toString(end));
        config.put("upstream.synthetic.size.bytes", "40-400");
        config.put("upstream.synthetic.seed", Long.toString(run));
        config.put("key.converter", "org.apache.kafka.connect.converters.ByteArrayConverter");
        config.put("value.converter", "org.apache.kafka.connect.converters.ByteArrayConverter");
        return config;
    }

    @Override
    void begin() {
        // Begins when the connector does.
    }

    @Override
    void seal(long[] highest) {
        end = Arrays.stream(highest).max().orElse(0) + 1 + MARGIN_EVENTS;
    }

    @Override
    long[] truth() {
        long[] truth = new long[PARTITIONS];
        Arrays.fill(truth, end);
        return truth;
    }

    // The codec has scratch buffers of its own; the live view and the final check come from different threads.
    @Override
    synchronized Event decode(byte[] value) {
        try {
            SyntheticEvent.Header header = codec.decode(value);
            return new Event(
                    header.seed(), header.partition(), header.sequence(), header.intendedEpochNanos() / 1_000_000);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
