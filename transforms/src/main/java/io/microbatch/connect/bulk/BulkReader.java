package io.microbatch.connect.bulk;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.zip.CRC32C;

/**
 * A cursor over the events of a bulk record. It copies and allocates nothing, and can be reused for further records.
 * One thread.
 *
 * <pre>
 *   BulkReader events = new BulkReader(BulkLimits.DEFAULT).read(record.value());
 *   while (events.next()) {
 *       use(events.array(), events.valueOffset(), events.valueLength());
 *   }
 * </pre>
 *
 * {@link #read(byte[])} checks header, limits and checksum; {@link #next()} checks each length against the bytes that
 * are left. For any bytes, both throw {@link BulkFormatException} only. A wrong length under a correct checksum is
 * detected when its event is reached. {@link #toList()} returns all remaining events or none.
 */
public final class BulkReader {

    private static final byte[] EMPTY = new byte[0];

    private final BulkLimits limits;
    private final CRC32C crc = new CRC32C();

    private byte[] bytes = EMPTY;
    private int position;
    private int end;
    private int flags;
    private int count;
    private int remaining;
    private long baseTimestampMs;
    private int varintEnd;

    private int keyOffset;
    private int keyLength = BulkFormat.NULL_LENGTH;
    private long timestampMs = BulkFormat.NO_TIMESTAMP;
    private int valueOffset;
    private int valueLength = BulkFormat.NULL_LENGTH;

    /** A cursor without events. */
    public BulkReader(BulkLimits limits) {
        this.limits = limits;
    }

    /** Moves before the first event of a record that fills the array. The array must not change while it is read. */
    public BulkReader read(byte[] record) {
        return read(record, 0, record.length);
    }

    /** Moves before the first event of the record between the buffer's position and limit. Changes neither of them. */
    public BulkReader read(ByteBuffer record) {
        if (record.hasArray()) {
            return read(record.array(), record.arrayOffset() + record.position(), record.remaining());
        }
        requireRecordBytes(record.remaining());
        // Direct and read-only buffers give no access to an array.
        byte[] copy = new byte[record.remaining()];
        record.get(record.position(), copy);
        return read(copy, 0, copy.length);
    }

