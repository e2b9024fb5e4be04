package io.microbatch.connect.upstream;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.connect.source.ConnectorTransactionBoundaries;
import org.apache.kafka.connect.source.ExactlyOnceSupport;
import org.apache.kafka.connect.source.SourceConnectorContext;

/**
 * The connector side of an upstream: what a {@link org.apache.kafka.connect.source.SourceConnector} is asked, answered
 * truthfully for this upstream. Called by the herder's threads, one call at a time for one instance; validation and the
 * questions about support come without a start.
 */
public interface Upstream {

    /**
     * What is wrong with this upstream's own settings, at their keys as the user wrote them. Only asked once the
     * connector's own keys are in order.
     */
    List<ConfigValue> validate(Map<String, String> connectorConfig);

    /** Begins to watch the upstream for what tasks there are. */
    void start(Map<String, String> connectorConfig, SourceConnectorContext context);

    /** This upstream's share of each task's configuration; as many maps as there are tasks. */
    List<Map<String, String>> taskConfigs(int maxTasks);

    /** Ends the watch; also after a start that failed. */
    void stop();

    /** Whether this upstream resumes exactly at a committed source offset; null for unknown. */
    ExactlyOnceSupport exactlyOnceSupport(Map<String, String> connectorConfig);

    /** Whether this upstream says itself where transactions end. */
    ConnectorTransactionBoundaries canDefineTransactionBoundaries(Map<String, String> connectorConfig);

    /**
     * Whether offsets may be altered so.
     *
     * @throws org.apache.kafka.connect.errors.ConnectException if these offsets make no sense here, saying why
     */
    boolean alterOffsets(Map<String, String> connectorConfig, Map<Map<String, ?>, Map<String, ?>> offsets);
}
