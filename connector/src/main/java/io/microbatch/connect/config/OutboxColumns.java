package io.microbatch.connect.config;

import java.util.Optional;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.Width;

/**
 * The columns of an outbox table. Immutable; any thread.
 *
 * @param id the event's identity, which becomes the header {@code id}
 * @param key the record's key
 * @param route what is inserted into the topic
 * @param payload the record's value
 * @param seq the number of the row
 * @param xid the transaction that inserted the row
 * @param timestamp the record's timestamp
 */
public record OutboxColumns(
        String id, String key, String route, String payload, String seq, String xid, Optional<String> timestamp) {

    private static final String PREFIX = OutboxConfig.PREFIX + "column.";

    public static final String ID_CONFIG = PREFIX + "id";

    static final String ID_DOC = "The column with the event's identity, which becomes the header 'id'.";

    public static final String KEY_CONFIG = PREFIX + "key";

    static final String KEY_DOC = "The column with the record's key. Rows of a key keep their order.";

    public static final String ROUTE_CONFIG = PREFIX + "route";

    static final String ROUTE_DOC = "The column whose content is inserted into upstream.outbox.topic.";

    public static final String PAYLOAD_CONFIG = PREFIX + "payload";

    static final String PAYLOAD_DOC =
            "The column with the record's value: bytes if the column is bytea, otherwise its text.";

    public static final String SEQ_CONFIG = PREFIX + "seq";

    static final String SEQ_DOC =
            "The column with the row's number: bigint GENERATED ALWAYS AS IDENTITY, with CACHE 1.";

    public static final String XID_CONFIG = PREFIX + "xid";

    static final String XID_DOC =
            "The column with the row's transaction: xid8 NOT NULL DEFAULT pg_current_xact_id(). Writers never set it.";

    public static final String TIMESTAMP_CONFIG = PREFIX + "timestamp";

    static final String TIMESTAMP_DOC =
            "The column with the record's timestamp: timestamptz, timestamp (taken as UTC), "
                    + "or bigint in milliseconds since 1970. Without it the producer's time applies, and "
                    + "upstream-lag-ms is not known.";

    static void define(KeyGroup keys) {
        define(keys, ID_CONFIG, "Column: identity", ID_DOC, "id");
        define(keys, KEY_CONFIG, "Column: key", KEY_DOC, "aggregateid");
        define(keys, ROUTE_CONFIG, "Column: route", ROUTE_DOC, "aggregatetype");
        define(keys, PAYLOAD_CONFIG, "Column: payload", PAYLOAD_DOC, "payload");
        define(keys, SEQ_CONFIG, "Column: number", SEQ_DOC, "seq");
        define(keys, XID_CONFIG, "Column: transaction", XID_DOC, "xid");
        define(keys, TIMESTAMP_CONFIG, "Column: timestamp", TIMESTAMP_DOC, null);
    }

    private static void define(KeyGroup keys, String key, String title, String doc, String column) {
        keys.add(Importance.LOW, key, title, doc)
                .takes(
                        Type.STRING,
                        column,
                        Width.MEDIUM,
                        AllowedValues.where("a name of 1 to 63 bytes", name -> OutboxConfig.isName((String) name)));
    }

    static OutboxColumns from(AbstractConfig config) {
        return new OutboxColumns(
                config.getString(ID_CONFIG),
                config.getString(KEY_CONFIG),
                config.getString(ROUTE_CONFIG),
                config.getString(PAYLOAD_CONFIG),
                config.getString(SEQ_CONFIG),
                config.getString(XID_CONFIG),
                Optional.ofNullable(config.getString(TIMESTAMP_CONFIG)));
    }
}
