package io.microbatch.connect.bulk;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Writes events as frames into the caller's arrays, and completes a record of consecutive frames. Allocates nothing per
 * event, and a checksum object per record. Immutable; any thread.
 *
 * <pre>
 *   BulkWriter writer = BulkWriter.of(BulkFormat.FLAG_KEYS);
 *   int end = writer.headerBytes();                          // room for the header
 *   end = writer.writeFrame(record, end, key, BulkFormat.NO_TIMESTAMP, value);
 *   end = writer.writeFrame(record, end, null, BulkFormat.NO_TIMESTAMP, other);
 *   writer.finish(record, 0, end, 2);                        // the record is record[0, end)
 * </pre>
 *
 * Frames may also be written elsewhere and copied to their place after a header later: a frame does not depend on its
 * position. All frames of a record need writers with the same flags and base timestamp.
 */
public final class BulkWriter {

    private final int flags;
    private final long baseTimestampMs;

    private BulkWriter(int flags, long baseTimestampMs) {
        if ((flags & ~BulkFormat.ALL_FLAGS) != 0) {
            throw new IllegalArgumentException("version " + BulkFormat.VERSION + " has no such flags: " + flags);
        }
        if (baseTimestampMs < 0) {
            throw new IllegalArgumentException("baseTimestampMs must not be before 1970: " + baseTimestampMs);
        }
        this.flags = flags;
        this.baseTimestampMs = baseTimestampMs;
    }

    /** Writes frames with these flags. Timestamps are relative to 1970 and take six bytes each. */
    public static BulkWriter of(int flags) {
        return new BulkWriter(flags, 0);
    }

    /**
     * Writes frames with these flags.
     *
     * @param baseTimestampMs the time to which timestamps are relative, in milliseconds since 1970. A timestamp within
     *     a minute of it takes at most three bytes, within twelve days at most five. It has no effect without {@link
     *     BulkFormat#FLAG_TIMESTAMPS}.
     */
    public static BulkWriter of(int flags, long baseTimestampMs) {
        return new BulkWriter(flags, baseTimestampMs);
    }

    /** The room that a record needs before its first frame, in bytes. */
    public int headerBytes() {
        return BulkFormat.headerBytes(flags);
    }

    /**
     * The bytes that an event adds to a record.
     *
     * @param keyBytes its key's length, {@link BulkFormat#NULL_LENGTH} for null
     * @param timestampMs its timestamp, {@link BulkFormat#NO_TIMESTAMP} for none
     * @param valueBytes its value's length, {@link BulkFormat#NULL_LENGTH} for null
     * @throws IllegalArgumentException if the flags do not allow the key, the timestamp or the null, or the frame would
     *     be longer than {@link BulkFormat#MAX_FRAME_BYTES}
     */
    public int frameBytes(int keyBytes, long timestampMs, int valueBytes) {
        int bodyBytes = bodyBytes(keyBytes, timestampMs, valueBytes);
        return Varints.size(bodyBytes) + bodyBytes;
    }

    /** {@link #frameBytes(int, long, int)} of an event without key and timestamp. */
    public int frameBytes(int valueBytes) {
        return frameBytes(BulkFormat.NULL_LENGTH, BulkFormat.NO_TIMESTAMP, valueBytes);
    }

    private int bodyBytes(int keyBytes, long timestampMs, int valueBytes) {
        long bodyBytes = Math.max(0, valueBytes);
        if ((flags & BulkFormat.FLAG_TIMESTAMPS) != 0) {
            requireTimestamp(timestampMs);
            bodyBytes += Varints.size(Varints.zigzag(timestampMs - baseTimestampMs));
        } else if (timestampMs != BulkFormat.NO_TIMESTAMP) {
            throw new IllegalArgumentException("an event has a timestamp, but FLAG_TIMESTAMPS is not set");
        }
        if ((flags & BulkFormat.FLAG_KEYS) != 0) {
            bodyBytes += Varints.size(keyBytes + 1) + Math.max(0, keyBytes);
        } else if (keyBytes >= 0) {
            throw new IllegalArgumentException("an event has a key, but FLAG_KEYS is not set");
        }
        if ((flags & BulkFormat.FLAG_NULL_VALUES) != 0) {
            bodyBytes++;
        } else if (valueBytes < 0) {
            throw new IllegalArgumentException("an event's value is null, but FLAG_NULL_VALUES is not set");
        }
        if (bodyBytes > BulkFormat.MAX_FRAME_BYTES - Varints.MAX_INT_BYTES) {
            throw new IllegalArgumentException("an event of " + bodyBytes + " bytes is too long for a frame");
        }
        return (int) bodyBytes;
    }

