package io.microbatch.connect.convert;

import io.microbatch.connect.common.DeadLetterSchema;
import io.microbatch.connect.config.DeadLetterConfig;
import io.microbatch.connect.config.MicrobatchConfig;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Makes dead letters: key and value as bytes where there are any, the cause in headers that are named as those of
 * Connect's sinks, and the whole never larger than what the producer takes. It cannot fail for what an event contains,
 * so that a dead letter never needs one itself. Immutable; any thread.
 */
final class DeadLetter {

    private static final String PREFIX = "__connect.errors.";
    private static final int TEXT_BYTES = 1_024;
    private static final int NAME_BYTES = 256;
    private static final int STACK_BYTES = 4_096;
    private static final int MAX_CAUSES = 8;
    private static final byte[] EMPTY = {};

    private final String topic;
    private final int maxBytes;
    private final String connector;
    private final String task;

    /** Whether it is among records that are not bytes, on its way through transforms and converters. */
    private final boolean amongEvents;

    /** Of key, value and headers. */
    private final Schema schema;

    DeadLetter(DeadLetterConfig config) {
        this.topic = config.topic();
        this.maxBytes = config.maxBytes();
        this.connector = config.properties().getOrDefault("name", "");
        this.task = config.properties().getOrDefault(MicrobatchConfig.TASK_NUMBER_CONFIG, "");
        this.amongEvents = config.mode() == DeadLetterConfig.Mode.TRY;
        this.schema = amongEvents ? DeadLetterSchema.BYTES : Schema.OPTIONAL_BYTES_SCHEMA;
    }

    /** What goes in the place of a record that cannot be delivered, as it stands upstream. */
    SourceRecord of(SourceRecord record, Converted converted, Failure failure) {
        Content key = content(converted.key(), record.key());
        Content value = content(converted.value(), record.value());
        RecordHeaders headers = kept(converted.headers());
        add(headers, "topic", record.topic(), NAME_BYTES);
        add(headers, "connector.name", connector, NAME_BYTES);
        add(headers, "task.id", task, NAME_BYTES);
        add(headers, "stage", failure.stage().name(), NAME_BYTES);
        add(headers, "class.name", failure.className(), NAME_BYTES);
        add(headers, "exception.class.name", failure.cause().getClass().getName(), NAME_BYTES);
        add(headers, "exception.message", failure.cause().getMessage(), TEXT_BYTES);
        add(headers, "exception.stacktrace", stackTrace(failure.cause()), STACK_BYTES);
        add(headers, "source.partition", text(record.sourcePartition()), TEXT_BYTES);
        add(headers, "source.offset", text(record.sourceOffset()), TEXT_BYTES);
        add(headers, "key.encoding", key.encoding(), NAME_BYTES);
        add(headers, "key.bytes", Integer.toString(key.length()), NAME_BYTES);
        add(headers, "value.encoding", value.encoding(), NAME_BYTES);
        add(headers, "value.bytes", Integer.toString(value.length()), NAME_BYTES);

        // Each length takes five bytes at most, one of which an absent field has too.
        long room = Math.max(0, maxBytes - RecordBytes.of(null, null, headers) - 8);
        byte[] keyPart = key.atMost(Math.max(room / 2, room - value.length()));
        byte[] valuePart = value.atMost(room - (keyPart == null ? 0 : keyPart.length));
        if (valuePart == null && amongEvents) {
            // A transform that knows tombstones, Debezium's ExtractNewRecordState for one, would drop the letter as
            // such.
            valuePart = EMPTY;
        }
        return new SourceRecord(
                record.sourcePartition(),
                record.sourceOffset(),
                topic,
                null,
                schema,
                keyPart,
                schema,
                valuePart,
                // The broker's time, if Kafka would not take this one.
                record.timestamp() == null || record.timestamp() < 0 ? null : record.timestamp(),
                connectHeaders(headers, schema));
    }

    /** Headers in bytes, as a converter takes them that knows the schema. */
    static ConnectHeaders connectHeaders(RecordHeaders headers, Schema schema) {
        ConnectHeaders connect = new ConnectHeaders();
        for (Header header : headers) {
            connect.add(header.key(), header.value(), schema);
        }
        return connect;
    }

    /** The event's own headers, unless they would take the cause's room. */
    private RecordHeaders kept(RecordHeaders own) {
        RecordHeaders headers = new RecordHeaders();
        if (RecordBytes.of(null, null, own) <= maxBytes / 4) {
            for (Header header : own) {
                headers.add(header);
            }
        }
        return headers;
    }

    /** A key or value: how its bytes came about, and the bytes. */
    private record Content(String encoding, byte[] bytes) {
        int length() {
            return bytes == null ? 0 : bytes.length;
        }

        byte[] atMost(long limit) {
            return bytes == null || bytes.length <= limit ? bytes : Arrays.copyOf(bytes, (int) limit);
        }
    }

    private static Content content(byte[] converted, Object original) {
        if (converted != null) {
            return new Content("converted", converted);
        }
        if (original == null) {
            return new Content("null", null);
        }
        if (original instanceof byte[] bytes) {
            return new Content("bytes", bytes);
        }
        return new Content("text", text(original).getBytes(StandardCharsets.UTF_8));
    }

    private static String text(Object value) {
        try {
            return String.valueOf(value);
        } catch (RuntimeException e) {
            return "unreadable: " + e.getClass().getName();
        }
    }

    private static String stackTrace(Exception cause) {
        StringBuilder trace = new StringBuilder();
        // Longer chains than that are cut anyway; a chain may also end in itself.
        Throwable link = cause;
        for (int depth = 0; link != null && depth < MAX_CAUSES; depth++, link = link.getCause()) {
            trace.append(depth == 0 ? "" : "Caused by: ").append(link).append('\n');
            for (StackTraceElement frame : link.getStackTrace()) {
                trace.append("\tat ").append(frame).append('\n');
            }
        }
        return trace.toString();
    }

    private static void add(RecordHeaders headers, String name, String text, int limit) {
        byte[] bytes = text == null ? null : text.getBytes(StandardCharsets.UTF_8);
        headers.add(PREFIX + name, bytes == null || bytes.length <= limit ? bytes : Arrays.copyOf(bytes, limit));
    }
}