    /**
     * Moves before the first event of a record that is part of an array.
     *
     * @throws BulkFormatException if header or checksum are not those of a bulk record, or the record exceeds the
     *     limits
     */
    public BulkReader read(byte[] record, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, record.length);
        remaining = 0;
        requireRecordBytes(length);
        if (length < BulkFormat.MIN_HEADER_BYTES) {
            throw new BulkFormatException(
                    length + " bytes are too few for a bulk record, which has at least " + BulkFormat.MIN_HEADER_BYTES);
        }
        if (record[offset] != BulkFormat.MAGIC_0 || record[offset + 1] != BulkFormat.MAGIC_1) {
            throw new BulkFormatException("not a bulk record: it does not begin with B5 62");
        }
        byte version = record[offset + BulkFormat.VERSION_OFFSET];
        if (version != BulkFormat.VERSION) {
            throw new BulkFormatException("the bulk record has version " + (version & 0xff)
                    + ", and this reader knows version " + BulkFormat.VERSION + ": use a newer reader");
        }
        readHeader(record, offset, length);
        if (count == 0 && position != end) {
            throw trailing(position);
        }
        return this;
    }

    private void requireRecordBytes(int length) {
        if (length > limits.maxRecordBytes()) {
            throw new BulkFormatException(
                    "the record has " + length + " bytes, and the limit is " + limits.maxRecordBytes());
        }
    }

    private void readHeader(byte[] record, int offset, int length) {
        ByteBuffer header = ByteBuffer.wrap(record);
        int recordFlags = record[offset + BulkFormat.FLAGS_OFFSET] & 0xff;
        int headerBytes = BulkFormat.headerBytes(recordFlags);
        if (length < headerBytes) {
            throw new BulkFormatException(length + " bytes are too few for a header of " + headerBytes);
        }
        int expected = header.getInt(offset + BulkFormat.CRC_OFFSET);
        if (BulkWriter.checksum(crc, record, offset, offset + length) != expected) {
            throw new BulkFormatException("the checksum does not match the bytes: the record is damaged or cut");
        }
        if ((recordFlags & ~BulkFormat.ALL_FLAGS) != 0) {
            throw new BulkFormatException("the record has flags " + recordFlags + ", and this reader knows "
                    + BulkFormat.ALL_FLAGS + ": use a newer reader");
        }
        int recordCount = header.getInt(offset + BulkFormat.COUNT_OFFSET);
        if (recordCount < 0 || recordCount > (length - headerBytes) / BulkFormat.minFrameBytes(recordFlags)) {
            throw new BulkFormatException(Integer.toUnsignedString(recordCount) + " events cannot be in "
                    + (length - headerBytes) + " bytes");
        }
        if (recordCount > limits.maxEvents()) {
            throw new BulkFormatException(
                    "the record has " + recordCount + " events, and the limit is " + limits.maxEvents());
        }
        boolean timed = (recordFlags & BulkFormat.FLAG_TIMESTAMPS) != 0;
        baseTimestampMs = timed ? header.getLong(offset + BulkFormat.BASE_TIMESTAMP_OFFSET) : 0;
        if (baseTimestampMs < 0) {
            throw new BulkFormatException("the base timestamp is before 1970: " + baseTimestampMs);
        }
        bytes = record;
        position = offset + headerBytes;
        end = offset + length;
        flags = recordFlags;
        count = recordCount;
        remaining = recordCount;
        keyLength = BulkFormat.NULL_LENGTH;
        timestampMs = BulkFormat.NO_TIMESTAMP;
    }

    /**
     * Moves to the next event.
     *
     * @return false after the last event
     * @throws BulkFormatException if the next frame is malformed; the cursor stays before it
     */
    public boolean next() {
        if (remaining == 0) {
            return false;
        }
        int at = position;
        int length;
        if (at < end && bytes[at] >= 0) {
            length = bytes[at++];
        } else {
            length = readLength(at, end);
            at = varintEnd;
        }
        if (length > end - at) {
            throw beyond(length, end - at);
        }
        int frameEnd = at + length;
        if (flags == 0) {
            valueOffset = at;
            valueLength = length;
        } else {
            readBody(at, frameEnd);
        }
        if (remaining == 1 && frameEnd != end) {
            throw trailing(frameEnd);
        }
        remaining--;
        position = frameEnd;
        return true;
    }

    private void readBody(int start, int frameEnd) {
        int at = start;
        if ((flags & BulkFormat.FLAG_TIMESTAMPS) != 0) {
            timestampMs = readTimestamp(at, frameEnd);
            at = varintEnd;
        }
        if ((flags & BulkFormat.FLAG_KEYS) != 0) {
            int key = readLength(at, frameEnd) - 1;
            at = varintEnd;
            if (key > frameEnd - at) {
                throw beyond(key, frameEnd - at);
            }
            keyOffset = at;
            keyLength = key;
            at += Math.max(0, key);
        }
        boolean isNull = (flags & BulkFormat.FLAG_NULL_VALUES) != 0 && readIsNull(at++, frameEnd);
        valueOffset = at;
        valueLength = isNull ? BulkFormat.NULL_LENGTH : frameEnd - at;
    }

    private boolean readIsNull(int at, int frameEnd) {
        if (at >= frameEnd) {
            throw cut(at);
        }
        byte presence = bytes[at];
        if (presence == BulkFormat.VALUE_FOLLOWS) {
            return false;
        }
        if (presence != BulkFormat.VALUE_IS_NULL || at + 1 != frameEnd) {
            throw new BulkFormatException("event " + (count - remaining) + " has an invalid presence byte");
        }
        return true;
    }

    private long readTimestamp(int at, int limit) {
        long delta = Varints.unzigzag(readVarint(at, limit, Varints.MAX_LONG_BYTES));
        long timestamp = baseTimestampMs + delta;
        // The base is not negative, so a sum that overflows is less than -1 too.
        if (timestamp < BulkFormat.NO_TIMESTAMP) {
            throw new BulkFormatException("event " + (count - remaining) + " has a timestamp out of range");
        }
        return timestamp;
    }

    private int readLength(int at, int limit) {
        long length = readVarint(at, limit, Varints.MAX_INT_BYTES);
        if (length > Integer.MAX_VALUE) {
            throw beyond(length, limit - varintEnd);
        }
        return (int) length;
    }

    private long readVarint(int start, int limit, int maxBytes) {
        long result = 0;
        int available = Math.min(limit - start, maxBytes);
        for (int i = 0; i < available; i++) {
            byte group = bytes[start + i];
            result |= (long) (group & 0x7f) << (7 * i);
            if (group >= 0 && (i < Varints.MAX_LONG_BYTES - 1 || group <= 1)) {
                varintEnd = start + i + 1;
                return result;
            }
        }
        throw cut(start);
    }

    private BulkFormatException cut(int at) {
        return new BulkFormatException("event " + (count - remaining) + " is not a frame: the number at byte "
                + (at - position) + " is cut or too long");
    }

    private BulkFormatException beyond(long length, int available) {
        return new BulkFormatException("event " + (count - remaining) + " has a length of " + length + " bytes but "
                + available + " are left");
    }

    private BulkFormatException trailing(int at) {
        return new BulkFormatException((end - at) + " bytes after the last of " + count + " events");
    }

    /** The array to which the offsets refer. */
    public byte[] array() {
        return bytes;
    }

    /** The record's flags, of {@link BulkFormat#ALL_FLAGS}. */
    public int flags() {
        return flags;
    }

    public int count() {
        return count;
    }

    /** The number of events after the cursor. */
    public int remaining() {
        return remaining;
    }

    /** The offset of the event's key, if it has one. */
    public int keyOffset() {
        return keyOffset;
    }

    /** The length of the event's key in bytes, {@link BulkFormat#NULL_LENGTH} if it has none. */
    public int keyLength() {
        return keyLength;
    }

    /** The event's timestamp in milliseconds since 1970, {@link BulkFormat#NO_TIMESTAMP} if it has none. */
    public long timestampMs() {
        return timestampMs;
    }

    /** The offset of the event's value, if it has one. */
    public int valueOffset() {
        return valueOffset;
    }

    /** The length of the event's value in bytes, {@link BulkFormat#NULL_LENGTH} if it is null. */
    public int valueLength() {
        return valueLength;
    }

    public byte[] key() {
        return copy(keyOffset, keyLength);
    }

    public byte[] value() {
        return copy(valueOffset, valueLength);
    }

    private byte[] copy(int offset, int length) {
        return length < 0 ? null : Arrays.copyOfRange(bytes, offset, offset + length);
    }

    public BulkEvent event() {
        return new BulkEvent(key(), timestampMs, value());
    }

    /**
     * Copies the events after the cursor, in order.
     *
     * @throws BulkFormatException if one of the frames is malformed
     */
    public List<BulkEvent> toList() {
        List<BulkEvent> events = new ArrayList<>(remaining);
        while (next()) {
            events.add(event());
        }
        return events;
    }
}
