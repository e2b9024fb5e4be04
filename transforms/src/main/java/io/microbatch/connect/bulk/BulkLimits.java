package io.microbatch.connect.bulk;

/**
 * What a reader takes at most, checked before anything is allocated for a record. Immutable.
 *
 * <p>A list of a record's events takes no more than {@code maxRecordBytes} for their bytes and
 * {@value #HEAP_BYTES_PER_EVENT} bytes of objects for each of {@code maxEvents}; a cursor takes nothing.
 *
 * @param maxRecordBytes the longest record, in bytes
 * @param maxEvents the most events of a record
 */
public record BulkLimits(int maxRecordBytes, int maxEvents) {

    /** What one event costs on the heap besides its bytes: the event, two arrays' headers, its place in the list. */
    public static final int HEAP_BYTES_PER_EVENT = 96;

    /** The longest request that a broker accepts by default ({@code socket.request.max.bytes}): 100 MiB. */
    public static final int DEFAULT_MAX_RECORD_BYTES = 104_857_600;
    /** More than a record of a megabyte can hold, whatever its events. */
    public static final int DEFAULT_MAX_EVENTS = 1_048_576;

    /** The defaults. */
    public static final BulkLimits DEFAULT = new BulkLimits(DEFAULT_MAX_RECORD_BYTES, DEFAULT_MAX_EVENTS);

    /** Refuses limits that no record keeps. */
    public BulkLimits {
        if (maxRecordBytes < BulkFormat.MAX_HEADER_BYTES || maxEvents < 1) {
            throw new IllegalArgumentException(
                    "limits that no record keeps: " + maxRecordBytes + " bytes, " + maxEvents + " events");
        }
    }
}
