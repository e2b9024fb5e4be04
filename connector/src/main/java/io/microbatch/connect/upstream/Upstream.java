package io.microbatch.connect.upstream;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.connect.source.ConnectorTransactionBoundaries;
import org.apache.kafka.connect.source.ExactlyOnceSupport;
import org.apache.kafka.connect.source.SourceConnectorContext;

/**
 * The connector side of an upstream: answers the questions that Connect asks a {@link
 * org.apache.kafka.connect.source.SourceConnector}. Called by the herder's threads, one call at a time for one
 * instance. Validation and the questions about support may come without a start.
 */
public interface Upstream {

    /**
     * The problems of this upstream's own settings, at the keys that the user wrote. Called if the connector's own keys
     * are valid.
     */
    List<ConfigValue> validate(Map<String, String> connectorConfig);

    /** Starts to watch the upstream for its tasks. */
    void start(Map<String, String> connectorConfig, SourceConnectorContext context);

    /** This upstream's part of each task's configuration, one map per task. */
    List<Map<String, String>> taskConfigs(int maxTasks);

    /** Ends the watch. Also called after a failed start. */
    void stop();

    /** Whether this upstream resumes exactly at a committed source offset. Null for unknown. */
    ExactlyOnceSupport exactlyOnceSupport(Map<String, String> connectorConfig);

    /** Whether this upstream defines its own transactions. */
    ConnectorTransactionBoundaries canDefineTransactionBoundaries(Map<String, String> connectorConfig);

    /**
     * Whether offsets may be altered in this way.
     *
     * @throws org.apache.kafka.connect.errors.ConnectException if these offsets are not valid here, with the reason
     */
    boolean alterOffsets(Map<String, String> connectorConfig, Map<Map<String, ?>, Map<String, ?>> offsets);
}
