package io.microbatch.connect.config;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.Width;
import org.apache.kafka.common.config.types.Password;

/**
 * The outbox upstream as its keys describe it. Immutable; any thread.
 *
 * @param url the JDBC URL, which names no class and no file
 * @param table the table's name, with its schema if it has a dot
 * @param topic the topic of a row, with {@link #ROUTE} for the content of its column
 * @param topics the topics that rows may go to
 * @param fields the columns that become headers
 * @param tombstoneOnEmpty whether a row without payload, or with an empty one, is a tombstone
 * @param deletes whether delivered rows are deleted
 * @param shards into how many parts the keys are divided, each with its own offset
 * @param pageRows the most rows of a read
 * @param maxPayloadBytes the largest payload that is read
 * @param pollIntervalMs the time between two reads of an empty table, in milliseconds
 * @param notifyChannel the channel on which writers announce rows
 * @param walCheck whether a snapshot counts only when the log that it saw is on disk
 */
public record OutboxConfig(
        String url,
        String user,
        Password password,
        String table,
        OutboxColumns columns,
        String topic,
        Optional<Pattern> topics,
        List<Field> fields,
        boolean tombstoneOnEmpty,
        boolean deletes,
        int shards,
        int pageRows,
        int maxPayloadBytes,
        int pollIntervalMs,
        Optional<String> notifyChannel,
        boolean walCheck) {

    static final String GROUP = "Outbox upstream";
    static final String PREFIX = "upstream.outbox.";

    /** The part of the topic that is replaced with the content of a row's route column. */
    public static final String ROUTE = "${route}";

    public static final String URL_CONFIG = PREFIX + "jdbc.url";

    static final String URL_DOC = "The PostgreSQL database with the outbox table: "
            + "'jdbc:postgresql://host:port/database'. Of several hosts, separated by commas, the primary is taken. "
            + "The URL may have the parameters ApplicationName, connectTimeout, currentSchema, hostRecheckSeconds, "
            + "loadBalanceHosts, prepareThreshold, socketTimeout and sslmode. With sslmode=verify-ca or verify-full "
            + "the server's certificate is checked with the trust store of the worker's JVM.";

    public static final String USER_CONFIG = PREFIX + "user";

    static final String USER_DOC =
            "The database user. It needs the right to read the table, and to delete from it unless "
                    + "upstream.outbox.after=keep.";

    public static final String PASSWORD_CONFIG = PREFIX + "password";

    static final String PASSWORD_DOC = "The password of the database user. Use a config provider, such as "
            + "${file:/etc/secrets/outbox.properties:password}.";

    public static final String TABLE_CONFIG = PREFIX + "table";

    static final String TABLE_DOC = "The outbox table: 'name' or 'schema.name', as the catalog has it.";

    public static final String TOPIC_CONFIG = PREFIX + "topic";

    static final String TOPIC_DOC = "The topic of a row. " + ROUTE + " is replaced with the content of the column that "
            + "upstream.outbox.column.route names.";

    public static final String TOPICS_CONFIG = PREFIX + "topics";

    static final String TOPICS_DOC = "A regular expression for the topics that rows may go to. A row for another topic "
            + "becomes a dead letter, or fails the task. Without it every legal name is allowed, and a row for a "
            + "topic that does not exist and that nobody creates blocks the worker's producer and the task with it.";

    public static final String FIELDS_CONFIG = PREFIX + "fields.additional";

    static final String FIELDS_DOC =
            "Columns that become headers, comma-separated: 'column:header' for a header of the "
                    + "column's name, or 'column:header:name'. A header has the column's text.";

    public static final String TOMBSTONE_CONFIG = PREFIX + "tombstone.on.empty";

    static final String TOMBSTONE_DOC = "Whether a row whose payload is null or empty becomes a tombstone: a record "
            + "with null as its value and no schema.";

    public static final String AFTER_CONFIG = PREFIX + "after";

    static final String AFTER_DOC = "What becomes of a row that Kafka has. 'delete' deletes it, in batches. 'keep' "
            + "leaves it, for tables whose partitions are dropped by age.";

    public static final String SHARDS_CONFIG = PREFIX + "shards";

    static final String SHARDS_DOC = "Into how many parts the keys are divided. A part is read by one task, so that "
            + "there are no more tasks than parts. Each part has its own source offset: change the number only while "
            + "the table is empty, or its rows are delivered once more.";

    public static final String PAGE_ROWS_CONFIG = PREFIX + "page.rows";

    static final String PAGE_ROWS_DOC =
            "The most rows that one statement reads. It reads fewer of large rows: about 8 MiB of the columns that "
                    + "records are made of.";

    public static final String MAX_PAYLOAD_CONFIG = PREFIX + "max.payload.bytes";

    static final String MAX_PAYLOAD_DOC = "The largest payload that is read, in bytes, and the most bytes that the id, "
            + "the key, the route and the additional fields of a row may have together. A row with more "
            + "fails the task. With deadletter.topic and upstream.outbox.after=keep it becomes a dead letter with the "
            + "size. At most half of stripe.max.bytes.";

    public static final String POLL_INTERVAL_CONFIG = PREFIX + "poll.interval.ms";

    static final String POLL_INTERVAL_DOC =
            "The time after which a table without new rows is read again. It adds half of itself to the latency of "
                    + "a single row, on average.";

    public static final String CHANNEL_CONFIG = PREFIX + "notify.channel";

    static final String CHANNEL_DOC = "The channel of NOTIFY on which writers announce rows. The table is then read "
            + "upon an announcement, and every second. Without it the interval applies. A transaction with NOTIFY "
            + "takes a lock of the whole server at its commit, so that busy databases do better without. It does not "
            + "work through a connection pooler in transaction mode.";

    public static final String WAL_CHECK_CONFIG = PREFIX + "wal.check";

    static final String WAL_CHECK_DOC = "Whether rows are sent only when the database's log is on disk as far as the "
            + "snapshot saw it. Set false only where the server does not have the functions for it: a crash of the "
            + "database may then make the connector skip a row.";

    private static final int MAX_NAME_BYTES = 63;
    private static final Pattern CHANNEL = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_]{0,62}");

    /**
     * A column that becomes a header.
     *
     * @param column the column
     * @param header the header's name
     */
    public record Field(String column, String header) {

        /** Null if it is none. */
        private static Field of(String text) {
            String[] parts = text.strip().split(":", -1);
            boolean isHeader = parts.length >= 2 && parts.length <= 3 && parts[1].equals("header");
            if (!isHeader || !isName(parts[0]) || parts[parts.length - 1].isBlank()) {
                return null;
            }
            return new Field(parts[0], parts.length == 2 ? parts[0] : parts[2]);
        }
    }

    static void define(ConfigDef def) {
        KeyGroup keys = new KeyGroup(def, GROUP);
        keys.add(Importance.HIGH, URL_CONFIG, "JDBC URL", URL_DOC)
                .takes(
                        Type.STRING,
                        null,
                        Width.LONG,
                        AllowedValues.where(OutboxUrl.ALLOWED, url -> OutboxUrl.isAllowed((String) url)));
        keys.add(Importance.HIGH, USER_CONFIG, "User", USER_DOC).takes(Type.STRING, null, Width.MEDIUM);
        keys.add(Importance.HIGH, PASSWORD_CONFIG, "Password", PASSWORD_DOC).takes(Type.PASSWORD, null, Width.MEDIUM);
        keys.add(Importance.HIGH, TABLE_CONFIG, "Table", TABLE_DOC)
                .takes(
                        Type.STRING,
                        "outboxevent",
                        Width.MEDIUM,
                        AllowedValues.where("name or schema.name, each of 1 to 63 bytes", OutboxConfig::isTable));
        OutboxColumns.define(keys);
        keys.add(Importance.HIGH, TOPIC_CONFIG, "Topic", TOPIC_DOC)
                .takes(
                        Type.STRING,
                        "outbox.event." + ROUTE,
                        Width.MEDIUM,
                        AllowedValues.where(
                                "the name of a topic, with " + ROUTE + " if it has one",
                                topic -> TopicName.isLegal(((String) topic).replace(ROUTE, "r"))));
        keys.add(Importance.MEDIUM, TOPICS_CONFIG, "Allowed topics", TOPICS_DOC)
                .takes(
                        Type.STRING,
                        null,
                        Width.LONG,
                        AllowedValues.where(
                                "a regular expression",
                                topics -> !Pattern.compile((String) topics)
                                        .pattern()
                                        .isEmpty()));
        keys.add(Importance.LOW, FIELDS_CONFIG, "Additional headers", FIELDS_DOC)
                .takes(
                        Type.LIST,
                        null,
                        Width.LONG,
                        AllowedValues.where(
                                "column:header or column:header:name, comma-separated",
                                list -> ((List<?>) list).stream().allMatch(each -> Field.of((String) each) != null)));
        keys.add(Importance.LOW, TOMBSTONE_CONFIG, "Tombstones", TOMBSTONE_DOC).takes(Type.BOOLEAN, false, Width.SHORT);
        keys.add(Importance.MEDIUM, AFTER_CONFIG, "After delivery", AFTER_DOC).takesOneOf("delete", "keep");
        keys.add(Importance.MEDIUM, SHARDS_CONFIG, "Shards", SHARDS_DOC)
                .takes(Type.INT, 1, Width.SHORT, Range.between(1, 64));
        keys.add(Importance.LOW, PAGE_ROWS_CONFIG, "Rows of a page", PAGE_ROWS_DOC)
                .takes(Type.INT, 2_000, Width.SHORT, Range.between(1, 100_000));
        keys.add(Importance.LOW, MAX_PAYLOAD_CONFIG, "Largest payload (bytes)", MAX_PAYLOAD_DOC)
                .takes(Type.INT, 1_000_000, Width.SHORT, Range.between(1_024, 268_435_456));
        keys.add(Importance.MEDIUM, POLL_INTERVAL_CONFIG, "Poll interval (ms)", POLL_INTERVAL_DOC)
                .takes(Type.INT, 20, Width.SHORT, Range.between(1, 60_000));
        keys.add(Importance.LOW, CHANNEL_CONFIG, "Channel", CHANNEL_DOC)
                .takes(
                        Type.STRING,
                        null,
                        Width.MEDIUM,
                        AllowedValues.where(
                                "a name of a channel",
                                channel -> CHANNEL.matcher((String) channel).matches()));
        keys.add(Importance.LOW, WAL_CHECK_CONFIG, "Check of the log", WAL_CHECK_DOC)
                .takes(Type.BOOLEAN, true, Width.SHORT);
    }

    static OutboxConfig from(AbstractConfig config) {
        List<Field> fields = new ArrayList<>();
        List<String> named = config.getList(FIELDS_CONFIG);
        if (named != null) {
            named.forEach(each -> fields.add(Field.of(each)));
        }
        return new OutboxConfig(
                config.getString(URL_CONFIG),
                config.getString(USER_CONFIG),
                config.getPassword(PASSWORD_CONFIG),
                config.getString(TABLE_CONFIG),
                OutboxColumns.from(config),
                config.getString(TOPIC_CONFIG),
                Optional.ofNullable(config.getString(TOPICS_CONFIG)).map(Pattern::compile),
                List.copyOf(fields),
                config.getBoolean(TOMBSTONE_CONFIG),
                "delete".equalsIgnoreCase(config.getString(AFTER_CONFIG)),
                config.getInt(SHARDS_CONFIG),
                config.getInt(PAGE_ROWS_CONFIG),
                config.getInt(MAX_PAYLOAD_CONFIG),
                config.getInt(POLL_INTERVAL_CONFIG),
                Optional.ofNullable(config.getString(CHANNEL_CONFIG)),
                config.getBoolean(WAL_CHECK_CONFIG));
    }

    private static boolean isTable(Object value) {
        String[] parts = ((String) value).split("\\.", -1);
        return parts.length <= 2 && isName(parts[0]) && isName(parts[parts.length - 1]);
    }

    /** Whether PostgreSQL could have such a name. Statements quote it. */
    static boolean isName(String name) {
        return !name.isBlank()
                && name.indexOf('\0') < 0
                && name.getBytes(StandardCharsets.UTF_8).length <= MAX_NAME_BYTES;
    }
}
