package io.microbatch.connect.config;

import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.Width;

/**
 * What a client of the HTTP upstream may use at most. Bytes and milliseconds. Immutable; any thread.
 *
 * @param requestBytes a body, before and after decompression
 * @param requestRecords the records of a request
 * @param recordBytes a record, as the producer counts it before compression, so that it may grow by compression
 * @param stripeBytes all records of a request, as a stripe counts them: half of a stripe
 * @param inflightBytes the requests that are not answered yet: bodies that arrive, then records on the heap
 * @param inflightRequests the requests that are not answered yet
 * @param connections the connections of a task
 * @param connectionsPerAddress the connections from one address
 * @param headerBytes all headers of a request
 * @param headerTimeoutMs the time for a complete head
 * @param bodyTimeoutMs the time for a complete body
 * @param idleTimeoutMs the time between an answer and the next request
 */
public record HttpLimits(
        int requestBytes,
        int requestRecords,
        int recordBytes,
        long stripeBytes,
        long inflightBytes,
        int inflightRequests,
        int connections,
        int connectionsPerAddress,
        int headerBytes,
        int headerTimeoutMs,
        int bodyTimeoutMs,
        int idleTimeoutMs) {

    private static final String MAX = HttpConfig.PREFIX + "max.";

    public static final String REQUEST_BYTES_CONFIG = MAX + "request.bytes";

    static final String REQUEST_BYTES_DOC =
            "The maximum size of a body in bytes, before and after decompression. At most half of stripe.max.bytes. "
                    + "A request whose records take more than that half is refused with 413: a stripe counts "
                    + "some 250 bytes more for each record, and 90 for each header. A record must also be smaller "
                    + "than producer.override.max.request.size and producer.override.buffer.memory, by a thousandth "
                    + "or by 1024 bytes, whichever is more, because "
                    + "content that cannot be compressed becomes larger.";

    public static final String REQUEST_RECORDS_CONFIG = MAX + "request.records";

    static final String REQUEST_RECORDS_DOC =
            "The maximum number of records of a request, which are written all or none on an exactly-once "
                    + "worker. At most half of stripe.max.events.";

    public static final String INFLIGHT_BYTES_CONFIG = MAX + "inflight.bytes";

    static final String INFLIGHT_BYTES_DOC =
            "The maximum bytes of all requests of a task that are not answered yet: of a body while it arrives, then "
                    + "of its records on the heap, some 250 bytes for each and 90 for each header besides keys and "
                    + "values, and of an answer until its client reads it. Further requests are refused with "
                    + "503. At least upstream.http.max.request.bytes.";

    public static final String INFLIGHT_REQUESTS_CONFIG = MAX + "inflight.requests";

    static final String INFLIGHT_REQUESTS_DOC = "The maximum number of requests of a task that are not answered yet. "
            + "Further requests are refused with 503.";

    public static final String CONNECTIONS_CONFIG = MAX + "connections";

    static final String CONNECTIONS_DOC = "The maximum number of connections of a task. Further ones are closed.";

    public static final String CONNECTIONS_PER_ADDRESS_CONFIG = CONNECTIONS_CONFIG + ".per.address";

    static final String CONNECTIONS_PER_ADDRESS_DOC =
            "The maximum number of connections of a task from one address. A proxy is one address. Of IPv6 "
                    + "the first 64 bits count, which are one network. Further connections do not count toward "
                    + "upstream.http.max.connections. They may call the health "
                    + "endpoints, their events are refused with 429, and they are closed after a second. Beyond twice "
                    + "the limit they are closed immediately.";

    public static final String HEADER_BYTES_CONFIG = MAX + "header.bytes";

    static final String HEADER_BYTES_DOC =
            "The maximum bytes of all headers of a request, of which there may be 100. A request line may have 4096 "
                    + "bytes.";

    public static final String HEADER_TIMEOUT_MS_CONFIG = HttpConfig.PREFIX + "header.timeout.ms";

    static final String HEADER_TIMEOUT_MS_DOC = "The time within which the head of a request must be complete. After "
            + "it the request is answered with 408 and the connection is closed.";

    public static final String BODY_TIMEOUT_MS_CONFIG = HttpConfig.PREFIX + "body.timeout.ms";

    static final String BODY_TIMEOUT_MS_DOC = "The time within which the body of a request must be complete, and an "
            + "answer be read. After it the connection is closed.";

    public static final String IDLE_TIMEOUT_MS_CONFIG = HttpConfig.PREFIX + "idle.timeout.ms";

    static final String IDLE_TIMEOUT_MS_DOC = "The time after an answer in which the next request must begin. After it "
            + "the connection is closed. A connection that has sent no request yet is closed after "
            + "upstream.http.header.timeout.ms, without an answer.";

    private static final int INFLIGHT_REQUESTS_DEFAULT = 10_000;
    private static final int CONNECTIONS_DEFAULT = 1_024;

    /** By how much a compressed record may be larger, at least. */
    private static final int COMPRESSION_MARGIN_BYTES = 1_024;

    /** The part of a record by which it may be larger when it is compressed: blocks as they were, with their heads. */
    private static final int COMPRESSION_MARGIN_DIVISOR = 1_000;

    private static final Range TIMEOUT = Range.between(100, 600_000);

    static void define(KeyGroup keys) {
        keys.add(Importance.MEDIUM, REQUEST_BYTES_CONFIG, "Largest body (bytes)", REQUEST_BYTES_DOC)
                .takes(Type.INT, 1_048_576, Width.SHORT, Range.between(1_024, 33_554_432));
        keys.add(Importance.LOW, REQUEST_RECORDS_CONFIG, "Records of a request", REQUEST_RECORDS_DOC)
                .takes(Type.INT, 1_000, Width.SHORT, Range.between(1, 10_000));
        keys.add(Importance.LOW, INFLIGHT_BYTES_CONFIG, "Unanswered bytes", INFLIGHT_BYTES_DOC)
                .takes(Type.LONG, 67_108_864L, Width.SHORT, Range.between(1 << 20, 1L << 34));
        keys.add(Importance.LOW, INFLIGHT_REQUESTS_CONFIG, "Unanswered requests", INFLIGHT_REQUESTS_DOC)
                .takes(Type.INT, INFLIGHT_REQUESTS_DEFAULT, Width.SHORT, Range.between(1, 1_000_000));
        keys.add(Importance.LOW, CONNECTIONS_CONFIG, "Connections", CONNECTIONS_DOC)
                .takes(Type.INT, CONNECTIONS_DEFAULT, Width.SHORT, Range.between(1, 100_000));
        keys.add(
                        Importance.LOW,
                        CONNECTIONS_PER_ADDRESS_CONFIG,
                        "Connections of an address",
                        CONNECTIONS_PER_ADDRESS_DOC)
                .takes(Type.INT, 256, Width.SHORT, Range.between(1, 100_000));
        keys.add(Importance.LOW, HEADER_BYTES_CONFIG, "Largest headers (bytes)", HEADER_BYTES_DOC)
                .takes(Type.INT, 16_384, Width.SHORT, Range.between(1_024, 65_536));
        keys.add(Importance.LOW, HEADER_TIMEOUT_MS_CONFIG, "Header timeout (ms)", HEADER_TIMEOUT_MS_DOC)
                .takes(Type.INT, 10_000, Width.SHORT, TIMEOUT);
        keys.add(Importance.LOW, BODY_TIMEOUT_MS_CONFIG, "Body timeout (ms)", BODY_TIMEOUT_MS_DOC)
                .takes(Type.INT, 30_000, Width.SHORT, TIMEOUT);
        keys.add(Importance.LOW, IDLE_TIMEOUT_MS_CONFIG, "Idle timeout (ms)", IDLE_TIMEOUT_MS_DOC)
                .takes(Type.INT, 60_000, Width.SHORT, TIMEOUT);
    }

    static HttpLimits from(AbstractConfig config) {
        return new HttpLimits(
                config.getInt(REQUEST_BYTES_CONFIG),
                config.getInt(REQUEST_RECORDS_CONFIG),
                recordBytes(config.originalsStrings()),
                config.getLong(StripeConfig.MAX_BYTES_CONFIG) / 2,
                config.getLong(INFLIGHT_BYTES_CONFIG),
                config.getInt(INFLIGHT_REQUESTS_CONFIG),
                config.getInt(CONNECTIONS_CONFIG),
                config.getInt(CONNECTIONS_PER_ADDRESS_CONFIG),
                config.getInt(HEADER_BYTES_CONFIG),
                config.getInt(HEADER_TIMEOUT_MS_CONFIG),
                config.getInt(BODY_TIMEOUT_MS_CONFIG),
                config.getInt(IDLE_TIMEOUT_MS_CONFIG));
    }

    /** How many requests of a task may be on their way: each connection has one. Not validated yet. */
    static long requestsAtOnce(Map<String, String> properties) {
        return Math.min(
                WorkerKeys.number(properties, INFLIGHT_REQUESTS_CONFIG).orElse(INFLIGHT_REQUESTS_DEFAULT),
                WorkerKeys.number(properties, CONNECTIONS_CONFIG).orElse(CONNECTIONS_DEFAULT));
    }

    /**
     * A larger record would fail the task. The producer compares the size before compression, and the broker the one
     * after it. Content that cannot be compressed becomes a little larger, and the worker's own compression.type is not
     * visible here.
     */
    private static int recordBytes(Map<String, String> properties) {
        long largest = ProducerLimit.maxRecordBytes(properties);
        long bytes = largest
                - Math.max(COMPRESSION_MARGIN_BYTES, largest / COMPRESSION_MARGIN_DIVISOR)
                - (WorkerKeys.transforms(properties).isEmpty() ? 0 : WorkerKeys.TRANSFORMS_MARGIN_BYTES);
        return (int) Math.max(0, Math.min(Integer.MAX_VALUE, bytes));
    }
}
