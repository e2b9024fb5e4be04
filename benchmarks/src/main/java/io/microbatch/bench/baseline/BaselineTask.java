package io.microbatch.bench.baseline;

import io.microbatch.connect.config.SyntheticConfig;
import io.microbatch.connect.upstream.synthetic.SyntheticEvent;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTask;

/**
 * Makes events in poll, as fast as it is polled or at a rate, of every n-th source partition where there are n tasks.
 * Task thread.
 */
public final class BaselineTask extends SourceTask {

    private static final String OFFSET_FIELD = "events";
    /** 2 to the 64th, divided by the golden ratio: multiples of it lie evenly (Knuth, volume 3). */
    private static final long SCATTER = 0x9E3779B97F4A7C15L;

    /** A long wait after the last event would delay its commit. An idle task does not poll so often. */
    private static final long END_WAIT_NANOS = 1_000_000;

    private static final int MAX_END_POLLS = 1_000;

    private final SyntheticEvent codec = new SyntheticEvent();
    /** The source partition of the offsets, which count the events of all sequences of the task. */
    private Map<String, Integer> offsetPartition = Map.of();

    private int task;
    private int tasks;
    private int partitions;
    /** Of each source partition of the task, which take turns. */
    private String[] topics = {};

    private byte[][] keys = {};
    private long events;
    private int minBytes;
    private int maxBytes;
    private boolean compressible;
    private int pollEvents;
    /** Connect looks at an interval boundary when a poll returns, so this bounds how late it is. */
    private long waitNanos;

    /** The polls after the last event that are still to return soon. */
    private int endPolls;

    private int rate;
    private long next;

    /** When the first event was due, at a rate. 0 before the first poll. */
    private long beganEpochNanos;

    @Override
    public String version() {
        return "benchmark";
    }

    @Override
    public void start(Map<String, String> properties) {
        AbstractConfig config = new AbstractConfig(BaselineConnector.CONFIG, properties, false);
        task = config.getInt(BaselineConnector.TASK);
        tasks = config.getInt(BaselineConnector.TASKS);
        partitions = config.getInt(SyntheticConfig.PARTITIONS_CONFIG);
        int own = (partitions - task + tasks - 1) / tasks;
        offsetPartition = Map.of("baseline.partition", task);
        int topicCount = config.getInt(SyntheticConfig.TOPICS_CONFIG);
        String topic = config.getString(SyntheticConfig.TOPIC_CONFIG);
        topics = new String[own];
        keys = new byte[own][];
        for (int index = 0; index < own; index++) {
            int number = numberOf(index);
            topics[index] = topicCount == 1 ? topic : topic + "-" + number % topicCount;
            keys[index] = ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
        }
        events = config.getLong(SyntheticConfig.EVENTS_CONFIG) * own;
        String[] range = config.getString(SyntheticConfig.SIZE_CONFIG).split("-", 2);
        minBytes = Integer.parseInt(range[0].trim());
        maxBytes = Integer.parseInt(range[range.length - 1].trim());
        compressible = config.getString(SyntheticConfig.PAYLOAD_CONFIG).equals("compressible");
        pollEvents = config.getInt(BaselineConnector.POLL_EVENTS);
        waitNanos = config.getInt(BaselineConnector.WAIT_MS) * 1_000_000L;
        rate = config.getInt(SyntheticConfig.RATE_CONFIG);
        beganEpochNanos = config.getLong(SyntheticConfig.START_CONFIG) * 1_000_000;
        Map<String, Object> committed = context.offsetStorageReader().offset(offsetPartition);
        next = committed == null ? 0 : ((Number) committed.get(OFFSET_FIELD)).longValue();
    }

    @Override
    public List<SourceRecord> poll() {
        if (next >= events) {
            LockSupport.parkNanos(endPolls > 0 ? Math.min(waitNanos, END_WAIT_NANOS) : waitNanos);
            endPolls = Math.max(0, endPolls - 1);
            return null;
        }
        long nowNanos = epochNanos();
        if (rate > 0) {
            nowNanos = awaitDue(nowNanos);
            if (nowNanos < dueNanos(nowNanos)) {
                return null;
            }
        }
        int count = (int) Math.min(pollEvents, events - next);
        List<SourceRecord> batch = new ArrayList<>(rate > 0 ? dueEvents(nowNanos, count) : count);
        for (int i = 0; i < count && (rate == 0 || dueNanos(nowNanos) <= nowNanos); i++) {
            // From when it was due, not from when this task came round to it.
            long epochNanos = rate > 0 ? dueNanos(nowNanos) : nowNanos;
            int index = (int) (next % keys.length);
            byte[] value = codec.encode(0, numberOf(index), next / keys.length, epochNanos, sizeBytes(), compressible);
            next++;
            batch.add(new SourceRecord(
                    offsetPartition,
                    Map.of(OFFSET_FIELD, next),
                    topics[index],
                    null,
                    Schema.BYTES_SCHEMA,
                    keys[index],
                    Schema.BYTES_SCHEMA,
                    value,
                    epochNanos / 1_000_000));
        }
        endPolls = next < events ? 0 : MAX_END_POLLS;
        return batch;
    }

    /**
     * Waits until the next event is due, or for a while. An event is returned as soon as it is due, and not from the
     * poll after that: between two polls Connect looks whether an interval is over, and an event that comes after this
     * look waits for the next one.
     */
    private long awaitDue(long fromNanos) {
        long nowNanos = fromNanos;
        long untilNanos = Math.min(fromNanos + waitNanos, dueNanos(fromNanos));
        while (nowNanos < untilNanos) {
            LockSupport.parkNanos(untilNanos - nowNanos);
            nowNanos = epochNanos();
        }
        return nowNanos;
    }

    /** The source partition of the connector that is the task's own one with this index. */
    private int numberOf(int index) {
        return task + index * tasks;
    }

    /** How many events of the whole connector are due before the task's next one: the rate is that of the connector. */
    private long before() {
        return next / keys.length * partitions + numberOf((int) (next % keys.length));
    }

    /** Spread evenly over the range. */
    private int sizeBytes() {
        return minBytes + (int) Math.floorMod((next * SCATTER) >>> Integer.SIZE, (long) maxBytes - minBytes + 1);
    }

    /**
     * About how many of the task's events are due, the next one among them. A poll at a rate returns few of them: an
     * array for a full poll would cost CPU at each event. In a backlog it returns many.
     */
    private int dueEvents(long nowNanos, int limit) {
        double ofAll = (nowNanos - dueNanos(nowNanos)) * (double) rate / 1e9;
        return (int) Math.min(limit, 1 + ofAll * keys.length / partitions);
    }

    private static long epochNanos() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }

    private long dueNanos(long nowNanos) {
        long sinceBeginNanos = before() * 1_000_000_000L / rate;
        if (beganEpochNanos == 0) {
            beganEpochNanos = nowNanos - sinceBeginNanos;
        }
        return beganEpochNanos + sinceBeginNanos;
    }

    @Override
    public void stop() {
        next = events;
    }
}
