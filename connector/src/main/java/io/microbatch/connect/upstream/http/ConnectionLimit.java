package io.microbatch.connect.upstream.http;

import io.microbatch.connect.config.HttpLimits;

/** A limit beyond which a new connection is closed at once, without an answer. Constant; any thread. */
enum ConnectionLimit {
    /** Of all connections of a task. */
    TASK("task", HttpLimits.CONNECTIONS_CONFIG),

    /** Of the connections of one address, among them those whose events are refused. */
    ADDRESS("address", "twice " + HttpLimits.CONNECTIONS_PER_ADDRESS_CONFIG);

    private final String label;
    private final String text;

    ConnectionLimit(String label, String text) {
        this.label = label;
        this.text = text;
    }

    /** The value of the tag in metrics. */
    String label() {
        return label;
    }

    /** What a message says of it. */
    String text() {
        return text;
    }
}
