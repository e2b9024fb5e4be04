package io.microbatch.connect.upstream.synthetic;

import io.microbatch.connect.config.MicrobatchConfig;
import io.microbatch.connect.config.SyntheticConfig;
import io.microbatch.connect.upstream.Upstream;
import io.microbatch.connect.upstream.UpstreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.ConnectorTransactionBoundaries;
import org.apache.kafka.connect.source.ExactlyOnceSupport;
import org.apache.kafka.connect.source.SourceConnectorContext;
import org.apache.kafka.connect.storage.OffsetStorageReader;

/**
 * The connector side of the generator: assigns its source partitions to tasks, and within a task to readers. Threads as
 * in {@link Upstream}.
 */
public final class SyntheticUpstream implements Upstream {

    private static final String FIRST_CONFIG = "upstream.synthetic.task.first";
    private static final String STEP_CONFIG = "upstream.synthetic.task.step";

    private int partitions;

    /** The readers of one task. Its source partitions are assigned evenly to at most {@code maxReaders} readers. */
    public static List<UpstreamReader> readers(
            Map<String, String> taskConfig, OffsetStorageReader offsets, int maxReaders, LongSupplier nanoClock) {
        SyntheticConfig config = new MicrobatchConfig(taskConfig).synthetic();
        int first = Integer.parseInt(taskConfig.get(FIRST_CONFIG));
        int step = Integer.parseInt(taskConfig.get(STEP_CONFIG));
        List<List<Integer>> shares = new ArrayList<>();
        for (int number = first, index = 0; number < config.partitions(); number += step, index++) {
            if (shares.size() < maxReaders) {
                shares.add(new ArrayList<>());
            }
            shares.get(index % maxReaders).add(number);
        }
        return shares.stream()
                .<UpstreamReader>map(share -> new SyntheticReader(config, share, offsets, nanoClock))
                .toList();
    }

    @Override
    public List<ConfigValue> validate(Map<String, String> connectorConfig) {
        return List.of();
    }

    @Override
    public void start(Map<String, String> connectorConfig, SourceConnectorContext context) {
        partitions = new MicrobatchConfig(connectorConfig).synthetic().partitions();
    }

    @Override
    public List<Map<String, String>> taskConfigs(int maxTasks) {
        int tasks = Math.min(maxTasks, partitions);
        List<Map<String, String>> configs = new ArrayList<>();
        for (int task = 0; task < tasks; task++) {
            configs.add(Map.of(FIRST_CONFIG, Integer.toString(task), STEP_CONFIG, Integer.toString(tasks)));
        }
        return configs;
    }

    @Override
    public void stop() {
        // Watches nothing.
    }

    @Override
    public ExactlyOnceSupport exactlyOnceSupport(Map<String, String> connectorConfig) {
        return ExactlyOnceSupport.SUPPORTED;
    }

    @Override
    public ConnectorTransactionBoundaries canDefineTransactionBoundaries(Map<String, String> connectorConfig) {
        return ConnectorTransactionBoundaries.UNSUPPORTED;
    }

    @Override
    public boolean alterOffsets(Map<String, String> connectorConfig, Map<Map<String, ?>, Map<String, ?>> offsets) {
        offsets.forEach((partition, offset) -> {
            // What is removed may be of another connector of this name.
            if (offset != null) {
                check(partition, offset);
            }
        });
        return true;
    }

    private static void check(Map<String, ?> partition, Map<String, ?> offset) {
        if (partition.size() != 1 || !(partition.get(SyntheticPartition.PARTITION_FIELD) instanceof Number)) {
            throw new ConnectException("A source partition of the generator is {\"" + SyntheticPartition.PARTITION_FIELD
                    + "\": <number>} and nothing else");
        }
        boolean alters = offset.size() == 1
                && offset.get(SyntheticPartition.OFFSET_FIELD) instanceof Number events
                && events.longValue() >= 0;
        if (!alters) {
            throw new ConnectException("An offset of the generator is {\"" + SyntheticPartition.OFFSET_FIELD
                    + "\": <number of events, 0 or more>} or null");
        }
    }
}
