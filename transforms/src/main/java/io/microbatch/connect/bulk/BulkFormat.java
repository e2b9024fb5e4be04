package io.microbatch.connect.bulk;

/**
 * The constants of the bulk format, which {@code docs/bulk-format.md} specifies: a header, then one frame per event,
 * framed like protobuf's delimited streams. Numbers in the header are big-endian.
 *
 * <pre>
 *   0        2        3      4         8       12                 20
 *   ├────────┼────────┼──────┼─────────┼───────┼──────────────────┼─────────┼─────────┼──
 *   │ B5 62  │version │flags │ CRC32C  │ count │ base time, if    │ frame 1 │ frame 2 │ ...
 *   │        │        │      │         │       │ FLAG_TIMESTAMPS  │         │         │
 * </pre>
 *
 * A frame does not depend on earlier frames, so events can be framed before the end of their record is known.
 */
public final class BulkFormat {

    /** The first byte: neither UTF-8 text nor a value with a schema registry's header starts with it. */
    public static final byte MAGIC_0 = (byte) 0xB5;
    /** The second byte. */
    public static final byte MAGIC_1 = 0x62;

    /** The version that is written, and the only one so far. */
    public static final byte VERSION = 1;

    /** Every frame has a key, which may be null. */
    public static final int FLAG_KEYS = 1;
    /** Every frame has a timestamp, which may be {@link #NO_TIMESTAMP}. The header has the base timestamp. */
    public static final int FLAG_TIMESTAMPS = 1 << 1;
    /** Every frame has a byte that tells whether its value is null. Without this flag no value is null. */
    public static final int FLAG_NULL_VALUES = 1 << 2;
    /** All flags of {@link #VERSION}. A record with another flag cannot be read, because flags change the frames. */
    public static final int ALL_FLAGS = FLAG_KEYS | FLAG_TIMESTAMPS | FLAG_NULL_VALUES;

    /** The maximum length of a header, in bytes. */
    public static final int MAX_HEADER_BYTES = 20;
    /** The maximum bytes of a frame without its key and value. */
    public static final int MAX_FRAME_OVERHEAD_BYTES = 21;
    /** The maximum bytes of a frame with its length prefix: any Java array can hold it together with a header. */
    public static final int MAX_FRAME_BYTES = Integer.MAX_VALUE - 64;

    /** The length of a key or a value that is null. */
    public static final int NULL_LENGTH = -1;
    /** The timestamp of an event without one, as in Kafka. */
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

    /** The length in bytes of a header with these flags. */
    public static int headerBytes(int flags) {
        return (flags & FLAG_TIMESTAMPS) == 0 ? MIN_HEADER_BYTES : MAX_HEADER_BYTES;
    }

    /** The minimum bytes of a frame with these flags, to check a record's count of events. */
    static int minFrameBytes(int flags) {
        return 1 + Integer.bitCount(flags & ALL_FLAGS);
    }
}
