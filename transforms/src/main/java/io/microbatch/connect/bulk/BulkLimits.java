package io.microbatch.connect.bulk;

/**
 * The largest record that a reader accepts. The reader checks it before it allocates memory for a record. Immutable.
 *
 * <p>A list of a record's events uses at most {@code maxRecordBytes} for their bytes, and {@value
 * #HEAP_BYTES_PER_EVENT} bytes of objects for each of {@code maxEvents}. A cursor allocates nothing.
 *
 * @param maxRecordBytes the maximum length of a record, in bytes
 * @param maxEvents the maximum number of events in a record
 */
public record BulkLimits(int maxRecordBytes, int maxEvents) {

    /**
     * The heap that an event uses in addition to its bytes: the event, two array headers, its reference in the list.
     */
    public static final int HEAP_BYTES_PER_EVENT = 96;

    /** The maximum request that a broker accepts by default ({@code socket.request.max.bytes}): 100 MiB. */
    public static final int DEFAULT_MAX_RECORD_BYTES = 104_857_600;
    /** More events than a record of one megabyte can hold. */
    public static final int DEFAULT_MAX_EVENTS = 1_048_576;

    /** The defaults. */
    public static final BulkLimits DEFAULT = new BulkLimits(DEFAULT_MAX_RECORD_BYTES, DEFAULT_MAX_EVENTS);

    /** Throws IllegalArgumentException for limits that are too small for any record. */
    public BulkLimits {
        if (maxRecordBytes < BulkFormat.MAX_HEADER_BYTES || maxEvents < 1) {
            throw new IllegalArgumentException(
                    "limits too small for any record: " + maxRecordBytes + " bytes, " + maxEvents + " events");
        }
    }
}
