package io.microbatch.bench.http;

/**
 * What each request of a load is like. Immutable.
 *
 * @param format how records lie in a body
 * @param bytes the bytes of a record's value
 * @param records the records of a request
 * @param timeoutMs what a request says of its timeout
 * @param keyed whether each request has an idempotency key of its own
 */
record Shape(Format format, int bytes, int records, int timeoutMs, boolean keyed) {

    /** How records lie in a body. */
    enum Format {
        /** {@code /events/TOPIC}: the value is the body, or each value is a line. */
        EVENTS,
        /** {@code /topics/TOPIC}: JSON as REST Proxy and Strimzi's bridge take it. */
        REST
    }

    String path(String topic) {
        return (format == Format.EVENTS ? "/events/" : "/topics/") + topic;
    }

    String contentType() {
        return format == Format.REST
                ? "application/vnd.kafka.json.v2+json"
                : records == 1 ? "application/octet-stream" : "application/x-ndjson";
    }

    /** Before the first value. */
    String begin() {
        return format == Format.REST ? "{\"records\":[{\"value\":" : "";
    }

    /** Between two values. */
    String between() {
        return format == Format.REST ? "},{\"value\":" : "\n";
    }

    /** After the last value. */
    String end() {
        return format == Format.REST ? "}]}" : "";
    }
}
