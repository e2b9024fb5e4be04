package io.microbatch.bench.micro;

/** What is done with a bulk record, and whether its bytes are in the processor's cache. */
enum BulkKind {
    /** What the others are measured by: {@link System#arraycopy} of the same bytes into one array. */
    COPY(BulkWork::copy, BulkWork.CACHED_RECORDS),
    /** CRC32C of the same bytes: the least that a reader does. */
    CHECKSUM(BulkWork::checksum, BulkWork.CACHED_RECORDS),
    /** Events framed and closed to a record. */
    ENCODE(BulkWork::encode, BulkWork.CACHED_RECORDS),
    /** The cursor, used again and again. */
    CURSOR(BulkWork::cursor, BulkWork.CACHED_RECORDS),
    /** The deserializer that gives cursors. */
    CURSOR_DESERIALIZER(BulkWork::cursorDeserializer, BulkWork.CACHED_RECORDS),
    /** The deserializer that gives lists. */
    LIST_DESERIALIZER(BulkWork::listDeserializer, BulkWork.CACHED_RECORDS),
    /** The cursor's deserializer over events of 32 to 96 bytes, in no order. */
    CURSOR_DESERIALIZER_MIXED(BulkWork::cursorDeserializer, BulkWork.CACHED_RECORDS, 64, 32),
    /** As those of one size, with events of 1,024 bytes. */
    CURSOR_DESERIALIZER_1024(BulkWork::cursorDeserializer, BulkWork.CACHED_RECORDS, 1_024),
    /** As above. */
    LIST_DESERIALIZER_1024(BulkWork::listDeserializer, BulkWork.CACHED_RECORDS, 1_024),
    /**
     * As above but for the size, with records that are not in the cache, as those that a consumer has just fetched may
     * be.
     */
    COPY_FROM_MEMORY(BulkWork::copy, BulkWork.RECORDS_BEYOND_CACHE),
    /** As above. */
    CURSOR_DESERIALIZER_FROM_MEMORY(BulkWork::cursorDeserializer, BulkWork.RECORDS_BEYOND_CACHE),
    /** As above. */
    LIST_DESERIALIZER_FROM_MEMORY(BulkWork::listDeserializer, BulkWork.RECORDS_BEYOND_CACHE);

    /** Goes over one record. */
    interface Work {

        /** Answers {@link BulkWork#expected} of the record, or something is wrong. */
        long over(BulkWork work, int record);
    }

    private static final int SMALL_EVENT_BYTES = 64;

    private final Work work;
    private final int records;
    private final int eventBytes;
    private final int spreadBytes;

    BulkKind(Work work, int records) {
        this(work, records, SMALL_EVENT_BYTES);
    }

    BulkKind(Work work, int records, int eventBytes) {
        this(work, records, eventBytes, 0);
    }

    BulkKind(Work work, int records, int eventBytes, int spreadBytes) {
        this.work = work;
        this.records = records;
        this.eventBytes = eventBytes;
        this.spreadBytes = spreadBytes;
    }

    /** The copy that this one is measured by. */
    BulkKind copy() {
        return records == BulkWork.CACHED_RECORDS ? COPY : COPY_FROM_MEMORY;
    }

    Work work() {
        return work;
    }

    int records() {
        return records;
    }

    /** On average. */
    int eventBytes() {
        return eventBytes;
    }

    /** How far an event may be off that. */
    int spreadBytes() {
        return spreadBytes;
    }
}
