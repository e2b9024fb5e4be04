package io.microbatch.connect.bulk;

import java.util.Arrays;

/**
 * Collects the events of a bulk record up to a size, for any producer. It can be reused for further records. One
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

    /** Limits records to this size in bytes, including the header. */
    public BulkRecordBuilder(BulkWriter writer, int maxRecordBytes) {
        if (maxRecordBytes < BulkFormat.MAX_HEADER_BYTES) {
            throw new IllegalArgumentException("maxRecordBytes is too small for a record: " + maxRecordBytes);
        }
        this.writer = writer;
        this.maxRecordBytes = maxRecordBytes;
        this.record = new byte[Math.min(FIRST_BYTES, maxRecordBytes)];
        this.end = writer.headerBytes();
    }

    /**
     * Adds an event if the record has room for it.
     *
     * @param key null for none
     * @param timestampMs {@link BulkFormat#NO_TIMESTAMP} for none
     * @param value null for none
     * @return false if the record would be too long; it is then unchanged
     * @throws IllegalArgumentException if the writer's flags do not allow the key, the timestamp or the null
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

    public int count() {
        return count;
    }

    /** The size of the record so far, in bytes. */
    public int sizeBytes() {
        return end;
    }

    /** Returns the record in a new array and starts the next one. */
    public byte[] build() {
        writer.finish(record, 0, end, count);
        byte[] built = Arrays.copyOf(record, end);
        end = writer.headerBytes();
        count = 0;
        return built;
    }
}
