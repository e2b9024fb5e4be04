package io.microbatch.connect;

import io.microbatch.connect.common.Version;
import io.microbatch.connect.config.BoundaryConfig;
import io.microbatch.connect.config.ConfigCheck;
import io.microbatch.connect.config.HostedConfig;
import io.microbatch.connect.config.HttpCheck;
import io.microbatch.connect.config.MicrobatchConfig;
import io.microbatch.connect.config.OutboxCheck;
import io.microbatch.connect.config.ProducerCheck;
import io.microbatch.connect.config.SubjectCheck;
import io.microbatch.connect.upstream.Upstream;
import io.microbatch.connect.upstream.hosted.HostedUpstream;
import io.microbatch.connect.upstream.http.HttpUpstream;
import io.microbatch.connect.upstream.outbox.OutboxUpstream;
import io.microbatch.connect.upstream.synthetic.SyntheticUpstream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.source.ConnectorTransactionBoundaries;
import org.apache.kafka.connect.source.ExactlyOnceSupport;
import org.apache.kafka.connect.source.SourceConnector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connector: checks the configuration, asks the upstream for its abilities and its tasks, and assigns task
 * configurations. Called by the herder's threads, one call at a time.
 */
public final class MicrobatchSourceConnector extends SourceConnector {

    private static final Logger log = LoggerFactory.getLogger(MicrobatchSourceConnector.class);

    private Map<String, String> connectorConfig;
    private Upstream upstream;

    @Override
    public String version() {
        return Version.current();
    }

    @Override
    public ConfigDef config() {
        return MicrobatchConfig.definition();
    }

    @Override
    public Class<? extends Task> taskClass() {
        return MicrobatchSourceTask.class;
    }

    @Override
    public Config validate(Map<String, String> config) {
        Map<String, ConfigValue> values = ConfigCheck.check(config);
        boolean sound =
                values.values().stream().allMatch(value -> value.errorMessages().isEmpty());
        if (sound) {
            upstreamOf(config)
                    .validate(config)
                    .forEach(value -> values.merge(value.name(), value, (own, theirs) -> {
                        theirs.errorMessages().forEach(own::addErrorMessage);
                        return own;
                    }));
        }
        return new Config(new ArrayList<>(values.values()));
    }

    @Override
    public void start(Map<String, String> config) {
        ConfigCheck.essentialProblem(config).ifPresent(problem -> {
            throw new ConfigException(problem);
        });
        ProducerCheck.warnings(config).forEach(log::warn);
        BoundaryConfig.warnings(config).forEach(log::warn);
        HttpCheck.warnings(config).forEach(log::warn);
        OutboxCheck.warnings(config).forEach(log::warn);
        SubjectCheck.warnings(config).forEach(log::warn);
        connectorConfig = config;
        upstream = upstreamOf(config);
        upstream.start(config, context());
    }

    @Override
    public List<Map<String, String>> taskConfigs(int maxTasks) {
        List<Map<String, String>> configs = new ArrayList<>();
        for (Map<String, String> share : upstream.taskConfigs(maxTasks)) {
            Map<String, String> config = HostedConfig.withoutHosted(connectorConfig);
            config.put(MicrobatchConfig.TASK_NUMBER_CONFIG, Integer.toString(configs.size()));
            config.putAll(share);
            configs.add(config);
        }
        configs.forEach(config -> config.put(MicrobatchConfig.TASK_COUNT_CONFIG, Integer.toString(configs.size())));
        return configs;
    }

    @Override
    public void stop() {
        if (upstream != null) {
            upstream.stop();
        }
    }

    @Override
    public ExactlyOnceSupport exactlyOnceSupport(Map<String, String> config) {
        return upstreamOf(config).exactlyOnceSupport(config);
    }

    @Override
    public ConnectorTransactionBoundaries canDefineTransactionBoundaries(Map<String, String> config) {
        // A task names the records after which a transaction ends, but Connect gets the bulk records that contain them.
        return new MicrobatchConfig(config).bulk().isPresent()
                ? ConnectorTransactionBoundaries.UNSUPPORTED
                : upstreamOf(config).canDefineTransactionBoundaries(config);
    }

    @Override
    public boolean alterOffsets(Map<String, String> config, Map<Map<String, ?>, Map<String, ?>> offsets) {
        return upstreamOf(config).alterOffsets(config, offsets);
    }

    private static Upstream upstreamOf(Map<String, String> config) {
        return switch (new MicrobatchConfig(config).upstream().kind()) {
            case CONNECTOR -> new HostedUpstream();
            case HTTP -> new HttpUpstream();
            case OUTBOX -> new OutboxUpstream();
            case SYNTHETIC -> new SyntheticUpstream();
        };
    }
}
