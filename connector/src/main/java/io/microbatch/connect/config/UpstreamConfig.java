package io.microbatch.connect.config;

import java.util.Locale;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;

/** Which upstream a connector reads. Immutable; any thread. */
public record UpstreamConfig(Kind kind) {

    static final String GROUP = "Upstream";

    public static final String TYPE_CONFIG = "upstream.type";

    static final String TYPE_DOC =
            "The upstream of the task. 'connector' hosts another source connector that is installed on the "
                    + "worker. 'http' takes events from HTTP clients and answers a client when Kafka has its events. "
                    + "'outbox' carries the committed rows of an outbox table in PostgreSQL, exactly once on an "
                    + "exactly-once worker. 'synthetic' generates seeded events at exact rates.";

    /** The available upstreams. */
    public enum Kind {
        CONNECTOR,
        HTTP,
        OUTBOX,
        SYNTHETIC
    }

    static void define(ConfigDef def) {
        KeyGroup keys = new KeyGroup(def, GROUP);
        keys.add(Importance.HIGH, TYPE_CONFIG, "Upstream", TYPE_DOC)
                .takesOneOf("connector", "http", "outbox", "synthetic");
    }

    static UpstreamConfig from(AbstractConfig config) {
        return new UpstreamConfig(Kind.valueOf(config.getString(TYPE_CONFIG).toUpperCase(Locale.ROOT)));
    }
}