    private static void requireTimestamp(long timestampMs) {
        if (timestampMs < BulkFormat.NO_TIMESTAMP) {
            throw new IllegalArgumentException("a timestamp must not be before 1970: " + timestampMs);
        }
    }

    /**
     * Writes an event.
     *
     * @param target the array; it must have room for {@link #frameBytes(int, long, int)}
     * @param at the offset of the frame's first byte
     * @param key null for none
     * @param timestampMs {@link BulkFormat#NO_TIMESTAMP} for none
     * @param value null for none
     * @return the offset after the frame
     * @throws IllegalArgumentException as {@link #frameBytes(int, long, int)}
     * @throws IndexOutOfBoundsException if there is no room; some bytes may be written then
     */
    public int writeFrame(byte[] target, int at, byte[] key, long timestampMs, byte[] value) {
        int keyBytes = length(key);
        int valueBytes = length(value);
        int next = writeFrameStart(target, at, bodyBytes(keyBytes, timestampMs, valueBytes), timestampMs);
        if ((flags & BulkFormat.FLAG_KEYS) != 0) {
            next = Varints.write(keyBytes + 1, target, next);
            if (keyBytes > 0) {
                System.arraycopy(key, 0, target, next, keyBytes);
                next += keyBytes;
            }
        }
        return writeValue(target, next, value, 0, valueBytes);
    }

    /**
     * Writes an event without key and timestamp, whose value is part of an array.
     *
     * @see #writeFrame(byte[], int, byte[], long, byte[])
     */
    public int writeFrame(byte[] target, int at, byte[] source, int offset, int valueBytes) {
        int bodyBytes = bodyBytes(BulkFormat.NULL_LENGTH, BulkFormat.NO_TIMESTAMP, valueBytes);
        int next = writeFrameStart(target, at, bodyBytes, BulkFormat.NO_TIMESTAMP);
        if ((flags & BulkFormat.FLAG_KEYS) != 0) {
            target[next++] = 0;
        }
        return writeValue(target, next, source, offset, valueBytes);
    }

    private int writeFrameStart(byte[] target, int at, int bodyBytes, long timestampMs) {
        int next = Varints.write(bodyBytes, target, at);
        if ((flags & BulkFormat.FLAG_TIMESTAMPS) != 0) {
            next = Varints.write(Varints.zigzag(timestampMs - baseTimestampMs), target, next);
        }
        return next;
    }

    private int writeValue(byte[] target, int at, byte[] source, int offset, int valueBytes) {
        int next = at;
        if ((flags & BulkFormat.FLAG_NULL_VALUES) != 0) {
            target[next++] = valueBytes < 0 ? BulkFormat.VALUE_IS_NULL : BulkFormat.VALUE_FOLLOWS;
        }
        if (valueBytes > 0) {
            System.arraycopy(source, offset, target, next, valueBytes);
            next += valueBytes;
        }
        return next;
    }

    private static int length(byte[] bytes) {
        return bytes == null ? BulkFormat.NULL_LENGTH : bytes.length;
    }

    /**
     * Completes a record by writing the header before its frames.
     *
     * @param record contains the record from {@code start} to {@code end}
     * @param start the offset of the header; the first frame starts {@link #headerBytes()} later
     * @param end the offset after the last frame
     * @param count the number of frames
     */
    public void finish(byte[] record, int start, int end, int count) {
        int framesBytes = end - start - headerBytes();
        if (count < 0 || framesBytes / BulkFormat.minFrameBytes(flags) < count) {
            throw new IllegalArgumentException(count + " events do not fit into " + framesBytes + " bytes of frames");
        }
        ByteBuffer header = ByteBuffer.wrap(record);
        record[start] = BulkFormat.MAGIC_0;
        record[start + 1] = BulkFormat.MAGIC_1;
        record[start + BulkFormat.VERSION_OFFSET] = BulkFormat.VERSION;
        record[start + BulkFormat.FLAGS_OFFSET] = (byte) flags;
        header.putInt(start + BulkFormat.COUNT_OFFSET, count);
        if ((flags & BulkFormat.FLAG_TIMESTAMPS) != 0) {
            header.putLong(start + BulkFormat.BASE_TIMESTAMP_OFFSET, baseTimestampMs);
        }
        header.putInt(start + BulkFormat.CRC_OFFSET, checksum(new CRC32C(), record, start, end));
    }

    /** The checksum of all bytes of the record except the checksum itself. */
    static int checksum(CRC32C crc, byte[] record, int start, int end) {
        crc.reset();
        crc.update(record, start, BulkFormat.CRC_OFFSET);
        crc.update(record, start + BulkFormat.COUNT_OFFSET, end - start - BulkFormat.COUNT_OFFSET);
        return (int) crc.getValue();
    }
}
