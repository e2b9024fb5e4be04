package io.microbatch.connect.convert;

import io.microbatch.connect.common.DeadLetterSchema;
import io.microbatch.connect.config.DeadLetterConfig;
import io.microbatch.connect.config.MicrobatchConfig;
import io.microbatch.connect.upstream.DeadLetterRecord;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Makes dead letters: key and value as bytes, and the cause in headers that are named like those of Connect's sinks. A
 * dead letter is never larger than the producer's limit. Making one cannot fail for the content of an event. Immutable;
 * any thread.
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

    /** The schema of key, value and headers. */
    private final Schema schema;

    DeadLetter(DeadLetterConfig config) {
        this.topic = config.topic();
        this.maxBytes = config.maxBytes();
        this.connector = config.properties().getOrDefault("name", "");
        this.task = config.properties().getOrDefault(MicrobatchConfig.TASK_NUMBER_CONFIG, "");
        // With TRY dead letters pass transforms and converters together with original events, which are not bytes.
        boolean amongEvents = config.mode() == DeadLetterConfig.Mode.TRY;
        this.schema = amongEvents ? DeadLetterSchema.BYTES : Schema.OPTIONAL_BYTES_SCHEMA;
    }

    /**
     * A dead letter.
     *
     * @param isWhole whether it has the whole topic, the whole key, the whole value and all headers of the event
     */
    record Letter(SourceRecord record, boolean isWhole) {}

    /** Returns the dead letter that replaces a record. */
    Letter of(SourceRecord record, Converted converted, Failure failure) {
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
        add(headers, "source.partition", ValueText.of(record.sourcePartition(), TEXT_BYTES));
        add(headers, "source.offset", ValueText.of(record.sourceOffset(), TEXT_BYTES));
        add(headers, "key.encoding", key.encoding(), NAME_BYTES);
        add(headers, "key.bytes", Long.toString(key.lengthBytes()), NAME_BYTES);
        add(headers, "value.encoding", value.encoding(), NAME_BYTES);
        add(headers, "value.bytes", Long.toString(value.lengthBytes()), NAME_BYTES);

        // Each of the two lengths takes five bytes at most. An absent field takes one of them too.
        long room = Math.max(0, maxBytes - RecordBytes.of(null, null, headers) - 8);
        byte[] keyPart = key.atMost(Math.max(room / 2, room - value.lengthBytes()));
        byte[] valuePart = value.atMost(room - (keyPart == null ? 0 : keyPart.length));
        if (valuePart == null) {
            // A transform that drops tombstones would drop the dead letter, and so would the compaction of its topic.
            valuePart = EMPTY;
        }
        boolean isWhole = hasRoomFor(converted.headers())
                && key.isWhole(keyPart)
                && value.isWhole(valuePart)
                && bytes(record.topic()) <= NAME_BYTES;
        SourceRecord letter = new DeadLetterRecord(
                record.sourcePartition(),
                record.sourceOffset(),
                topic,
                schema,
                keyPart,
                schema,
                valuePart,
                // Kafka refuses a negative timestamp. The broker's time applies then.
                record.timestamp() == null || record.timestamp() < 0 ? null : record.timestamp(),
                connectHeaders(headers, schema));
        return new Letter(letter, isWhole);
    }

    /** Headers in bytes for a converter that knows the schema. */
    static ConnectHeaders connectHeaders(RecordHeaders headers, Schema schema) {
        ConnectHeaders connect = new ConnectHeaders();
        for (Header header : headers) {
            connect.add(header.key(), header.value(), schema);
        }
        return connect;
    }

    /** The event's own headers. They are dropped if they need the room of the cause. */
    private RecordHeaders kept(RecordHeaders own) {
        RecordHeaders headers = new RecordHeaders();
        if (hasRoomFor(own)) {
            for (Header header : own) {
                headers.add(header);
            }
        }
        return headers;
    }

    private static int bytes(String text) {
        return text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
    }

    private boolean hasRoomFor(RecordHeaders own) {
        return RecordBytes.of(null, null, own) <= maxBytes / 4;
    }

    /**
     * A key or value: the origin of its bytes, and the bytes or as many of them as a letter may hold.
     *
     * @param lengthBytes the length of all its bytes
     */
    private record Content(String encoding, byte[] bytes, long lengthBytes) {
        static Content of(String encoding, byte[] bytes) {
            return new Content(encoding, bytes, bytes == null ? 0 : bytes.length);
        }

        byte[] atMost(long limit) {
            return bytes == null || bytes.length <= limit ? bytes : Arrays.copyOf(bytes, (int) limit);
        }

        boolean isWhole(byte[] part) {
            return bytes == null || lengthBytes == part.length;
        }
    }

    private Content content(byte[] converted, Object original) {
        if (converted != null) {
            return Content.of("converted", converted);
        }
        if (original == null) {
            return Content.of("null", null);
        }
        if (original instanceof byte[] bytes) {
            return Content.of("bytes", bytes);
        }
        if (original instanceof ByteBuffer buffer) {
            return new Content("bytes", bytes(buffer, maxBytes), buffer.remaining());
        }
        ValueText text = ValueText.of(original, maxBytes);
        return new Content("text", text.bytes(), text.lengthBytes());
    }

    /** A value that is not converted: its bytes, else its text. Null for null. */
    static byte[] bytesOf(Object original) {
        if (original == null || original instanceof byte[]) {
            return (byte[]) original;
        }
        return original instanceof ByteBuffer buffer
                ? bytes(buffer, buffer.remaining())
                : ValueText.of(original, Integer.MAX_VALUE).bytes();
    }

    /** The bytes that a converter would read, up to a limit. The buffer is the event's own and stays as it is. */
    private static byte[] bytes(ByteBuffer buffer, int limit) {
        byte[] bytes = new byte[Math.min(limit, buffer.remaining())];
        buffer.duplicate().get(bytes);
        return bytes;
    }

    private static String stackTrace(Exception cause) {
        StringBuilder trace = new StringBuilder();
        // Longer chains are cut anyway. A chain may also contain itself.
        Throwable link = cause;
        for (int depth = 0; link != null && depth < MAX_CAUSES; depth++, link = link.getCause()) {
            trace.append(depth == 0 ? "" : "Caused by: ").append(link).append('\n');
            for (StackTraceElement frame : link.getStackTrace()) {
                trace.append("\tat ").append(frame).append('\n');
            }
        }
        return trace.toString();
    }

    private static void add(RecordHeaders headers, String name, ValueText text) {
        headers.add(PREFIX + name, text.bytes());
    }

    private static void add(RecordHeaders headers, String name, String text, int limit) {
        byte[] bytes = text == null ? null : text.getBytes(StandardCharsets.UTF_8);
        headers.add(PREFIX + name, bytes == null || bytes.length <= limit ? bytes : Arrays.copyOf(bytes, limit));
    }
}
