package io.microbatch.connect.bulk;

import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;

/**
 * The settings of all readers of bulk records: deserializers, converter, transform and formatter. Stateless; any
 * thread.
 *
 * <p>The keys have the prefix {@code bulk.} because a deserializer shares its namespace with the consumer.
 */
public final class BulkReaderConfig {

    /** The key of the maximum length of a record. */
    public static final String MAX_RECORD_BYTES_CONFIG = "bulk.max.record.bytes";

    static final String MAX_RECORD_BYTES_DOC =
            "The maximum length of a bulk record, in bytes. The reader rejects a longer record before it allocates "
                    + "memory for it.";

    /** The key of the maximum number of events. */
    public static final String MAX_EVENTS_CONFIG = "bulk.max.events";

    static final String MAX_EVENTS_DOC =
            "The maximum number of events in a bulk record. It bounds the heap that a record of many tiny events "
                    + "uses: about " + BulkLimits.HEAP_BYTES_PER_EVENT + " bytes per event in addition to its bytes.";

    private BulkReaderConfig() {}

    /** Adds the keys to a definition and returns it. */
    public static ConfigDef define(ConfigDef def) {
        return def.define(
                        MAX_RECORD_BYTES_CONFIG,
                        Type.INT,
                        BulkLimits.DEFAULT_MAX_RECORD_BYTES,
                        Range.atLeast(BulkFormat.MAX_HEADER_BYTES),
                        Importance.LOW,
                        MAX_RECORD_BYTES_DOC)
                .define(
                        MAX_EVENTS_CONFIG,
                        Type.INT,
                        BulkLimits.DEFAULT_MAX_EVENTS,
                        Range.atLeast(1),
                        Importance.LOW,
                        MAX_EVENTS_DOC);
    }

    /** The limits of a configuration whose definition has the keys. */
    public static BulkLimits limits(AbstractConfig config) {
        return new BulkLimits(config.getInt(MAX_RECORD_BYTES_CONFIG), config.getInt(MAX_EVENTS_CONFIG));
    }

    /** The limits in settings that may have further keys. */
    static BulkLimits limits(Map<String, ?> settings) {
        return limits(new AbstractConfig(define(new ConfigDef()), settings, false));
    }
}
