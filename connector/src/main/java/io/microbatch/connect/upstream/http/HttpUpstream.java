package io.microbatch.connect.upstream.http;

import io.microbatch.connect.ack.TaskPace;
import io.microbatch.connect.config.BatchConfig;
import io.microbatch.connect.config.MicrobatchConfig;
import io.microbatch.connect.upstream.Upstream;
import io.microbatch.connect.upstream.UpstreamReader;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.ConnectorTransactionBoundaries;
import org.apache.kafka.connect.source.ExactlyOnceSupport;
import org.apache.kafka.connect.source.SourceConnectorContext;
import org.apache.kafka.connect.storage.OffsetStorageReader;

/**
 * The connector side of the HTTP upstream: each task listens, and takes events for all topics. Threads as in
 * {@link Upstream}.
 */
public final class HttpUpstream implements Upstream {

    /**
     * The reader of one task.
     *
     * @param connector the connector's name
     * @param task the task's number, from 0
     * @param usableNanos the part of a latency budget that waiting and acknowledgement may use together
     */
    public static UpstreamReader reader(
            Map<String, String> taskConfig,
            String connector,
            int task,
            OffsetStorageReader offsets,
            TaskPace pace,
            LongUnaryOperator usableNanos,
            LongSupplier nanoClock) {
        int tasks = Integer.parseInt(taskConfig.getOrDefault(MicrobatchConfig.TASK_COUNT_CONFIG, "1"));
        MicrobatchConfig config = new MicrobatchConfig(taskConfig);
        return new HttpReader(
                config.http(),
                config.batch().mode() == BatchConfig.Mode.ADAPTIVE && BatchConfig.isForLatency(taskConfig),
                new HttpIdentity(connector, task, tasks),
                offsets,
                pace,
                usableNanos,
                nanoClock);
    }

    @Override
    public List<ConfigValue> validate(Map<String, String> connectorConfig) {
        return List.of();
    }

    @Override
    public void start(Map<String, String> connectorConfig, SourceConnectorContext context) {
        // Watches nothing.
    }

    @Override
    public List<Map<String, String>> taskConfigs(int maxTasks) {
        return Collections.nCopies(maxTasks, Map.of());
    }

    @Override
    public void stop() {
        // Watches nothing.
    }

    /** A client cannot be asked to send its events again, which is what Connect's question means. */
    @Override
    public ExactlyOnceSupport exactlyOnceSupport(Map<String, String> connectorConfig) {
        return ExactlyOnceSupport.UNSUPPORTED;
    }

    @Override
    public ConnectorTransactionBoundaries canDefineTransactionBoundaries(Map<String, String> connectorConfig) {
        return ConnectorTransactionBoundaries.UNSUPPORTED;
    }

    @Override
    public boolean alterOffsets(Map<String, String> connectorConfig, Map<Map<String, ?>, Map<String, ?>> offsets) {
        offsets.values().forEach(offset -> {
            if (offset != null) {
                throw new ConnectException("The offsets of upstream.type=http can only be reset: they are the numbers "
                        + "of requests and the remembered keys, and name no position in an upstream");
            }
        });
        return true;
    }
}
