package io.microbatch.bench.hosting;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/** Records as a consumer would get them. */
final class Records {

    private Records() {}

    static ConsumerRecord<byte[], byte[]> record(String key, String value, String header, long timestampMs) {
        RecordHeaders headers = new RecordHeaders();
        if (header != null) {
            headers.add("header", bytes(header));
        }
        return new ConsumerRecord<>(
                "topic",
                0,
                0,
                timestampMs,
                TimestampType.CREATE_TIME,
                0,
                0,
                bytes(key),
                bytes(value),
                headers,
                Optional.empty());
    }

    static ConsumerRecord<byte[], byte[]> record(String key, String value) {
        return record(key, value, null, 0);
    }

    private static byte[] bytes(String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }
}
