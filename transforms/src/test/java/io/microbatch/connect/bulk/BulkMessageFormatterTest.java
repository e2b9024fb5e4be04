package io.microbatch.connect.bulk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

/** Tests the output of kafka-console-consumer. */
class BulkMessageFormatterTest {

    private static final byte[] FULL = Golden.of("v1-full").record();

    @Test
    void printsTheValueOfEachEventOnALine() {
        assertThat(print(Map.of(), FULL)).isEqualTo("created\nnull\n\nno time\nä\nnull\n");
    }

    @Test
    void printsTheConfiguredFieldsInTheOrderOfKafkasFormatter() {
        String printed = print(
                Map.of(
                        "print.partition", "true",
                        "print.offset", "true",
                        "print.timestamp", "true",
                        "print.key", "true",
                        "key.separator", "|",
                        "null.literal", "NULL"),
                FULL);
        assertThat(printed.lines())
                .containsExactly(
                        "EventTime:1700000000000|Partition:3|Offset:9.0|k1|created",
                        "EventTime:1700000000005|Partition:3|Offset:9.1|k1|NULL",
                        "EventTime:1699999999999|Partition:3|Offset:9.2|NULL|",
                        "CreateTime:17|Partition:3|Offset:9.3||no time",
                        "EventTime:1700086400000|Partition:3|Offset:9.4|k2|ä",
                        "EventTime:9223372036854775807|Partition:3|Offset:9.5|NULL|NULL");
    }

    /** In the word of Kafka's formatter. */
    @Test
    void printsThatNeitherEventNorRecordHasATimestamp() {
        assertThat(print(Map.of("print.timestamp", "true"), TimestampType.NO_TIMESTAMP_TYPE, -1, FULL)
                        .lines())
                .contains("EventTime:1700000000000\tcreated", "NO_TIMESTAMP\tno time");
    }

    @Test
    void keepsTabsAndLineEnds() {
        assertThat(print(Map.of("print.key", "true"), FULL)).startsWith("k1\tcreated\n");
        assertThat(print(Map.of("line.separator", "\r\n"), FULL)).startsWith("created\r\nnull\r\n");
    }

    @Test
    void printsHexDigits() {
        assertThat(print(Map.of("print.key", "true", "bulk.encoding", "hex"), FULL))
                .startsWith("6b31\t63726561746564\n6b31\tnull\nnull\t\n");
    }

    @Test
    void printsNothingForATombstone() {
        assertThat(print(Map.of(), null)).isEmpty();
    }

    @Test
    void rejectsARecordThatIsNotABulkRecord() {
        assertThatThrownBy(() -> print(Map.of(), new byte[] {'t', 'e', 'x', 't'}))
                .isInstanceOf(BulkFormatException.class);
    }

    @Test
    void namesTheKeyOfAnInvalidSetting() {
        assertThatThrownBy(() -> print(Map.of("bulk.encoding", "base64"), FULL))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("bulk.encoding")
                .hasMessageContaining("hex");
    }

    private static String print(Map<String, String> settings, byte[] value) {
        return print(settings, TimestampType.CREATE_TIME, 17, value);
    }

    private static String print(Map<String, String> settings, TimestampType type, long timestampMs, byte[] value) {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (BulkMessageFormatter formatter = new BulkMessageFormatter();
                PrintStream output = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
            formatter.configure(settings);
            formatter.writeTo(
                    new ConsumerRecord<>(
                            "topic", 3, 9, timestampMs, type, 0, 0, null, value, new RecordHeaders(), Optional.empty()),
                    output);
        }
        return printed.toString(StandardCharsets.UTF_8);
    }
}
