package io.microbatch.connect.bulk;

/**
 * The constants of the bulk format, which {@code docs/bulk-format.md} specifies: a header, then one frame an event, in
 * the framing of protobuf's delimited streams. Numbers in the header are big-endian.
 *
 * <pre>
 *   0        2        3      4         8       12                 20
 *   ├────────┼────────┼──────┼─────────┼───────┼──────────────────┼─────────┼─────────┼──
 *   │ B5 62  │version │flags │ CRC32C  │ count │ base time, if    │ frame 1 │ frame 2 │ ...
 *   │        │        │      │         │       │ FLAG_TIMESTAMPS  │         │         │
 * </pre>
 *
 * A frame does not depend on the frames before it, so that events can be framed before it is known where their record
 * ends.
 */
public final class BulkFormat {

    /** The first byte, which begins neither a text in UTF-8 nor a value of a schema registry. */
    public static final byte MAGIC_0 = (byte) 0xB5;
    /** The second byte. */
    public static final byte MAGIC_1 = 0x62;

    /** The version that is written, and the only one there is. */
    public static final byte VERSION = 1;

    /** Every frame has a key, which may be null. */
    public static final int FLAG_KEYS = 1;
    /**
     * Every frame has a timestamp, which may be {@link #NO_TIMESTAMP}; the header has the time they are relative to.
     */
    public static final int FLAG_TIMESTAMPS = 1 << 1;
    /** Every frame says whether its value is null. Without it no value is. */
    public static final int FLAG_NULL_VALUES = 1 << 2;
    /** All flags of {@link #VERSION}. A record with another one cannot be read: it changes what a frame is. */
    public static final int ALL_FLAGS = FLAG_KEYS | FLAG_TIMESTAMPS | FLAG_NULL_VALUES;

    /** The longest header, in bytes. */
    public static final int MAX_HEADER_BYTES = 20;
    /** The most bytes that a frame has besides key and value. */
    public static final int MAX_FRAME_OVERHEAD_BYTES = 21;
    /** The most bytes of a frame, its length included: what every Java array can hold, with a header before it. */
    public static final int MAX_FRAME_BYTES = Integer.MAX_VALUE - 64;

    /** The length of a key or a value that is null. */
    public static final int NULL_LENGTH = -1;
    /** The timestamp of an event that has none, as everywhere in Kafka. */
    public static final long NO_TIMESTAMP = -1;

    static final int VERSION_OFFSET = 2;
    static final int FLAGS_OFFSET = 3;
    static final int CRC_OFFSET = 4;
    static final int COUNT_OFFSET = 8;
    static final int BASE_TIMESTAMP_OFFSET = 12;
    static final int MIN_HEADER_BYTES = 12;

    static final byte VALUE_IS_NULL = 0;
    static final byte VALUE_FOLLOWS = 1;

    private BulkFormat() {}

    /** The bytes of the header of a record with these flags. */
    public static int headerBytes(int flags) {
        return (flags & FLAG_TIMESTAMPS) == 0 ? MIN_HEADER_BYTES : MAX_HEADER_BYTES;
    }

    /** The bytes of the shortest possible frame with these flags: what a count can be checked with. */
    static int minFrameBytes(int flags) {
        return 1 + Integer.bitCount(flags & ALL_FLAGS);
    }
}
