package io.microbatch.connect.upstream.http;

import io.microbatch.connect.config.HttpLimits;
import java.util.ArrayList;
import java.util.List;

/** The events of one request, within the limits. One thread. */
final class Events {

    /** The upper bound of what a batch and a record take in addition to key, value and headers. */
    private static final int RECORD_OVERHEAD_BYTES = 61 + 21 + 3 * 5;

    /** The upper bound of the two lengths of a header. */
    private static final int HEADER_OVERHEAD_BYTES = 2 * 5;

    /** The upper bound of a character in UTF-8, where half a surrogate pair is a character. */
    private static final int CHARACTER_BYTES = 3;

    private final HttpLimits limits;
    private final List<HttpEvent> events = new ArrayList<>();
    private long contentBytes;
    private long heapBytes;

    Events(HttpLimits limits) {
        this.limits = limits;
    }

    /**
     * Adds an event.
     *
     * @throws Refusal 413 if there are too many, this one is too large, or all of them are: a key or a header of the
     *     request is repeated in each of its records, so that they may be many times as large as the body
     */
    void add(HttpEvent event) throws Refusal {
        if (events.size() == limits.requestRecords()) {
            throw Refusal.tooLarge("The request has more than " + limits.requestRecords() + " records.");
        }
        long bytes = length(event.key()) + length(event.value());
        for (HttpHeader header : event.headers()) {
            bytes += HEADER_OVERHEAD_BYTES
                    + (long) CHARACTER_BYTES * header.name().length()
                    + length(header.value());
        }
        if (bytes + RECORD_OVERHEAD_BYTES > limits.recordBytes()) {
            throw Refusal.tooLarge("Record " + events.size() + " is larger than " + limits.recordBytes() + " bytes.");
        }
        contentBytes += bytes;
        if (contentBytes > 2L * limits.requestBytes() + limits.headerBytes()) {
            throw Refusal.tooLarge("The records with their keys and headers are larger than two bodies of "
                    + limits.requestBytes() + " bytes.");
        }
        heapBytes += event.heapBytes();
        // Records that a stripe does not hold together may end up in two transactions.
        if (heapBytes > limits.stripeBytes()) {
            throw Refusal.tooLarge("The records take more than " + limits.stripeBytes() + " bytes of memory.");
        }
        events.add(event);
    }

    /** How many there are. */
    int count() {
        return events.size();
    }

    /**
     * The events in the order in which they came.
     *
     * @throws Refusal 422 if there are none
     */
    List<HttpEvent> atLeastOne() throws Refusal {
        if (events.isEmpty()) {
            throw Refusal.invalid("The request has no records.");
        }
        return events;
    }

    private static long length(byte[] bytes) {
        return bytes == null ? 0 : bytes.length;
    }
}
