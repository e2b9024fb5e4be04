package io.microbatch.bench.baseline;

import io.microbatch.connect.upstream.synthetic.SyntheticEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTask;

/** Makes events in poll, as fast as it is polled or at a rate. Task thread. */
public final class BaselineTask extends SourceTask {

    private static final Map<String, Integer> PARTITION = Map.of("baseline.partition", 0);
    private static final String OFFSET_FIELD = "events";
    private static final long IDLE_NANOS = 100_000_000;
    private static final byte[] KEY = new byte[4];

    private final SyntheticEvent codec = new SyntheticEvent();
    private String topic;
    private int events;
    private int sizeBytes;
    private int pollEvents;
    private int rate;
    private long next;

    /** When the first event was due, at a rate; 0 before the first poll. */
    private long beganEpochNanos;

    @Override
    public String version() {
        return "benchmark";
    }

    @Override
    public void start(Map<String, String> properties) {
        AbstractConfig config = new AbstractConfig(BaselineConnector.CONFIG, properties, false);
        topic = config.getString(BaselineConnector.TOPIC);
        events = config.getInt(BaselineConnector.EVENTS);
        sizeBytes = config.getInt(BaselineConnector.SIZE_BYTES);
        pollEvents = config.getInt(BaselineConnector.POLL_EVENTS);
        rate = config.getInt(BaselineConnector.RATE);
        Map<String, Object> committed = context.offsetStorageReader().offset(PARTITION);
        next = committed == null ? 0 : ((Number) committed.get(OFFSET_FIELD)).longValue();
    }

    @Override
    public List<SourceRecord> poll() {
        if (next >= events) {
            LockSupport.parkNanos(IDLE_NANOS);
            return null;
        }
        long nowNanos = epochNanos();
        if (rate > 0 && nowNanos < dueNanos(nowNanos)) {
            LockSupport.parkNanos(Math.min(IDLE_NANOS, dueNanos(nowNanos) - nowNanos));
            return null;
        }
        int count = (int) Math.min(pollEvents, events - next);
        List<SourceRecord> batch = new ArrayList<>(count);
        for (int i = 0; i < count && (rate == 0 || dueNanos(nowNanos) <= nowNanos); i++) {
            // From when it was due, not from when this task came round to it.
            long epochNanos = rate > 0 ? dueNanos(nowNanos) : nowNanos;
            byte[] value = codec.encode(0, 0, next, epochNanos, sizeBytes, false);
            next++;
            batch.add(new SourceRecord(
                    PARTITION,
                    Map.of(OFFSET_FIELD, next),
                    topic,
                    null,
                    Schema.BYTES_SCHEMA,
                    KEY,
                    Schema.BYTES_SCHEMA,
                    value,
                    epochNanos / 1_000_000));
        }
        return batch;
    }

    private static long epochNanos() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }

    private long dueNanos(long nowNanos) {
        long sinceBeginNanos = next * 1_000_000_000L / rate;
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
