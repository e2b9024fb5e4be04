package io.microbatch.connect.it.partitioned;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTask;

/** Reads its sequences from their committed offsets. Fails on a command in its directory. */
public final class PartitionedTask extends SourceTask {

    static final String SEQUENCE = "sequence";
    static final String POSITION = "position";

    private static final long PAUSE_NANOS = 10_000_000;

    private final Map<Integer, Long> next = new TreeMap<>();
    private SequenceDirectory directory;
    private String who;
    private String topic;
    private long seed;
    private int batch;
    private int apart;

    /** Called by reflection. */
    public PartitionedTask() {}

    @Override
    public void start(Map<String, String> properties) {
        directory = new SequenceDirectory(properties.get(SequenceDirectory.KEY));
        who = "task " + properties.get(PartitionedConnector.TASK);
        topic = properties.get(PartitionedConnector.TOPIC);
        seed = Long.parseLong(properties.get(PartitionedConnector.SEED));
        batch = Integer.parseInt(properties.getOrDefault(PartitionedConnector.BATCH, "5"));
        apart = Integer.parseInt(properties.getOrDefault(PartitionedConnector.APART, "-1"));
        for (int sequence : Stream.of(
                        properties.get(PartitionedConnector.SEQUENCES).split(",", -1))
                .map(Integer::valueOf)
                .toList()) {
            Map<String, Object> offset = context.offsetStorageReader().offset(Map.of(SEQUENCE, sequence));
            next.put(sequence, offset == null ? 0 : ((Number) offset.get(POSITION)).longValue());
        }
        directory.note(who + " started for " + properties.get("name") + " with sequences " + next.keySet() + " on "
                + Thread.currentThread().getName());
    }

    @Override
    public List<SourceRecord> poll() {
        directory.take("fail-" + who.replace(' ', '-')).ifPresent(text -> {
            throw new ConnectException(text);
        });
        List<SourceRecord> records = new ArrayList<>();
        next.keySet().forEach(sequence -> read(sequence, records));
        if (records.isEmpty() || !next.containsKey(apart)) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return records.isEmpty() ? null : records;
    }

    private void read(int sequence, List<SourceRecord> records) {
        long position = next.get(sequence);
        long end = Math.min(directory.end(sequence), position + batch);
        while (position < end) {
            String text = SequenceEvent.text(seed, sequence, position);
            position++;
            records.add(new SourceRecord(
                    Map.of(SEQUENCE, sequence),
                    Map.of(POSITION, position),
                    sequence == apart ? topic + "-apart" : topic,
                    Schema.STRING_SCHEMA,
                    text));
        }
        next.put(sequence, position);
    }

    @Override
    public void stop() {
        if (directory != null) {
            directory.note(who + " stopped");
        }
    }

    @Override
    public String version() {
        return "1";
    }
}
