package io.microbatch.connect.upstream.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.util.BufferRecycler;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import com.fasterxml.jackson.core.util.RecyclerPool;

/**
 * The factories of parsers, with their limits. A factory keeps the names of fields that its parsers have read, and a
 * parser that reads another name copies all of them. Names are the clients'. So a factory serves a limited amount of
 * JSON, and a large body has one of its own. Any thread.
 */
final class JsonFactories {

    /**
     * The bytes of JSON that a factory may serve. Fewer would cost time, since a new one takes some microseconds. More
     * would let a client make parsers copy more names.
     */
    static final int MAX_BYTES = 131_072;

    private final StreamReadConstraints constraints;

    /** The default pool is a thread-local, which would keep our class loader in threads of the worker. */
    private final RecyclerPool<BufferRecycler> pool = JsonRecyclerPools.newConcurrentDequePool();

    private JsonFactory shared;
    private int servedBytes;

    /** The text of a body has at most this number of bytes. */
    JsonFactories(int maxBytes) {
        constraints = StreamReadConstraints.builder()
                .maxNestingDepth(Json.MAX_DEPTH)
                .maxNumberLength(Json.MAX_NUMBER_CHARS)
                .maxStringLength(maxBytes)
                .build();
        shared = newFactory();
    }

    private JsonFactory newFactory() {
        return JsonFactory.builder()
                .streamReadConstraints(constraints)
                // An interned text is never forgotten.
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                .recyclerPool(pool)
                .build();
    }

    /** The factory for one body of this length. */
    JsonFactory forBody(int bytes) {
        return bytes > MAX_BYTES ? newFactory() : sharedFor(bytes);
    }

    private synchronized JsonFactory sharedFor(int bytes) {
        servedBytes += bytes;
        if (servedBytes > MAX_BYTES) {
            shared = newFactory();
            servedBytes = bytes;
        }
        return shared;
    }
}
