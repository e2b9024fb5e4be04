package io.microbatch.bench.micro;

import java.util.Map;

/** Ways to get at the bytes of a bulk record's events, by the size of an event. */
enum UnpackKind {
    /** The whole record into an array that is there: what memory gives. */
    ARRAYCOPY(64, null),
    /** The whole record into a new array. */
    CLONE(64, null),
    /**
     * Each event into an array of its own and those into a list, with neither checksum nor frames: the new record's
     * need.
     */
    COPY_EACH_64(64, null),
    /** The same with the other size. */
    COPY_EACH_1024(1_024, null),
    /** Each event as a string, whose bytes are not read: what strings need. */
    COPY_STRINGS_64(64, null),
    /** The same with the other size. */
    COPY_STRINGS_1024(1_024, null),
    /** UnpackBulk. */
    UNPACK_BYTES_64(64, Map.of()),
    /** The same with the other size. */
    UNPACK_BYTES_1024(1_024, Map.of()),
    /** The same with the other size. */
    UNPACK_STRINGS_64(64, Map.of("as", "string")),
    /** The same with the other size. */
    UNPACK_STRINGS_1024(1_024, Map.of("as", "string"));

    private final int eventBytes;
    private final Map<String, String> settings;

    UnpackKind(int eventBytes, Map<String, String> settings) {
        this.eventBytes = eventBytes;
        this.settings = settings;
    }

    int eventBytes() {
        return eventBytes;
    }

    boolean makesStrings() {
        return name().contains("STRINGS");
    }

    /** For UnpackBulk. Null for a plain copy. */
    Map<String, String> settings() {
        return settings;
    }
}
