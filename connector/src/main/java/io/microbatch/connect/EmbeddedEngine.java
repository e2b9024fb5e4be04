package io.microbatch.connect;

import io.microbatch.connect.config.MicrobatchConfig;
import io.microbatch.connect.config.UpstreamConfig;
import java.util.Map;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.SourceTaskContext;

/**
 * Debezium's engine, which runs this connector inside an application and without a worker. It passes no place in Kafka
 * to commitRecord, which from a worker would mean that a record was filtered. It calls commitRecord with the record
 * that the transforms have made, and not at all for a record that they have dropped, see {@link EngineBatch}. It has no
 * transactions, no plugin metrics and no new tasks on request. Stateless; any thread.
 */
final class EmbeddedEngine {

    private static final String PACKAGE = "io.debezium.";

    private EmbeddedEngine() {}

    /** Whether the engine runs the task with this context. */
    static boolean runs(SourceTaskContext context) {
        return context.getClass().getName().startsWith(PACKAGE);
    }

    /** Throws ConnectException, with the remedy, for settings whose promise needs a worker. */
    static void check(MicrobatchConfig config, Map<String, String> taskConfig) {
        if (config.upstream().kind() == UpstreamConfig.Kind.HTTP) {
            throw new ConnectException(
                    "upstream.type=http answers clients when Kafka has their events, and an embedded "
                            + "engine does not write to Kafka. Run this connector in a Connect worker");
        }
        if (config.upstream().kind() == UpstreamConfig.Kind.OUTBOX) {
            throw new ConnectException("upstream.type=outbox deletes rows when Kafka has their events, and an embedded "
                    + "engine does not write to Kafka. Run this connector in a Connect worker");
        }
        if ("required".equalsIgnoreCase(taskConfig.get("exactly.once.support"))) {
            throw new ConnectException("exactly.once.support=required needs the transactions of a Connect worker, and "
                    + "an embedded engine delivers at least once. Remove the key, or run this connector in a worker");
        }
    }
}
