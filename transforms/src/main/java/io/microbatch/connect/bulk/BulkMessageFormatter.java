package io.microbatch.connect.bulk;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.MessageFormatter;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.ValidString;
import org.apache.kafka.common.record.TimestampType;

/**
 * Prints the events of bulk records for {@code kafka-console-consumer}, one line per event. {@link #OVERVIEW_DOC}
 * describes it. One thread: the consumer's.
 */
public final class BulkMessageFormatter implements MessageFormatter {

    /** The description in the documentation. */
    public static final String OVERVIEW_DOC =
            "Prints the events of bulk records, one line per event: kafka-console-consumer --formatter "
                    + "io.microbatch.connect.bulk.BulkMessageFormatter --formatter-property print.key=true, with this "
                    + "jar on the CLASSPATH. A line has the fields of Kafka's own formatter, in its order. An event "
                    + "without a timestamp has that of the record. A record that is not a bulk record ends the "
                    + "consumer, "
                    + "unless --skip-message-on-error is set.";

    static final String PRINT_PARTITION = "print.partition";
    static final String PRINT_OFFSET = "print.offset";
    static final String PRINT_TIMESTAMP = "print.timestamp";
    static final String PRINT_KEY = "print.key";
    static final String KEY_SEPARATOR = "key.separator";
    static final String LINE_SEPARATOR = "line.separator";
    static final String NULL_LITERAL = "null.literal";
    static final String ENCODING = "bulk.encoding";

    /**
     * The settings, named as in Kafka's own formatter. {@code key.separator}, {@code line.separator} and {@code
     * null.literal} are supported too.
     */
    public static final ConfigDef CONFIG_DEF = BulkReaderConfig.define(new ConfigDef()
            .define(PRINT_PARTITION, Type.BOOLEAN, false, Importance.LOW, "Whether to print the record's partition.")
            .define(
                    PRINT_OFFSET,
                    Type.BOOLEAN,
                    false,
                    Importance.LOW,
                    "Whether to print the record's offset, a dot, and the event's position in the record, from 0.")
            .define(PRINT_TIMESTAMP, Type.BOOLEAN, false, Importance.LOW, "Whether to print the event's timestamp.")
            .define(PRINT_KEY, Type.BOOLEAN, false, Importance.LOW, "Whether to print the event's key.")
            .define(
                    ENCODING,
                    Type.STRING,
                    "utf-8",
                    ValidString.in("utf-8", "hex"),
                    Importance.LOW,
                    "How keys and values are printed: as text, or as hex digits."));

    private BulkReader reader;
    private boolean partition;
    private boolean offset;
    private boolean timestamp;
    private boolean key;
    private boolean hex;
    private byte[] fieldSeparator;
    private byte[] lineSeparator;
    private byte[] nullLiteral;

    @Override
    public void configure(Map<String, ?> configs) {
        AbstractConfig config = new AbstractConfig(CONFIG_DEF, configs, false);
        reader = new BulkReader(BulkReaderConfig.limits(config));
        partition = config.getBoolean(PRINT_PARTITION);
        offset = config.getBoolean(PRINT_OFFSET);
        timestamp = config.getBoolean(PRINT_TIMESTAMP);
        key = config.getBoolean(PRINT_KEY);
        hex = config.getString(ENCODING).equals("hex");
        // Not in the definition, because it would strip tabs and line ends from these values.
        fieldSeparator = literal(configs, KEY_SEPARATOR, "\t");
        lineSeparator = literal(configs, LINE_SEPARATOR, "\n");
        nullLiteral = literal(configs, NULL_LITERAL, "null");
    }

    private static byte[] literal(Map<String, ?> configs, String name, String fallback) {
        Object configured = configs.get(name);
        return text(configured == null ? fallback : configured.toString());
    }

    @Override
    public void writeTo(ConsumerRecord<byte[], byte[]> record, PrintStream output) {
        if (record.value() == null) {
            return;
        }
        reader.read(record.value());
        for (int place = 0; reader.next(); place++) {
            if (timestamp) {
                field(output, timestampOf(record));
            }
            if (partition) {
                field(output, "Partition:" + record.partition());
            }
            if (offset) {
                field(output, "Offset:" + record.offset() + "." + place);
            }
            if (key) {
                bytes(output, reader.keyOffset(), reader.keyLength());
                write(output, fieldSeparator);
            }
            bytes(output, reader.valueOffset(), reader.valueLength());
            write(output, lineSeparator);
        }
    }

    private String timestampOf(ConsumerRecord<byte[], byte[]> record) {
        if (reader.timestampMs() != BulkFormat.NO_TIMESTAMP) {
            return "EventTime:" + reader.timestampMs();
        }
        return record.timestampType() == TimestampType.NO_TIMESTAMP_TYPE
                ? "NO_TIMESTAMP"
                : record.timestampType() + ":" + record.timestamp();
    }

    private void field(PrintStream output, String text) {
        write(output, text(text));
        write(output, fieldSeparator);
    }

    private void bytes(PrintStream output, int at, int length) {
        if (length < 0) {
            write(output, nullLiteral);
        } else if (hex) {
            write(output, text(HexFormat.of().formatHex(reader.array(), at, at + length)));
        } else {
            output.write(reader.array(), at, length);
        }
    }

    private static void write(PrintStream output, byte[] bytes) {
        output.write(bytes, 0, bytes.length);
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
