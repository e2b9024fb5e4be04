package io.microbatch.connect.bulk;

import java.util.Arrays;

/**
 * Collects events of one bulk record up to a size, for any producer. Can be used for one record after the other. One
 * thread.
 *
 * <pre>
 *   if (!builder.append(key, timestampMs, value)) {
 *       producer.send(new ProducerRecord&lt;&gt;(topic, builder.build()));
 *       builder.append(key, timestampMs, value);   // false again: the event alone is too large
 *   }
 * </pre>
 */
public final class BulkRecordBuilder {

    private static final int FIRST_BYTES = 1024;

    private final BulkWriter writer;
    private final int maxRecordBytes;
    private byte[] record;
    private int end;
    private int count;

    /** Builds records of at most this many bytes, header included. */
    public BulkRecordBuilder(BulkWriter writer, int maxRecordBytes) {
        if (maxRecordBytes < BulkFormat.MAX_HEADER_BYTES) {
            throw new IllegalArgumentException("no record is as short as " + maxRecordBytes + " bytes");
        }
        this.writer = writer;
        this.maxRecordBytes = maxRecordBytes;
        this.record = new byte[Math.min(FIRST_BYTES, maxRecordBytes)];
        this.end = writer.headerBytes();
    }

    /**
     * Adds an event, if there is room.
     *
     * @param key null for none
     * @param timestampMs {@link BulkFormat#NO_TIMESTAMP} for none
     * @param value null for none
     * @return false if the record would be longer than allowed; nothing has changed then
     * @throws IllegalArgumentException if the writer's flags have no room for a key, a timestamp or a null
     */
    public boolean append(byte[] key, long timestampMs, byte[] value) {
        int frameBytes = writer.frameBytes(length(key), timestampMs, length(value));
        if (frameBytes > maxRecordBytes - end) {
            return false;
        }
        if (frameBytes > record.length - end) {
            long wanted = Math.max(2L * record.length, (long) end + frameBytes);
            record = Arrays.copyOf(record, (int) Math.min(wanted, maxRecordBytes));
        }
        end = writer.writeFrame(record, end, key, timestampMs, value);
        count++;
        return true;
    }

    private static int length(byte[] bytes) {
        return bytes == null ? BulkFormat.NULL_LENGTH : bytes.length;
    }

    /** How many events the record has so far. */
    public int count() {
        return count;
    }

    /** The bytes that the record would have now. */
    public int sizeBytes() {
        return end;
    }

    /** The record, in an array of its own; the builder begins the next one. */
    public byte[] build() {
        writer.finish(record, 0, end, count);
        byte[] built = Arrays.copyOf(record, end);
        end = writer.headerBytes();
        count = 0;
        return built;
    }
}
