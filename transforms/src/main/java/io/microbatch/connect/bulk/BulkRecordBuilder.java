package io.microbatch.connect.bulk;

import java.util.Arrays;

/**
 * Collects the events of a bulk record up to a size, for any producer. A record has no more bytes and no more events
 * than readers take by default ({@link BulkLimits#DEFAULT}). It can be reused for further records. One thread.
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

    /**
     * Limits records to this size in bytes, including the header.
     *
     * @param maxRecordBytes at most {@value BulkLimits#DEFAULT_MAX_RECORD_BYTES}
     * @throws IllegalArgumentException if it is more than that, or too small for any record
     */
    public BulkRecordBuilder(BulkWriter writer, int maxRecordBytes) {
        if (maxRecordBytes < BulkFormat.MAX_HEADER_BYTES) {
            throw new IllegalArgumentException("maxRecordBytes is too small for a record: " + maxRecordBytes);
        }
        if (maxRecordBytes > BulkLimits.DEFAULT_MAX_RECORD_BYTES) {
            throw new IllegalArgumentException("maxRecordBytes is " + maxRecordBytes
                    + ", and readers refuse records of more than " + BulkLimits.DEFAULT_MAX_RECORD_BYTES
                    + " bytes by default");
        }
        this.writer = writer;
        this.maxRecordBytes = maxRecordBytes;
        this.record = new byte[Math.min(FIRST_BYTES, maxRecordBytes)];
        this.end = writer.headerBytes();
    }

    /**
     * Adds an event if the record has room for it, and has fewer than {@value BulkLimits#DEFAULT_MAX_EVENTS} events.
     *
     * @param key null for none
     * @param timestampMs {@link BulkFormat#NO_TIMESTAMP} for none
     * @param value null for none
     * @return false if the record would be too long or have too many events; it is then unchanged
     * @throws IllegalArgumentException if the writer's flags do not allow the key, the timestamp or the null
     */
    public boolean append(byte[] key, long timestampMs, byte[] value) {
        int frameBytes = writer.frameBytes(length(key), timestampMs, length(value));
        if (frameBytes > maxRecordBytes - end || count == BulkLimits.DEFAULT_MAX_EVENTS) {
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
