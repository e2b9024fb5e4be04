package io.microbatch.connect.it.steady;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTask;

/** Counts. The events have no use but their number. */
public final class SteadyTask extends SourceTask {

    private String topic;
    private long pauseNanos;
    private long next;

    /** Called by reflection. */
    public SteadyTask() {}

    @Override
    public void start(Map<String, String> properties) {
        topic = properties.get(SteadyConnector.TOPIC);
        pauseNanos =
                TimeUnit.MILLISECONDS.toNanos(Long.parseLong(properties.getOrDefault(SteadyConnector.PAUSE_MS, "10")));
    }

    @Override
    public List<SourceRecord> poll() {
        LockSupport.parkNanos(pauseNanos);
        next++;
        return List.of(
                new SourceRecord(Map.of("all", 0), Map.of("next", next), topic, Schema.STRING_SCHEMA, "event " + next));
    }

    @Override
    public void stop() {
        // It holds nothing.
    }

    @Override
    public String version() {
        return "1";
    }
}
