package io.microbatch.connect.upstream.http;

/** A remembered key and what became of its request. Reader thread. */
final class KeyEntry {

    private final RequestKey key;
    private final int segment;
    private final int index;

    /** Null if the request was settled before this task started, or long ago. */
    private Places places;

    /**
     * A key in a segment.
     *
     * @param segment the number of the segment
     * @param index the position in the segment
     * @param places where the request's records are; null if Kafka has them at places that are not known
     */
    KeyEntry(RequestKey key, int segment, int index, Places places) {
        this.key = key;
        this.segment = segment;
        this.index = index;
        this.places = places;
    }

    RequestKey key() {
        return key;
    }

    int segment() {
        return segment;
    }

    int index() {
        return index;
    }

    /** Whether Connect is done with all records of the request. */
    boolean isSettled() {
        return places == null || places.areFinal();
    }

    /** Whether Connect is done with the request, and Kafka has none of its records. */
    boolean isDropped() {
        return places != null && places.areFinal() && places.areNowhere();
    }

    /** Where the records of a settled request are, or null. */
    Places places() {
        return places;
    }

    /** Forgets the places, to save memory. */
    void forgetPlaces() {
        places = null;
    }
}
