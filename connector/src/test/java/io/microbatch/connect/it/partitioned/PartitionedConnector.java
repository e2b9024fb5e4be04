package io.microbatch.connect.it.partitioned;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.ExactlyOnceSupport;
import org.apache.kafka.connect.source.SourceConnector;
import org.apache.kafka.connect.util.ConnectorUtils;

/**
 * Assigns the sequences of its directory to its tasks. On a command in the directory it requests new tasks ({@code
 * reconfigure}) or raises an error ({@code raise}).
 */
public final class PartitionedConnector extends SourceConnector {

    static final String TOPIC = "topic";
    static final String SEED = "seed";
    static final String BATCH = "batch";
    static final String APART = "apart";
    static final String TASK = "task";
    static final String SEQUENCES = "sequences";

    private static final long LOOK_NANOS = 10_000_000;

    private Map<String, String> settings;
    private SequenceDirectory directory;
    private volatile boolean stopped;

    /** Called by reflection. */
    public PartitionedConnector() {}

    @Override
    public void start(Map<String, String> properties) {
        settings = properties;
        directory = new SequenceDirectory(properties.get(SequenceDirectory.KEY));
        directory.note("connector started");
        Thread watcher = new Thread(this::watch, "partitioned-watcher");
        watcher.setDaemon(true);
        watcher.start();
    }

    private void watch() {
        while (!stopped) {
            directory.take("reconfigure").ifPresent(text -> context().requestTaskReconfiguration());
            Optional<String> error = directory.take("raise");
            if (error.isPresent()) {
                // Connect does not stop a connector that has failed.
                stopped = true;
                context().raiseError(new ConnectException(error.get()));
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    @Override
    public Class<? extends Task> taskClass() {
        return PartitionedTask.class;
    }

    @Override
    public List<Map<String, String>> taskConfigs(int maxTasks) {
        List<Integer> sequences = IntStream.range(0, directory.count()).boxed().toList();
        List<Map<String, String>> configs = new ArrayList<>();
        if (sequences.isEmpty()) {
            return configs;
        }
        for (List<Integer> share : ConnectorUtils.groupPartitions(sequences, Math.min(maxTasks, sequences.size()))) {
            Map<String, String> config = new HashMap<>(settings);
            config.put(TASK, Integer.toString(configs.size()));
            config.put(SEQUENCES, share.stream().map(Object::toString).collect(Collectors.joining(",")));
            configs.add(config);
        }
        return configs;
    }

    @Override
    public void stop() {
        stopped = true;
        directory.note("connector stopped");
    }

    @Override
    public boolean alterOffsets(Map<String, String> properties, Map<Map<String, ?>, Map<String, ?>> offsets) {
        SequenceDirectory upstream = new SequenceDirectory(properties.get(SequenceDirectory.KEY));
        offsets.forEach((partition, offset) -> {
            Object sequence = partition.get(PartitionedTask.SEQUENCE);
            if (!(sequence instanceof Number number) || number.longValue() >= upstream.count()) {
                throw new ConnectException("There is no sequence " + sequence);
            }
            // An offset of null resets the sequence to its beginning.
            if (offset != null
                    && (!(offset.get(PartitionedTask.POSITION) instanceof Number position)
                            || position.longValue() < 0
                            || position.longValue() > upstream.end(number.intValue()))) {
                throw new ConnectException(
                        "Sequence " + sequence + " has no position " + offset.get(PartitionedTask.POSITION));
            }
        });
        upstream.note("connector altered " + offsets.size() + " offsets");
        return true;
    }

    @Override
    public ExactlyOnceSupport exactlyOnceSupport(Map<String, String> properties) {
        return ExactlyOnceSupport.SUPPORTED;
    }

    @Override
    public ConfigDef config() {
        return new ConfigDef()
                .define(SequenceDirectory.KEY, ConfigDef.Type.STRING, ConfigDef.Importance.HIGH, "The upstream.")
                .define(TOPIC, ConfigDef.Type.STRING, ConfigDef.Importance.HIGH, "The topic of the records.")
                .define(SEED, ConfigDef.Type.LONG, ConfigDef.Importance.HIGH, "The seed of the events' content.")
                .define(BATCH, ConfigDef.Type.INT, 5, ConfigDef.Importance.LOW, "Events per poll and sequence.")
                .define(
                        APART,
                        ConfigDef.Type.INT,
                        -1,
                        ConfigDef.Importance.LOW,
                        "The sequence with a topic of its own, and without a pause between its polls; -1 for none.");
    }

    @Override
    public String version() {
        return "1";
    }
}
