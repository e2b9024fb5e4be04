package io.microbatch.connect.upstream.outbox;

import io.microbatch.connect.config.MicrobatchConfig;
import io.microbatch.connect.config.OutboxConfig;
import io.microbatch.connect.upstream.Upstream;
import io.microbatch.connect.upstream.UpstreamReader;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.ConnectorTransactionBoundaries;
import org.apache.kafka.connect.source.ExactlyOnceSupport;
import org.apache.kafka.connect.source.SourceConnectorContext;
import org.apache.kafka.connect.storage.OffsetStorageReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connector side of the outbox upstream: checks the table, and assigns its shards to tasks. Threads as in
 * {@link Upstream}.
 */
public final class OutboxUpstream implements Upstream {

    private static final Logger log = LoggerFactory.getLogger(OutboxUpstream.class);

    private static final String FIRST_CONFIG = "upstream.outbox.task.first";
    private static final String STEP_CONFIG = "upstream.outbox.task.step";

    private static final int VALIDATION_LIMIT_S = 3;
    private static final Pattern PARTITION = Pattern.compile("(.+):([0-9]{1,2})/([0-9]{1,2})");

    private int shards;

    /** The reader of one task, which logs once whether its connection may be unencrypted. */
    public static UpstreamReader reader(
            Map<String, String> taskConfig, OffsetStorageReader offsets, LongSupplier nanoClock) {
        OutboxConfig config = new MicrobatchConfig(taskConfig).outbox();
        int step = Integer.parseInt(taskConfig.get(STEP_CONFIG));
        List<Integer> numbers = new ArrayList<>();
        for (int shard = Integer.parseInt(taskConfig.get(FIRST_CONFIG)); shard < config.shards(); shard += step) {
            numbers.add(shard);
        }
        Encryption.warning(config).ifPresent(log::warn);
        String application = "microbatch " + taskConfig.getOrDefault("name", "");
        return new OutboxReader(config, application, numbers, offsets, nanoClock);
    }

    @Override
    public List<ConfigValue> validate(Map<String, String> connectorConfig) {
        OutboxConfig config = new MicrobatchConfig(connectorConfig).outbox();
        List<ConfigValue> values = new ArrayList<>();
        try (OutboxConnection database = OutboxConnection.open(config, "microbatch validation", VALIDATION_LIMIT_S)) {
            for (Problems.Problem problem : TableInspection.of(database, config).problems()) {
                values.add(value(problem.key(), problem.text()));
            }
            if (values.isEmpty()) {
                OutboxConnection.Server ignored =
                        database.server(OutboxTable.Timeline.of(config).identity());
            }
        } catch (SQLException e) {
            values.add(value(
                    OutboxConfig.URL_CONFIG,
                    OutboxConfig.URL_CONFIG + " names a database that does not answer as the primary of PostgreSQL "
                            + "13 or later, or that refuses the user or what is asked (SQLSTATE " + e.getSQLState()
                            + "): start it, or correct address, user and password. A primary is taken for a standby "
                            + "while default_transaction_read_only is on for the user"));
        }
        return values;
    }

    private static ConfigValue value(String key, String problem) {
        ConfigValue value = new ConfigValue(key);
        value.addErrorMessage(problem);
        return value;
    }

    @Override
    public void start(Map<String, String> connectorConfig, SourceConnectorContext context) {
        shards = new MicrobatchConfig(connectorConfig).outbox().shards();
    }

    @Override
    public List<Map<String, String>> taskConfigs(int maxTasks) {
        int tasks = Math.min(maxTasks, shards);
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
        int count = new MicrobatchConfig(connectorConfig).outbox().shards();
        offsets.forEach((partition, offset) -> {
            // What is removed may be of another number of shards, or of another connector of this name.
            if (offset != null) {
                checkPartition(partition, count);
                OutboxPosition ignored = OutboxPosition.of(offset);
            }
        });
        return true;
    }

    private static void checkPartition(Map<String, ?> partition, int count) {
        if (partition.size() == 1 && partition.get(Shard.PARTITION_FIELD) instanceof String text) {
            var parts = PARTITION.matcher(text);
            if (parts.matches()
                    && Integer.parseInt(parts.group(3)) == count
                    && Integer.parseInt(parts.group(2)) < count) {
                return;
            }
        }
        throw new ConnectException("A source partition of upstream.type=outbox is {\"" + Shard.PARTITION_FIELD
                + "\": \"<schema>.<table>:<shard>/" + count + "\"}, with a shard from 0 to " + (count - 1));
    }
}
