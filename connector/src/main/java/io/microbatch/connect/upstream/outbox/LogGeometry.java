package io.microbatch.connect.upstream.outbox;

/**
 * The sizes of the database's log, which say where a record may end. Immutable; any thread.
 *
 * @param blockBytes the size of a page, which begins with a header
 * @param segmentBytes the size of a file, whose first page begins with a longer header
 */
record LogGeometry(long blockBytes, long segmentBytes) {

    private static final long HEADER_BYTES = 24;
    private static final long FIRST_HEADER_BYTES = 40;

    /**
     * The end of the last record before an insert position. At the start of a page the insert position is behind the
     * header, and the flushed position is before it. Without this, a log that ends with a page would never count as
     * flushed until somebody writes more.
     */
    long endOfLastRecord(long insertPosition) {
        if ((insertPosition - FIRST_HEADER_BYTES) % segmentBytes == 0) {
            return insertPosition - FIRST_HEADER_BYTES;
        }
        return insertPosition % blockBytes == HEADER_BYTES ? insertPosition - HEADER_BYTES : insertPosition;
    }
}
