package io.microbatch.connect.upstream.http;

import io.microbatch.connect.metrics.UpstreamMetric;

/** The metrics of the HTTP upstream. Constant; any thread. */
public enum HttpMetric implements UpstreamMetric {
    /** Answers. */
    REQUEST_TOTAL("http-request-total", "requests", "status", "Answered requests by HTTP status, health checks too."),
    /** Refusals. */
    REFUSED_TOTAL(
            "http-refused-total",
            "requests",
            "reason",
            "Requests of which nothing was written: full (too much in flight), stalled (the task is not polled), "
                    + "stopping, short (the timeout is shorter than Kafka usually takes), late (the timeout passed "
                    + "before the task had the records), slow (the request took too long to arrive), connections "
                    + "(too many of one address), conflict (the same key is on its way), client (any other mistake "
                    + "of the client)."),
    /** Unknown outcomes. */
    UNKNOWN_TOTAL(
            "http-unknown-total",
            "requests",
            "",
            "Requests that were answered with 500 or 504: Kafka may have them or not."),
    /** Repeats. */
    REPLAYED_TOTAL(
            "http-replayed-total",
            "requests",
            "",
            "Requests that were answered from the window of keys, because their records are in Kafka."),
    /** Waiting clients. */
    INFLIGHT_REQUESTS("http-inflight-requests", "requests", "", "Requests whose clients wait for an answer."),
    /** Bytes of waiting clients. */
    INFLIGHT_BYTES(
            "http-inflight-bytes",
            "bytes",
            "",
            "Bytes of arriving bodies, of the records on the heap whose clients wait, and of answers that clients do "
                    + "not read."),
    /** Connections. */
    CONNECTIONS("http-connections", "connections", "", "Open connections."),
    /** Connections that are not served. */
    CLOSED_TOTAL(
            "http-closed-total",
            "connections",
            "reason",
            "Connections that were closed at once, without an answer: task (the task had "
                    + "upstream.http.max.connections open), address (the address had twice "
                    + "upstream.http.max.connections.per.address open)."),
    /** The median. */
    ANSWER_P50_MS(
            "http-answer-p50-ms",
            "ms",
            "",
            "The median time from the head of a request with events to its answer 200, over the last second with such "
                    + "answers."),
    /** The 99th percentile. */
    ANSWER_P99_MS(
            "http-answer-p99-ms",
            "ms",
            "",
            "The 99th percentile of the time from the head of a request with events to its answer 200, over the last "
                    + "second with such answers."),
    /** The port. */
    PORT("http-port", "port", "", "The port on which the task listens. 0 while it does not listen."),
    /** Readiness. */
    READY("http-ready", "0 or 1", "", "1 if the task takes requests. Otherwise 0.");

    private final String label;
    private final String unit;
    private final String tag;
    private final String description;

    HttpMetric(String label, String unit, String tag, String description) {
        this.label = label;
        this.unit = unit;
        this.tag = tag;
        this.description = description;
    }

    @Override
    public String label() {
        return label;
    }

    @Override
    public String unit() {
        return unit;
    }

    @Override
    public String tag() {
        return tag;
    }

    @Override
    public String description() {
        return description;
    }
}
