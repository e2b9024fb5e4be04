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

/** Makes events in poll, as fast as it is polled. Task thread. */
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
    private long next;

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
        Map<String, Object> committed = context.offsetStorageReader().offset(PARTITION);
        next = committed == null ? 0 : ((Number) committed.get(OFFSET_FIELD)).longValue();
    }

    @Override
    public List<SourceRecord> poll() {
        if (next >= events) {
            LockSupport.parkNanos(IDLE_NANOS);
            return null;
        }
        int count = (int) Math.min(pollEvents, events - next);
        List<SourceRecord> batch = new ArrayList<>(count);
        Instant now = Instant.now();
        long epochNanos = now.getEpochSecond() * 1_000_000_000L + now.getNano();
        for (int i = 0; i < count; i++) {
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

    @Override
    public void stop() {
        next = events;
    }
}
