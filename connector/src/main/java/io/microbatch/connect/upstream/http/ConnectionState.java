package io.microbatch.connect.upstream.http;

/** What a {@link Connection} does at present. */
enum ConnectionState {
    /** Waits for a head. */
    HEAD,
    /** Reads a body. */
    BODY,
    /** Reads the rest of a body that nobody needs, and then gives the answer. */
    SKIP,
    /** The request is on its way. */
    WAITING,
    /** The answer is being written. */
    ANSWERING,
    /** The answer is written, and the client may still send. */
    LINGERING,
    /** The connection has ended. */
    CLOSED;

    /** Whether more bytes of the client are wanted. */
    boolean reads() {
        return this == HEAD || this == BODY || this == SKIP || this == LINGERING;
    }
}
