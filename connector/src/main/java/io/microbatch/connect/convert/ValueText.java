package io.microbatch.connect.convert;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Struct;

/**
 * The text of a value, in UTF-8: that of {@code toString}, with binary values within structs, maps and lists in base64.
 * Only its beginning is kept, so that a value larger than its dead letter does not need its size in memory once more.
 * One thread.
 */
final class ValueText {

    /** Deeper values have the text of their own {@code toString}. */
    private static final int MAX_DEPTH = 64;

    /** How much is encoded at once. A multiple of three bytes has no padding in base64. */
    private static final int PIECE = 3 * 4_096;

    private final int limitBytes;
    private final ByteArrayOutputStream beginning = new ByteArrayOutputStream();
    private long lengthBytes;

    private ValueText(int limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** The text of a value, of which at most this number of bytes is kept. Does not throw for what the value is. */
    static ValueText of(Object value, int limitBytes) {
        ValueText text = new ValueText(limitBytes);
        text.add(value, 0);
        return text;
    }

    /** The beginning, up to the limit. */
    byte[] bytes() {
        return beginning.toByteArray();
    }

    /** The length of the whole text. */
    long lengthBytes() {
        return lengthBytes;
    }

    private void add(Object value, int depth) {
        try {
            if (value instanceof byte[] bytes) {
                addBase64(ByteBuffer.wrap(bytes));
            } else if (value instanceof ByteBuffer buffer) {
                addBase64(buffer.duplicate());
            } else if (depth < MAX_DEPTH && value instanceof Struct struct) {
                addStruct(struct, depth);
            } else if (depth < MAX_DEPTH && value instanceof Map<?, ?> map) {
                addMap(map, depth);
            } else if (depth < MAX_DEPTH && value instanceof List<?> list) {
                addList(list, depth);
            } else {
                add(String.valueOf(value));
            }
        } catch (RuntimeException e) {
            add("unreadable: " + e.getClass().getName());
        }
    }

    /** As the text of a struct is: without the fields that are null, and without defaults. */
    private void addStruct(Struct struct, int depth) {
        String before = "Struct{";
        for (Field field : struct.schema().fields()) {
            Object value = struct.getWithoutDefault(field.name());
            if (value != null) {
                add(before);
                add(field.name());
                add("=");
                add(value, depth + 1);
                before = ",";
            }
        }
        add(before.equals(",") ? "}" : "Struct{}");
    }

    private void addMap(Map<?, ?> map, int depth) {
        String before = "";
        add("{");
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            add(before);
            add(entry.getKey(), depth + 1);
            add("=");
            add(entry.getValue(), depth + 1);
            before = ", ";
        }
        add("}");
    }

    private void addList(List<?> list, int depth) {
        String before = "";
        add("[");
        for (Object element : list) {
            add(before);
            add(element, depth + 1);
            before = ", ";
        }
        add("]");
    }

    private void addBase64(ByteBuffer bytes) {
        while (bytes.hasRemaining()) {
            byte[] piece = new byte[Math.min(PIECE, bytes.remaining())];
            bytes.get(piece);
            addBytes(Base64.getEncoder().encode(piece));
        }
    }

    private void add(String text) {
        for (int at = 0; at < text.length(); ) {
            int end = Math.min(text.length(), at + PIECE);
            if (end < text.length() && Character.isHighSurrogate(text.charAt(end - 1))) {
                end--;
            }
            addBytes(text.substring(at, end).getBytes(StandardCharsets.UTF_8));
            at = end;
        }
    }

    private void addBytes(byte[] bytes) {
        int room = limitBytes - beginning.size();
        beginning.write(bytes, 0, Math.min(bytes.length, room));
        lengthBytes += bytes.length;
    }
}
